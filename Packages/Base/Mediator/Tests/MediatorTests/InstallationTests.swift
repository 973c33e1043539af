import Links
import Mediator
import Synchronization
import Testing

@Suite("Installing and caching targets") struct InstallationTests {
    private let mediator = Mediator()

    private func refusal(_ install: () throws(MediatorError) -> Void) -> MediatorError? {
        do throws(MediatorError) {
            try install()
            return nil
        } catch {
            return error
        }
    }

    @Test("Installing a duplicate target throws an error with both locations, and installs nothing")
    func duplicates() throws {
        try mediator.install([.action("b", "x") { _ in 1 }])
        let error = refusal { () throws(MediatorError) in
            try mediator.install([.action("a", "x") { _ in 2 }, .action("b", "y") { _ in 2 }])
        }
        #expect(error?.description.hasPrefix("target \"b\": the target is installed twice") == true)
        #expect(error?.description.ranges(of: "InstallationTests.swift:").count == 2)
        #expect(mediator.allActions().map(\.target) == ["b"])
    }

    @Test("Names are checked before anything is installed")
    func checks() {
        func message(_ links: [Link]) -> String {
            let error = refusal { () throws(MediatorError) in
                try mediator.install([.action("t", "a") { _ in nil }] + links)
            }
            return error?.description ?? ""
        }
        #expect(message([.action("", "a") { _ in nil }]).contains("contains an empty name"))
        #expect(message([.action("t", "") { _ in nil }]).contains("contains an empty name"))
        let twice = message([.action("t", "a") { _ in nil }])
        #expect(twice.hasPrefix("target \"t\", action \"a\": the action is written twice"))
        #expect(twice.ranges(of: "InstallationTests.swift:").count == 2)
        let (one, other) = (LinkTarget("u") { 1 }, LinkTarget("u") { 2 })
        #expect(
            message([one.action("x") { one, _ in one }, other.action("y") { two, _ in two }])
                .hasPrefix("target \"u\": the target is installed twice"))
        #expect(mediator.allActions().isEmpty)
    }

    @Test("A mediator ignores a module's routes")
    func routes() throws {
        try mediator.install([.route("t") { _ in 1 }])
        #expect(mediator.allActions().isEmpty)
    }

    /// Counts how many tokens were created and how many are alive.
    private final class Counts: Sendable {
        let made = Atomic(0)
        let alive = Atomic(0)

        final class Token: Sendable {
            let counts: Counts
            init(_ counts: Counts) {
                self.counts = counts
                counts.made.add(1, ordering: .relaxed)
                counts.alive.add(1, ordering: .relaxed)
            }
            deinit { counts.alive.subtract(1, ordering: .relaxed) }
        }

        func values() -> [Int] { [made.load(ordering: .relaxed), alive.load(ordering: .relaxed)] }
    }

    private func installCounting() throws -> Counts {
        let counts = Counts()
        let target = LinkTarget("t") { Counts.Token(counts) }
        try mediator.install([
            target.action("a") { token, _ in token.counts.made.load(ordering: .relaxed) }
        ])
        return counts
    }

    @Test("A target's state is cached if a call requests caching, and is reused until it is released")
    func caching() throws {
        let counts = try installCounting()
        func call(caching: Bool) throws -> Int {
            try mediator.performTarget("t", action: "a", shouldCacheTarget: caching, as: Int.self)
        }
        #expect(try call(caching: false) == 1)
        #expect(counts.values() == [1, 0])
        #expect(try call(caching: true) == 2)
        #expect(try call(caching: false) == 2)
        #expect(counts.values() == [2, 1])
        #expect(mediator.releaseCachedTarget("t"))
        #expect(!mediator.releaseCachedTarget("t"))
        #expect(counts.values() == [2, 0])
        #expect(try call(caching: true) == 3)
        #expect(mediator.remove(target: "t"))
        #expect(counts.values() == [3, 0])
    }

    @Test("If a target is removed while a call creates its state, the call uses the state without caching it")
    func removedWhileMade() throws {
        let mediator = mediator
        let target = LinkTarget("t") { mediator.remove(target: "t") }
        try mediator.install([target.action("a") { _, _ in 1 }])
        #expect(try mediator.performTarget("t", action: "a", shouldCacheTarget: true) as? Int == 1)
        #expect(!mediator.releaseCachedTarget("t"))
    }

    @Test("If two overlapping calls create a target's state, both use the state that is cached first")
    func keptWhileMade() throws {
        let mediator = mediator
        let counts = Counts()
        let target = LinkTarget("t") {
            let number = counts.made.add(1, ordering: .relaxed).newValue
            if number == 1 { _ = try? mediator.performTarget("t", action: "a", shouldCacheTarget: true) }
            return number
        }
        try mediator.install([target.action("a") { number, _ in number }])
        #expect(try mediator.performTarget("t", action: "a", shouldCacheTarget: true) as? Int == 2)
        #expect(try mediator.performTarget("t", action: "a") as? Int == 2)
    }

    @Test("allActions sorts the actions, marks remote and async actions, and creates no state")
    func listing() throws {
        let counts = Counts()
        let target = LinkTarget("a") { Counts.Token(counts) }
        try mediator.install([
            .action("b", "y") { _ in 1 },
            .action("b", "x", from: .outside) { _ in 1 },
            .action("b", "z") { _ in
                await Task.yield()
                return 1
            },
            target.action("m") { _, _ in 1 },
        ])
        let lines = mediator.allActions().map { "\($0.target).\($0.action) \($0.isAsync) \($0.isRemote)" }
        #expect(counts.values() == [0, 0])
        #expect(lines == ["a.m false false", "b.x false true", "b.y false false", "b.z true false"])
    }

    @Test("The deinitialiser of an object that a removed target held may call the mediator")
    func deinitCallsBack() throws {
        final class Talkative: Sendable {
            let mediator: Mediator
            init(_ mediator: Mediator) { self.mediator = mediator }
            deinit { mediator.releaseCachedTarget("other") }
        }
        let mediator = Mediator()
        for name in ["removed", "released"] {
            let target = LinkTarget(name) { Talkative(mediator) }
            try mediator.install([target.action("a") { object, _ in object.mediator === mediator }])
            #expect(try mediator.performTarget(name, action: "a", shouldCacheTarget: true) as? Bool == true)
        }
        mediator.releaseCachedTarget("released")
        mediator.remove(target: "removed")
    }
}
