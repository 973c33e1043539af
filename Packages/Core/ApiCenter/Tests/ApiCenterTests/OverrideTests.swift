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
}
