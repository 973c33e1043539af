import ApiCenter
import Dispatch
import Testing

@Suite("Overrides in a scope")
struct OverrideTests {
    let center: ApiCenter

    init() {
        center = ApiCenter()
        center.registerApi(type: Numbering.self) { Number(number: 1) }
        center.registerApi(type: Counting.self, impBuilder: once { Counter() })
    }

    private var number: Int? { center.api(type: Numbering.self)?.number }

    @Test("An override applies only inside its scope")
    func inside() {
        center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
        } operation: {
            #expect(number == 2)
        }
        #expect(number == 1)
    }

    @Test("An override can remove a registered Api or add an unregistered Api")
    func absentAndAdded() throws {
        try center.withOverrides {
            $0.removeApi(api: Numbering.self)
            $0.register(Int.self) { 5 }
        } operation: {
            #expect(number == nil)
            let error = #expect(throws: ApiError.self) { try center.requireApi(type: Numbering.self) }
            #expect(error?.linkedTwice == nil)
            let five = try center.requireApi(type: Int.self)
            #expect(five == 5)
            #expect(!center.isRegisteredApi(api: Numbering.self))
            #expect(center.allRegisteredApi() == ["ApiCenterTests.Counting", "Swift.Int"])
        }
        #expect(!center.isRegisteredApi(api: Int.self))
        #expect(center.allRegisteredApi() == ["ApiCenterTests.Counting", "ApiCenterTests.Numbering"])
    }

    @Test("In nested scopes, an inner override takes precedence over an outer override and a registration")
    func nesting() {
        center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
            $0.register(Int.self) { 20 }
        } operation: {
            center.withOverrides {
                $0.register(Numbering.self) { Number(number: 3) }
            } operation: {
                #expect(number == 3)
                #expect(center.api(type: Int.self) == 20)
                #expect(center.api(type: Counting.self) != nil)
            }
            #expect(number == 2)
        }
    }

    @Test("Overrides apply in child tasks, but not in detached tasks or on dispatch queues")
    func followTheTask() async {
        let center = center
        await center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
        } operation: {
            async let child = center.api(type: Numbering.self)?.number
            #expect(await child == 2)
            #expect(await Task { center.api(type: Numbering.self)?.number }.value == 2)
            #expect(await Task.detached { center.api(type: Numbering.self)?.number }.value == 1)
            let onQueue = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: center.api(type: Numbering.self)?.number)
                }
            }
            #expect(onQueue == 1)
        }
    }

    @Test("Overrides apply in a task that outlives the operation")
    func outlive() async {
        let center = center
        let (gate, open) = AsyncStream<Void>.makeStream()
        let task = center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
        } operation: {
            Task {
                for await _ in gate { break }
                return center.api(type: Numbering.self)?.number
            }
        }
        #expect(number == 1)
        open.yield()
        #expect(await task.value == 2)
    }

    @Test("A scope never shares its `once` values with code outside the scope")
    func buildOnce() {
        let outside = center.api(type: Counting.self)
        outside?.increment()
        center.withOverrides { _ in
        } operation: {
            #expect(center.api(type: Counting.self)?.count == 0)
            center.api(type: Counting.self)?.increment()
            center.api(type: Counting.self)?.increment()
            #expect(center.api(type: Counting.self)?.count == 2)
        }
        #expect(center.api(type: Counting.self)?.count == 1)
    }

    @Test("A nested scope builds its own `once` value")
    func buildOnceNested() {
        center.withOverrides {
            $0.register(Counting.self, scope: .once) { Counter() }
        } operation: {
            center.api(type: Counting.self)?.increment()
            center.withOverrides { _ in
            } operation: {
                #expect(center.api(type: Counting.self)?.count == 0)
            }
            #expect(center.api(type: Counting.self)?.count == 1)
        }
    }

    @Test("Overrides apply to builders that run inside the scope")
    func buildersInside() {
        center.registerApi(type: Int.self) { center in (center.api(type: Numbering.self)?.number ?? 0) * 10 }
        center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
            $0.register(String.self, scope: .once) { "\($0.api(type: Int.self) ?? 0)" }
        } operation: {
            #expect(center.api(type: Int.self) == 20)
            #expect(center.api(type: String.self) == "20")
        }
        #expect(center.api(type: Int.self) == 10)
    }

    @Test("Overrides of one center do not apply to another center")
    func otherCenter() {
        let other = ApiCenter()
        other.registerApi(type: Numbering.self) { Number(number: 7) }
        center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
        } operation: {
            #expect(other.api(type: Numbering.self)?.number == 7)
            other.withOverrides {
                $0.removeApi(api: Numbering.self)
            } operation: {
                #expect(number == 2)
                #expect(other.api(type: Numbering.self) == nil)
            }
        }
    }

    @Test("A thousand concurrent scopes that override the same Api do not see each other")
    func thousandAtOnce() async {
        let center = center
        let wrong = await withTaskGroup(of: Int.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    await center.withOverrides {
                        $0.register(Numbering.self) { Number(number: index) }
                    } operation: {
                        var wrong = 0
                        for _ in 0..<20 {
                            if center.api(type: Numbering.self)?.number != index { wrong += 1 }
                            center.api(type: Counting.self)?.increment()
                            await Task.yield()
                        }
                        if center.api(type: Counting.self)?.count != 20 { wrong += 1 }
                        return wrong
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(number == 1)
        #expect(center.api(type: Counting.self)?.count == 0)
    }

    @Test("Objects that a scope captured or built are freed when the scope ends")
    func freed() {
        let freed = Shared(0)
        func inScope() {
            let token = Token { freed.update { $0 += 1 } }
            center.withOverrides {
                $0.register(Token.self) { token }
                $0.register(Counter.self, scope: .once) { Counter() }
            } operation: {
                _ = center.api(type: Token.self)
                _ = center.api(type: Counter.self)
            }
        }
        inScope()
        #expect(freed.value == 1)
    }

    @Test("Edits inside a scope take effect there alone, in child tasks too")
    func editsInside() async {
        let center = center
        await center.withOverrides { _ in
        } operation: {
            center.replaceApi(type: Numbering.self) { Number(number: 2) }
            center.register(Int.self) { 20 }
            await Task { center.replaceApi(type: String.self, scope: .once) { "inside" } }.value
            #expect(number == 2)
            #expect(center.api(type: String.self) == "inside")
            #expect(await Task.detached { center.api(type: Numbering.self)?.number }.value == 1)
            #expect(await Task.detached { center.api(type: Int.self) }.value == nil)
            center.removeApi(api: Numbering.self)
            #expect(number == nil)
            // What was removed inside may be registered again.
            center.register(Numbering.self) { Number(number: 3) }
            #expect(number == 3)
            center.removeAll()
            #expect(center.allRegisteredApi() == [])
            #expect(!center.isRegisteredApi(api: Counting.self) && center.api(type: Counting.self) == nil)
            center.register(Counting.self) { Counter() }
            #expect(center.allRegisteredApi() == ["ApiCenterTests.Counting"])
        }
        #expect(number == 1)
        #expect(center.allRegisteredApi() == ["ApiCenterTests.Counting", "ApiCenterTests.Numbering"])
    }

    @Test("In nested scopes, an edit takes effect in the innermost one")
    func editsNested() {
        center.withOverrides {
            $0.removeApi(api: Numbering.self)
        } operation: {
            center.withOverrides { _ in
            } operation: {
                center.register(Numbering.self) { Number(number: 3) }
                #expect(number == 3)
                center.removeAll()
                #expect(center.allRegisteredApi() == [])
            }
            #expect(number == nil)
            #expect(center.allRegisteredApi() == ["ApiCenterTests.Counting"])
        }
    }

    /// A module, as modules register themselves.
    struct Checkout {
        func register(in center: ApiCenter) throws {
            center.register(Numbering.self, scope: .once) { Number(number: 5) }
            center.allOrNothing { center.register(Int.self) { $0.api(type: Numbering.self)?.number ?? 0 } }
        }
    }

    @Test("A module registers its Apis as overrides; the last registration of an Api wins there")
    func module() throws {
        try center.withOverrides {
            $0.register(Int.self) { 1 }
            try Checkout().register(in: $0)
            #expect($0.api(type: Int.self) == 5)
        } operation: {
            #expect(number == 5)
            #expect(center.api(type: Int.self) == 5)
        }
        #expect(number == 1)
        #expect(!center.isRegisteredApi(api: Int.self))
    }

    @Test("In the overrides of one center, another center is edited as usual")
    func otherCenterInside() {
        let other = ApiCenter()
        center.withOverrides { _ in
            other.register(Int.self) { 7 }
        } operation: {
            #expect(!center.isRegisteredApi(api: Int.self))
        }
        #expect(other.api(type: Int.self) == 7)
    }

    @Test(
        "A failing allOrNothing call inside a scope rolls back there, and so does a later rollBack on any thread"
    )
    func rollBackInside() {
        struct Failure: Error {}
        let center = center
        center.withOverrides {
            $0.register(Numbering.self) { Number(number: 2) }
        } operation: {
            let registrations = center.allOrNothing {
                center.replaceApi(type: Numbering.self) { Number(number: 3) }
                center.register(Int.self) { 30 }
                center.register(UInt.self) { 30 }
            }
            center.replaceApi(type: UInt.self) { 31 }
            #expect(throws: Failure.self) {
                try center.allOrNothing {
                    center.replaceApi(type: Numbering.self) { Number(number: 4) }
                    center.register(String.self) { "four" }
                    throw Failure()
                }
            }
            #expect(number == 3)
            #expect(!center.isRegisteredApi(api: String.self))
            let done = DispatchGroup()
            Thread.run(in: done) { registrations.rollBack() }
            done.wait(for: "the roll-back")
            #expect(number == 2)
            #expect(!center.isRegisteredApi(api: Int.self))
            #expect(center.api(type: UInt.self) == 31)
        }
        #expect(number == 1)
        #expect(!center.isRegisteredApi(api: UInt.self))
    }

    @Test("Races of edits and look-ups in a scope return the right IMP or nil, and change nothing outside")
    func racingEdits() async {
        let center = center, freed = Shared(0), made = Shared(0)
        await center.withOverrides { _ in
        } operation: {
            let wrong = await withTaskGroup(of: Int.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var wrong = 0
                        for round in 0..<200 {
                            switch (task, round % 4) {
                            case (0, _):
                                made.update { $0 += 1 }
                                let token = Token { freed.update { $0 += 1 } }
                                center.replaceApi(type: Token.self) { token }
                            case (1, 0): center.removeApi(api: Token.self)
                            case (1, 1):
                                center.allOrNothing { center.replaceApi(type: Int.self) { 2 } }.rollBack()
                            case (2, 0): center.removeAll()
                            case (2, 2): center.replaceApi(type: Counting.self, scope: .once) { Counter() }
                            case (3, _): _ = center.allRegisteredApi()
                            default:
                                _ = center.api(type: Token.self)
                                if let number = center.api(type: Numbering.self)?.number, number != 1 {
                                    wrong += 1
                                }
                                if let number = center.api(type: Int.self), number != 2 { wrong += 1 }
                                center.api(type: Counting.self)?.increment()
                            }
                        }
                        return wrong
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(wrong == 0)
        }
        #expect(number == 1)
        #expect(freed.value == made.value)
        #expect(center.api(type: Counting.self)?.count == 0)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("A second registration of an Api that the scope sees stops the process", arguments: [false, true])
    func duplicateInside(isRegisteredInside: Bool) async {
        // An exit test cannot capture its case, so there are two of them.
        let result =
            if isRegisteredInside {
                await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                    let center = ApiCenter()
                    center.withOverrides {
                        $0.register(Numbering.self) { Number(number: 1) }
                    } operation: {
                        center.register(Numbering.self) { Number(number: 2) }
                    }
                }
            } else {
                await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                    let center = ApiCenter()
                    center.register(Numbering.self) { Number(number: 1) }
                    center.withOverrides { _ in
                    } operation: {
                        center.register(Numbering.self) { Number(number: 2) }
                    }
                }
            }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("ApiCenterTests.Numbering is registered twice"))
        #expect(message.matches(of: /ApiCenterTests\/OverrideTests.swift:\d+/).count >= 3)
    }
    #endif
}
