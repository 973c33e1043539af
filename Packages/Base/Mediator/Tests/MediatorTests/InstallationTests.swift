import Links
import Mediator
import TestSupport
import Testing

@Suite("Installing and caching targets") struct InstallationTests {
    private let mediator = Mediator()

    @Test("Installing a duplicate target throws an error with both locations, and installs nothing")
    func duplicates() throws {
        try mediator.install([.action("b", "x") { _ in 1 }])
        let error = #expect(throws: MediatorError.self) {
            try mediator.install([.action("a", "x") { _ in 2 }, .action("b", "y") { _ in 2 }])
        }
        #expect(
            error?.description.hasPrefix(
                "target \"b\", action \"y\": the link conflicts with another one: \"b/x\" at ") == true)
        #expect(error?.description.ranges(of: "InstallationTests.swift:").count == 2)
        #expect(mediator.allActions().map(\.name.target) == ["b"])
    }

    @Test("Names are checked before anything is installed")
    func checks() {
        func message(_ links: [Link]) -> String {
            let error = #expect(throws: MediatorError.self) {
                try mediator.install([.action("t", "a") { _ in nil }] + links)
            }
            return error?.description ?? ""
        }
        #expect(message([.action("", "a") { _ in nil }]).contains("contains an empty name"))
        #expect(message([.action("t", "") { _ in nil }]).contains("contains an empty name"))
        let twice = message([.action("t", "a") { _ in nil }])
        #expect(
            twice.hasPrefix("target \"t\", action \"a\": the link conflicts with another one: \"t/a\" at "))
        #expect(twice.ranges(of: "InstallationTests.swift:").count == 2)
        let (one, other) = (LinkTarget("u") { 1 }, LinkTarget("u") { 2 })
        #expect(
            message([one.action("x") { one, _ in one }, other.action("y") { two, _ in two }])
                .hasPrefix("target \"u\", action \"y\": the link conflicts with another one: \"u/x\" at "))
        #expect(mediator.allActions().isEmpty)
    }

    /// Counts how many tokens were created and how many are alive.
    private final class Token: Sendable {
        let counts: Shared<[Int]>

        init(_ counts: Shared<[Int]>) {
            self.counts = counts
            counts.update { $0 = [$0[0] + 1, $0[1] + 1] }
        }
        deinit { counts.update { $0[1] -= 1 } }
    }

    private func installCounting() throws -> Shared<[Int]> {
        let counts = Shared([0, 0])
        let target = LinkTarget("t") { Token(counts) }
        try mediator.install([target.action("a") { token, _ in token.counts.value[0] }])
        return counts
    }

    @Test("A target's state is cached if a call requests caching, and is reused until it is released")
    func caching() throws {
        let counts = try installCounting()
        func call(caching: Bool) throws -> Int {
            try mediator.performTarget("t", action: "a", shouldCacheTarget: caching, as: Int.self)
        }
        #expect(try call(caching: false) == 1)
        #expect(counts.value == [1, 0])
        #expect(try call(caching: true) == 2)
        #expect(try call(caching: false) == 2)
        #expect(counts.value == [2, 1])
        #expect(mediator.releaseCachedTarget("t"))
        #expect(!mediator.releaseCachedTarget("t"))
        #expect(counts.value == [2, 0])
        #expect(try call(caching: true) == 3)
        #expect(mediator.remove(target: "t"))
        #expect(counts.value == [3, 0])
    }

    @Test("A call by URL does not cache the state of its target")
    func cachingByURL() throws {
        let counts = Shared([0, 0])
        let target = LinkTarget("t") { Token(counts) }
        try mediator.install([target.action("a", from: .outside) { token, _ in token.counts.value[0] }])
        #expect(try mediator.openUrl("app://t/a") as? Int == 1)
        #expect(try mediator.openUrl("app://t/a") as? Int == 2)
        #expect(!mediator.releaseCachedTarget("t"))
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
        let (mediator, made) = (mediator, Shared(0))
        let target = LinkTarget("t") {
            made.update { $0 += 1 }
            let number = made.value
            if number == 1 { _ = try? mediator.performTarget("t", action: "a", shouldCacheTarget: true) }
            return number
        }
        try mediator.install([target.action("a") { number, _ in number }])
        #expect(try mediator.performTarget("t", action: "a", shouldCacheTarget: true) as? Int == 2)
        #expect(try mediator.performTarget("t", action: "a") as? Int == 2)
    }

    @Test("A target is removed by its exact name")
    func removing() throws {
        try mediator.install([.action("Shop", "pay") { _ in 1 }])
        #expect(!mediator.remove(target: "shop"))
        #expect(mediator.remove(target: "Shop"))
    }

    @Test("A call whose target is replaced during the guard does not get the state of the replacement")
    func replaced() throws {
        let (mediator, isFirst) = (mediator, Shared(true))
        let links = (1...2).map { number in
            LinkTarget("cart") { number }.action("state") { state, _ in state }
        }
        try mediator.install([links[0]])
        mediator.setGuard { _ in
            guard isFirst.value else { return nil }
            isFirst.update { $0 = false }
            mediator.remove(target: "cart")
            #expect(throws: Never.self) {
                try mediator.install([links[1]])
                _ = try mediator.performTarget("cart", action: "state", shouldCacheTarget: true)
            }
            return nil
        }
        #expect(try mediator.performTarget("cart", action: "state", shouldCacheTarget: true) as? Int == 1)
        #expect(try mediator.performTarget("cart", action: "state") as? Int == 2)
    }

    @Test("allActions sorts the actions, marks the remote ones, leaves out routes, and creates no state")
    func listing() throws {
        let counts = try installCounting()
        try mediator.install([
            .action("b", "y") { _ in 1 }, .action("b", "x", from: .outside) { _ in 1 },
            .route("r") { _ in 1 },
        ])
        let lines = mediator.allActions().map { "\($0.name) \($0.callers)" }
        #expect(counts.value == [0, 0])
        #expect(lines == ["b/x outside", "b/y inside", "t/a inside"])
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
