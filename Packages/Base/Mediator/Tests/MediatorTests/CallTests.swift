import Mediator
import Offers
import Testing

@Suite("Local calls through the mediator") struct CallTests {
    private let mediator = Mediator()

    /// The error that a call throws, or nil.
    private func refusal(_ call: () throws -> (any Sendable)?) -> MediatorError? {
        do {
            _ = try call()
            return nil
        } catch {
            return error as? MediatorError
        }
    }

    @Test("An action gets its parameters unchanged, including closures, and returns any value or nil")
    func values() throws {
        try mediator.install([
            .action("t", "apply") { params in
                let double = params["double"] as? @Sendable (Int) -> Int
                return (params["bytes"] as? [UInt8])?.map { double?(Int($0)) ?? 0 }
            },
            .action("t", "nothing") { _ in nil },
        ])
        let double: @Sendable (Int) -> Int = { $0 * 2 }
        let result = try mediator.performTarget(
            "t", action: "apply", params: ["double": double, "bytes": [UInt8(4)]])
        #expect(result as? [Int] == [8])
        #expect(try mediator.performTarget("t", action: "nothing") == nil)
    }

    @Test("A missing target and a missing action throw different errors, which contain the missing names")
    func notFound() throws {
        try mediator.install([.action("t", "a") { _ in 1 }])
        let target = refusal { try mediator.performTarget("x", action: "a") }
        #expect(target?.code == .targetNotFound)
        #expect(target?.target == "x")
        let action = refusal { try mediator.performTarget("t", action: "b") }
        #expect(action?.code == .actionNotFound)
        #expect(action?.action == "b")
        #expect(
            action?.description
                == "target \"t\", action \"b\": the target has no such action. The module may be older than the "
                + "caller, or the name may be misspelt. Correct the name, or give the target an action named "
                + "\"notFound\"."
        )
    }

    @Test("A target's notFound action takes precedence over the not-found handler")
    func notFoundHandlers() throws {
        try mediator.install([
            .action("own", "notFound") { params in
                [params["@target"], params["@action"], params["x"]].map { "\($0 ?? "")" }
            },
            .action("plain", "a") { _ in 1 },
        ])
        mediator.setNotFound { call, error in
            "\(error.code) \(call.target).\(call.action) \(call.params) \(call.isRemote)"
        }
        #expect(
            try mediator.performTarget("own", action: "b", params: ["x": 5]) as? [String] == [
                "own", "b", "5",
            ])
        #expect(
            try mediator.performTarget("plain", action: "b", params: ["x": 5]) as? String
                == "actionNotFound plain.b [\"x\": 5] false")
        #expect(
            try mediator.performTarget("none", action: "b") as? String == "targetNotFound none.b [:] false")
        mediator.setNotFound(nil)
        #expect(refusal { try mediator.performTarget("none", action: "b") }?.code == .targetNotFound)
    }

    @Test("The error for a bad parameter contains the target, action, key, value and expected type")
    func badParameter() throws {
        try mediator.install([
            .action("ride", "open") { params in try Parameters(params).required("line", as: Int.self) },
            .action("ride", "decode") { params in try Parameters(params).decode(Int.self) },
        ])
        let error = refusal { try mediator.performTarget("ride", action: "open", params: ["line": "x"]) }
        #expect(error?.code == .badParameter)
        #expect([error?.target, error?.action, error?.key] == ["ride", "open", "line"])
        #expect([error?.found, error?.expected] == ["the text \"x\"", "Int"])
        let missing = refusal { try mediator.performTarget("ride", action: "open") }
        #expect([missing?.found, missing?.expected] == [nil, "Int"])
        #expect(missing?.description.contains("the parameter \"line\" is missing, expected Int.") == true)
        let all = refusal { try mediator.performTarget("ride", action: "decode") }
        #expect(all?.description.contains("the set of parameters is a value of type") == true)
    }

    @Test("Errors of an action other than ParameterError are rethrown unchanged")
    func actionErrors() throws {
        struct Broken: Error, Equatable {}
        try mediator.install([.action("t", "a") { _ in throw Broken() }])
        #expect(throws: Broken()) { try mediator.performTarget("t", action: "a") }
    }

    @Test("A typed call casts the result, or throws an error that names the actual type")
    func typedResults() throws {
        try mediator.install([.action("t", "a") { _ in 1 }, .action("t", "none") { _ in nil }])
        #expect(try mediator.performTarget("t", action: "a", as: Int.self) == 1)
        #expect(try mediator.performTarget("t", action: "none", as: Int?.self) == nil)
        let wrong = refusal { try mediator.performTarget("t", action: "a", as: String.self) }
        #expect(wrong?.code == .unexpectedResult)
        #expect([wrong?.found, wrong?.expected] == ["Int", "String"])
        #expect(refusal { try mediator.performTarget("t", action: "none", as: Int.self) }?.found == "nil")
    }

    @Test("Async actions require await; calls without await throw needsAwait")
    func asyncActions() async throws {
        let made = OfferedTarget("made") { "x" }
        try mediator.install([
            .action("t", "sync") { _ in 1 },
            .action("t", "slow") { _ in
                await Task.yield()
                return 2
            },
            made.action("slow") { key, params in
                await Task.yield()
                return try Parameters(params).required(key, as: Int.self)
            },
        ])
        #expect(try await mediator.performTarget("t", action: "sync", as: Int.self) == 1)
        #expect(try await mediator.performTarget("t", action: "slow", as: Int.self) == 2)
        #expect(refusal { try mediator.performTarget("t", action: "slow") }?.code == .needsAwait)
        let error = await #expect(throws: MediatorError.self) {
            try await mediator.performTarget("made", action: "slow")
        }
        #expect(error?.key == "x")
    }

    @MainActor @Test("A call with await from the main actor runs a synchronous action on the main actor")
    func mainActor() async throws {
        try mediator.install([.action("t", "page") { _ in MainActor.assumeIsolated { "page" } }])
        #expect(try await mediator.performTarget("t", action: "page", as: String.self) == "page")
    }

    @MainActor @Test("On the main actor, a main-actor action returns its page immediately")
    func page() throws {
        try mediator.install(pages)
        #expect(try mediator.performTarget("page", action: "show", as: PageVC.self).title == "shown")
        #expect(try mediator.openUrl("app://page/show") is PageVC)
    }

    @Test("Off the main actor, main-actor actions require await; calls without await throw needsMainActor")
    func pageElsewhere() async throws {
        try mediator.install(pages)
        let page = try await mediator.performTarget("page", action: "show", as: PageVC.self)
        #expect(await page.title == "shown")
        #expect(
            refusal { try mediator.performTarget("page", action: "show") }?.description
                == "target \"page\", action \"show\": the action runs on the main actor. Without `await`, only "
                + "main-actor code can call it. Call it with `try await`, or from @MainActor code.")
    }

    private var pages: [Offer] {
        [.action("page", "show", from: .outside, on: MainActor.shared) { _ in PageVC(title: "shown") }]
    }

    @Test("Actions may call, install and remove targets, even their own target")
    func reentrancy() throws {
        let mediator = mediator
        try mediator.install([
            .action("t", "outer") { _ in
                try mediator.install([.action("late", "a") { _ in "late" }])
                mediator.remove(target: "t")
                return try mediator.performTarget("late", action: "a")
            }
        ])
        #expect(try mediator.performTarget("t", action: "outer") as? String == "late")
        #expect(refusal { try mediator.performTarget("t", action: "outer") }?.code == .targetNotFound)
    }
}

/// A page that is isolated to the main actor, like a view controller.
@MainActor private final class PageVC {
    private(set) var title: String
    init(title: String) { self.title = title }
}
