import Dispatch
import Testing

@testable import ApiCenter

@Suite("Builders that depend on each other in a cycle")
struct CycleTests {
    protocol First: Sendable {}
    protocol Second: Sendable {}
    protocol Third: Sendable {}
    struct Imp: First, Second, Third {}

    static func needs<T, Other>(_ other: Other.Type, _ imp: T) -> @Sendable (ApiCenter) -> T
    where T: Sendable {
        { center in
            _ = center.api(type: Other.self)
            return imp
        }
    }

    static func meets<T, Other>(
        _ inside: Shared<Int>, _ other: Other.Type, _ imp: T
    ) -> @Sendable (ApiCenter) -> T where T: Sendable {
        { center in
            inside.update { $0 += 1 }
            // Waits until both builders are running, so that neither requests the other Api too early.
            Thread.wait(for: "two builders") { inside.value >= 2 }
            _ = center.api(type: Other.self)
            return imp
        }
    }

    @Test("Neither 70 busy builders nor a single recursive call to a builder is reported as a cycle")
    func noCycle() {
        let center = ApiCenter()
        let inside = Shared(0), goOn = Shared(false), depth = Shared(0)
        center.registerApi(type: Numbering.self) {
            inside.update { $0 += 1 }
            Thread.wait(for: "the other thread") { goOn.value }
            return Number(number: 1)
        }
        center.registerApi(type: Int.self) { center in
            depth.update { $0 += 1 }
            return depth.value == 2 ? 1 : (center.api(type: Int.self) ?? 0) + 1
        }
        Thread.race(71) { thread in
            if thread < 70 {
                _ = center.api(type: Numbering.self)
            } else {
                // The 70 busy builders take every reader slot.
                Thread.wait(for: "70 builders") { inside.value >= 70 }
                #expect(center.api(type: Int.self) == 2)
                goOn.update { $0 = true }
            }
        }
    }

