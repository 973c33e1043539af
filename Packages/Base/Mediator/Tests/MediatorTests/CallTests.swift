import Links
import Mediator
import TestSupport
import Testing

@Suite("Local calls through the mediator", .waitLimit) struct CallTests {
    private let mediator = Mediator()

    @Test("An action gets its parameters unchanged, including closures, and returns any value or nil")
    func values() throws {
        try mediator.install([
            .action("t", "apply") { params in
                let double = params["double"] as? @Sendable (Int) -> Int
                return params.param("bytes", as: [UInt8].self)?.map { double?(Int($0)) ?? 0 }
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
        #expect(target?.reason == .targetNotFound)
        #expect(target?.target == "x")
        let action = refusal { try mediator.performTarget("t", action: "b") }
        #expect(action?.reason == .actionNotFound)
        #expect(action?.action == "b")
        #expect(
            action?.description
                == "target \"t\", action \"b\": the target has no such action, and no action named \"notFound\". The "
                + "module may be missing from this app, or the name may be misspelt. Correct the name, install the "
                + "module's links, or set a handler with setNotFound."
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
            "\(error.reason) \(call.requested) \(call.parameters.values) \(call.origin)"
        }
        #expect(
            try mediator.performTarget("own", action: "b", params: ["x": 5]) as? [String] == [
                "own", "b", "5",
            ])
        #expect(
            try mediator.performTarget("plain", action: "b", params: ["x": 5]) as? String
                == "actionNotFound plain/b [\"x\": 5] inside")
        #expect(
            try mediator.performTarget("none", action: "b") as? String == "targetNotFound none/b [:] inside")
        mediator.setNotFound(nil)
    }

    @Test("The error for a bad parameter contains the target, action, key, value and expected type")
    func badParameter() throws {
        try mediator.install([
            .action("ride", "open") { params in try params.required("line", as: Int.self) }
        ])
        let error = refusal { try mediator.performTarget("ride", action: "open", params: ["line": "x"]) }
        let found = ParameterError(key: "line", expected: "Int", found: "the text \"x\"")
        #expect(error?.reason == .badParameter(found))
        #expect([error?.target, error?.action] == ["ride", "open"])
        let missing = refusal { try mediator.performTarget("ride", action: "open") }
        #expect(
            missing?.description.hasPrefix(
                "target \"ride\", action \"open\": the parameter \"line\" is missing, expected Int.") == true)
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
        #expect(wrong?.reason == .unexpectedResult(expected: "String", found: "Int"))
        let none = refusal { try mediator.performTarget("t", action: "none", as: Int.self) }
        #expect(none?.reason == .unexpectedResult(expected: "Int", found: "nil"))
    }

    @Test(
        "Async actions require await, in calls from inside and outside; calls without await throw needsAwait")
    func asyncActions() async throws {
        let made = LinkTarget("made") { "x" }
        try mediator.install([
            .action("t", "sync") { _ in 1 },
            .action("t", "slow", from: .outside) { params in
                await Task.yield()
                return params.param("x", 2)
            },
            made.action("slow") { key, params in
                await Task.yield()
                return try params.required(key, as: Int.self)
            },
        ])
        #expect(try await mediator.performTarget("t", action: "sync", as: Int.self) == 1)
        #expect(try await mediator.performTarget("t", action: "slow", as: Int.self) == 2)
        #expect(try await mediator.openUrl("app://t/slow?x=3") as? Int == 3)
        #expect(refusal { try mediator.performTarget("t", action: "slow") }?.reason == .needsAwait)
        let error = await #expect(throws: MediatorError.self) {
            try await mediator.performTarget("made", action: "slow")
        }
        let missing = ParameterError(key: "x", expected: "Int", found: nil)
        #expect(error?.reason == .badParameter(missing))
    }

    @Test(
        "Off the main actor, a main-actor action requires await; on it, the action returns its page immediately"
    )
    func page() async throws {
        try mediator.install([.action("page", "show", on: MainActor.shared) { _ in PageVC(title: "shown") }])
        let page = try await mediator.performTarget("page", action: "show", as: PageVC.self)
        #expect(await page.title == "shown")
        let error = refusal { try mediator.performTarget("page", action: "show") }
        #expect(error?.reason == .needsMainActor)
        let now = { @MainActor [mediator] () throws in
            try mediator.performTarget("page", action: "show", as: PageVC.self).title
        }
        #expect(try await now() == "shown")
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
        #expect(refusal { try mediator.performTarget("t", action: "outer") }?.reason == .targetNotFound)
    }
}

/// The error that a call throws, or nil.
func refusal(_ call: () throws -> (any Sendable)?) -> MediatorError? {
    do {
        _ = try call()
        return nil
    } catch {
        return error as? MediatorError
    }
}

/// A page that is isolated to the main actor, like a view controller.
@MainActor private final class PageVC {
    private(set) var title: String
    init(title: String) { self.title = title }
}
