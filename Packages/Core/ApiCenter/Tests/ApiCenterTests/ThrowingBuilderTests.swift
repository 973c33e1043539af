import ApiCenter
import Dispatch
import Foundation
import Testing

@Suite("Builders that throw")
struct ThrowingBuilderTests {
    struct NoDisk: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    let center = ApiCenter()

    @Test("`api` returns nil, and `requireApi` throws an ApiError with the cause and both places")
    func cause() throws {
        center.register(Counting.self) { () throws -> any Counting in throw NoDisk() }
        let registered = #line - 1
        #expect(center.api(type: Counting.self) == nil)
        #expect(center.isRegisteredApi(api: Counting.self))
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: Counting.self) }
        let asked = #line - 1
        #expect(error?.api == "ApiCenterTests.Counting")
        #expect(error?.cause is NoDisk)
        let text = String(describing: try #require(error))
        let file = "ApiCenterTests/ThrowingBuilderTests.swift"
        #expect(text.hasPrefix("\(file):\(asked): the IMP of ApiCenterTests.Counting could not be built."))
        #expect(text.contains("registered at \(file):\(registered), threw: the disk is full."))
    }

    @Test("The error of a builder that requires another Api contains that Api's error")
    func nested() {
        center.register(Counting.self, scope: .once) { throw NoDisk() }
        center.register(Numbering.self) { Number(number: try $0.requireApi(type: Counting.self).count) }
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: Numbering.self) }
        #expect((error?.cause as? ApiError)?.cause is NoDisk)
        // The error shows the chain of builders, and says only once what to do.
        let parts = error?.description.components(separatedBy: " threw: ") ?? []
        #expect(parts.count == 3)
        #expect(parts.first?.contains("Numbering could not be built") == true)
        #expect(parts.last?.hasPrefix("the disk is full. A service is complete") == true)
        let other = #expect(throws: ApiError.self) { try center.requireApi(type: Int.self) }
        #expect(other != error)
        #expect(Set([other, other, error]).count == 2)
    }

    @Test("A cause that ends with a period gets no second one")
    func period() {
        struct Locked: Error, CustomStringConvertible { let description = "The disk is locked." }
        center.register(Counting.self) { () throws -> any Counting in throw Locked() }
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: Counting.self) }
        #expect(error?.description.contains("threw: The disk is locked. A service is complete") == true)
    }

    /// The kinds of registration whose values the center keeps.
    enum Kept: CaseIterable {
        case once, weak, session

        var scope: ApiScope<any Counting> {
            switch self {
            case .once: .once
            case .weak: .weak
            case .session: .session(ThrowingBuilderTests.self)
            }
        }
    }

    @Test(
        "A failed build is not kept: the next call builds again, and nothing is left",
        arguments: Kept.allCases)
    func again(kept: Kept) {
        let isFull = Shared(true), freed = Shared(0), built = Shared(0)
        do {
            let token = Token { freed.update { $0 += 1 } }
            center.register(Counting.self, scope: kept.scope) {
                try withExtendedLifetime(token) {
                    built.update { $0 += 1 }
                    if isFull.value { throw NoDisk() }
                    return Counter()
                }
            }
        }
        for _ in 0..<3 { #expect(center.api(type: Counting.self) == nil) }
        #expect(built.value == 3)
        isFull.update { $0 = false }
        let counter = center.api(type: Counting.self)
        counter?.increment()
        #expect(center.api(type: Counting.self)?.count == 1)
        #expect(built.value == 4)
        center.removeApi(api: Counting.self)
        #expect(freed.value == 1)
    }

    @Test(
        "The calls that waited for a failed build fail with its error, and a later call builds",
        arguments: Kept.allCases)
    func waiters(kept: Kept) {
        // A call may come too late to wait, and then builds. So the test repeats until a call has waited.
        for _ in 0..<1_000 {
            let center = ApiCenter(), attempts = Counter(), asking = Counter(), failures = Counter()
            let inside = DispatchSemaphore(value: 0), goOn = DispatchSemaphore(value: 0),
                done = DispatchGroup()
            center.register(Counting.self, scope: kept.scope) {
                attempts.increment()
                guard attempts.count == 1 else { return Counter() }
                inside.signal()
                goOn.wait(for: "four calls during the build")
                throw NoDisk()
            }
            @Sendable func ask() {
                do { _ = try center.requireApi(type: Counting.self) } catch {
                    if error.cause is NoDisk { failures.increment() }
                }
            }
            Thread.run(in: done) { ask() }
            inside.wait(for: "the first build")
            center.addObserver { _ in asking.increment() }
            for _ in 0..<4 { Thread.run(in: done) { ask() } }
            Thread.wait(for: "four calls") { asking.count >= 4 }
            for _ in 0..<20 { Thread.yield() }
            goOn.signal()
            done.wait(for: "five calls")
            #expect(center.api(type: Counting.self) != nil)
            if failures.count > 1 { return }
        }
        Issue.record("no call that waited has failed")
    }

    @Test(
        "Under races of failing and succeeding builds, each call gets the one object or a failure of its own time"
    )
    func race() {
        for _ in 0..<50 {
            let center = ApiCenter(), attempts = Shared(0), seen = Shared<Set<ObjectIdentifier>>([])
            center.register(Token.self, scope: .once) {
                var attempt = 0
                attempts.update {
                    $0 += 1
                    attempt = $0
                }
                for _ in 0..<20 { Thread.yield() }
                if attempt < 3 { throw NoDisk() }
                return Token {}
            }
            Thread.race(8) { _ in
                for _ in 0..<4 {
                    if let token = center.api(type: Token.self) {
                        seen.update { $0.insert(ObjectIdentifier(token)) }
                    }
                }
            }
            #expect(attempts.value == 3)
            #expect(seen.value.count == 1)
        }
    }

    @Test("A builder on the main actor may throw, too")
    @MainActor func onMainActor() {
        center.register(Counting.self, scope: .main(.once)) { throw NoDisk() }
        center.registerApi(type: Int.self, impBuilder: once(onMain { throw NoDisk() }))
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: Counting.self) }
        #expect(error?.cause is NoDisk)
        #expect(center.api(type: Int.self) == nil)
    }

    @Test("A failed builder inside a chain leaves no frame behind")
    func chain() {
        // A frame that stays would make the second request look like a cycle.
        center.register(Int.self, scope: .once) { throw NoDisk() }
        center.register(UInt.self, scope: .once) { UInt($0.api(type: Int.self) ?? 7) }
        #expect(center.api(type: UInt.self) == 7)
        #expect(center.api(type: Int.self) == nil)
        center.replaceApi(type: Int.self, scope: .once) { Int($0.api(type: UInt.self) ?? 0) }
        #expect(center.api(type: Int.self) == 7)
    }

    @Test("An internal type may be the key of the one service, which the Api's builder looks up")
    func internalKey() throws {
        let isFull = Shared(true)
        center.register(Counter.self, scope: .once) {
            if isFull.value { throw NoDisk() }
            return Counter()
        }
        center.register(Counting.self) { try $0.requireApi(type: Counter.self) }
        let error = #expect(throws: ApiError.self) { try center.requireApi(type: Counting.self) }
        #expect((error?.cause as? ApiError)?.cause is NoDisk)
        isFull.update { $0 = false }
        try center.requireApi(type: Counter.self).increment()
        #expect(try center.requireApi(type: Counting.self).count == 1)
        // A fake of the Api does not stand in for the service.
        try center.withOverrides {
            $0.register(Counting.self, scope: .once) { Counter() }
        } operation: {
            try center.requireApi(type: Counting.self).increment()
            #expect(try center.requireApi(type: Counter.self).count == 0)
        }
    }
}