    @Test("A builder that requests its own Api a hundred times and then returns is not reported as a cycle")
    func deepRecursion() {
        let center = ApiCenter()
        let depth = Shared(0)
        center.register(Int.self) { center in
            depth.update { $0 += 1 }
            return depth.value == 100 ? 1 : (center.api(type: Int.self) ?? 0) + 1
        }
        Thread.race(1) { _ in #expect(center.api(type: Int.self) == 100) }
    }

    @Test(
        "A thread that still waits for a failed build does not close a cycle with the next build of that value"
    )
    func staleWait() {
        final class Value: Sendable {}
        @Sendable func frame(_ value: Value) -> BuildChain.Frame {
            BuildChain.Frame(builder: ObjectIdentifier(value), api: Value.self)
        }
        let first = Value(), second = Value(), failed = BuildAttempt(), builds = Shared(0)
        let steps = (0..<4).map { _ in DispatchSemaphore(value: 0) }, done = DispatchGroup()
        Thread.run(in: done) {
            if case .build = BuildChain.turn(frame(first), in: failed) { builds.update { $0 += 1 } }
            steps[0].signal()
            steps[1].wait(for: "the second thread's turn")
            BuildChain.finish(ObjectIdentifier(first))
            steps[2].signal()
        }
        Thread.run(in: done) {
            steps[0].wait(for: "the first thread's build")
            if case .build = BuildChain.turn(frame(second), in: BuildAttempt()) { builds.update { $0 += 1 } }
            if case .wait(let attempt) = BuildChain.turn(frame(first), in: BuildAttempt()), attempt === failed
            {
                builds.update { $0 += 1 }
            }
            steps[1].signal()
            // This thread has not noticed yet that the build has ended.
            steps[3].wait(for: "the third thread's turn")
            BuildChain.endWait()
            BuildChain.finish(ObjectIdentifier(second))
        }
        steps[2].wait(for: "the end of the first build")
        Thread.run(in: done) {
            if case .build = BuildChain.turn(frame(first), in: BuildAttempt()) { builds.update { $0 += 1 } }
            if case .wait = BuildChain.turn(frame(second), in: BuildAttempt()) { builds.update { $0 += 1 } }
            BuildChain.endWait()
            BuildChain.finish(ObjectIdentifier(first))
            steps[3].signal()
        }
        done.wait(for: "three threads")
        #expect(builds.value == 5)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    /// A cycle of Apis with plain builders: the number of Apis, and the bytes of stack that each builder uses,
    /// not counting the center's own use.
    struct Circle: Codable, CustomTestStringConvertible {
        let count: Int
        let bytes: Int
        var testDescription: String { "Apis: \(count), bytes each: \(bytes)" }

        /// Requests one of the Apis on a thread with a 512 KB stack, like the threads in Apple's thread pools.
        func run() {
            let center = ApiCenter()
            let apis = manyApis(count: count)
            for (index, api) in apis.enumerated() {
                api.registerNeeding(apis[(index + 1) % count], bytes, center)
            }
            let thread = DispatchGroup()
            Thread.run(in: thread, stackSize: 512 << 10) { _ = apis.first?.number(in: center) }
            thread.wait(for: "the request in a cycle")
        }
    }

    @Test(
        "A cycle of plain builders on a small stack stops the process with a message that names each Api",
        arguments: [
            (1, 0), (2, 0), (4, 0), (12, 0), (30, 0), (1, 30_000), (1, 60_000), (2, 50_000), (4, 8_000),
            (8, 4_000),
        ].map {
            Circle(count: $0.0, bytes: $0.1)
        })
    func onASmallStack(_ circle: Circle) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [circle] in circle.run()
        }
        let text = message(result)
        let chain = text.split(separator: "in a cycle: ").last?.split(separator: ". ").first ?? ""
        let names = chain.split(separator: " -> ")
        #expect(names.count == circle.count + 1, "\(text.prefix(2000))")
        #expect(Set(names).count == circle.count)
        #expect(names.first == names.last)
    }

    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("A cycle of plain builders stops the process with a message before the stack overflows")
    func plain() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: Self.needs(Second.self, Imp()))
            center.registerApi(type: Second.self, impBuilder: Self.needs(Third.self, Imp()))
            center.registerApi(type: Third.self, impBuilder: Self.needs(First.self, Imp()))
            _ = center.api(type: First.self)
        }
        // The reported cycle may start at any of the three Apis, depending on the stack depth at which the process
        // stops.
        let names = ["First", "Second", "Third", "First", "Second", "Third"].map {
            "ApiCenterTests.CycleTests.\($0)"
        }
        let chains = (0..<3).map {
            "in a cycle: \(names[$0..<$0 + 3].joined(separator: " -> ")) -> \(names[$0])."
        }
        #expect(chains.contains { message(result).contains($0) })
    }

    @Test("A `once` builder that needs its own Api stops the process with a message that names the Api")
    func itself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: once(Self.needs(First.self, Imp())))
            _ = center.api(type: First.self)
        }
        let name = "ApiCenterTests.CycleTests.First"
        #expect(message(result).contains("in a cycle: \(name) -> \(name)."))
        #expect(message(result).contains(/ApiCenterTests\/CycleTests\.swift:\d+: Fatal error/))
    }

    @Test("A cycle of `once` and plain builders stops the process with a message instead of deadlocking")
    func buildOnce() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: once(Self.needs(Second.self, Imp())))
            center.registerApi(type: Second.self, impBuilder: Self.needs(Third.self, Imp()))
            center.registerApi(type: Third.self, impBuilder: once(Self.needs(First.self, Imp())))
            _ = center.api(type: First.self)
        }
        let names = ["First", "Second", "Third", "First"].map { "ApiCenterTests.CycleTests.\($0)" }
        #expect(message(result).contains("in a cycle: \(names.joined(separator: " -> "))."))
    }

    @Test("A cycle of `once` builders that two threads enter stops the process instead of deadlocking")
    func twoThreads() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            let inside = Shared(0)
            center.registerApi(type: First.self, impBuilder: once(Self.meets(inside, Second.self, Imp())))
            center.registerApi(type: Second.self, impBuilder: once(Self.meets(inside, First.self, Imp())))
            Thread.race(2) { thread in
                if thread == 0 { _ = center.api(type: First.self) } else { _ = center.api(type: Second.self) }
            }
        }
        let first = "ApiCenterTests.CycleTests.First", second = "ApiCenterTests.CycleTests.Second"
        let chains = ["\(first) -> \(second) -> \(first).", "\(second) -> \(first) -> \(second)."]
        #expect(chains.contains { message(result).contains("in a cycle: \($0)") })
    }
    #endif
}
