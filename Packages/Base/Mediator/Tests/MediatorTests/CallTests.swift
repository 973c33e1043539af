import Mediator
import Testing

@Suite("Local calls of the mediator") struct CallTests {
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
        try mediator.install(actions: [
            "t": [
                "apply": { params in
                    let double = params["double"] as? @Sendable (Int) -> Int
                    return (params["bytes"] as? [UInt8])?.map { double?(Int($0)) ?? 0 }
                },
                "nothing": { _ in nil },
            ]
        ])
        let double: @Sendable (Int) -> Int = { $0 * 2 }
        let result = try mediator.performTarget(
            "t", action: "apply", params: ["double": double, "bytes": [UInt8(4)]])
        #expect(result as? [Int] == [8])
        #expect(try mediator.performTarget("t", action: "nothing") == nil)
    }

    @Test("A missing target and a missing action throw different errors, which contain the missing names")
    func notFound() throws {
        try mediator.install(actions: ["t": ["a": { _ in 1 }]])
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
        try mediator.install(actions: [
            "own": [
                "notFound": { params in
                    [params["@target"], params["@action"], params["x"]].map { "\($0 ?? "")" }
                }
            ],
            "plain": ["a": { _ in 1 }],
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

    @Test("The error for a wrong parameter names the target, action, key, expected type and value")
    func badParameter() throws {
        try mediator.install(actions: [
            "ride": ["open": { params in try Parameters(params).required("line", as: Int.self) }]
        ])
        let error = refusal { try mediator.performTarget("ride", action: "open", params: ["line": "x"]) }
        #expect(error?.code == .badParameter)
        #expect([error?.target, error?.action, error?.key] == ["ride", "open", "line"])
        #expect(error?.detail == "the text \"x\", expected Int")
        let missing = refusal { try mediator.performTarget("ride", action: "open") }
        #expect(missing?.detail == "missing, expected Int")
    }

    @Test("Errors of an action other than ParameterError are rethrown unchanged")
    func actionErrors() throws {
        struct Broken: Error, Equatable {}
        try mediator.install(actions: ["t": ["a": { _ in throw Broken() }]])
        #expect(throws: Broken()) { try mediator.performTarget("t", action: "a") }
    }

    @Test("A typed call casts the result, or throws an error that names the actual type")
    func typedResults() throws {
        try mediator.install(actions: ["t": ["a": { _ in 1 }, "none": { _ in nil }]])
        #expect(try mediator.performTarget("t", action: "a", returning: Int.self) == 1)
        #expect(try mediator.performTarget("t", action: "none", returning: Int?.self) == nil)
        let wrong = refusal { try mediator.performTarget("t", action: "a", returning: String.self) }
        #expect(wrong?.code == .unexpectedResult)
        #expect(wrong?.detail == "Int, expected String")
        #expect(
            refusal { try mediator.performTarget("t", action: "none", returning: Int.self) }?.detail
                == "nil, expected Int")
    }

    @Test("Async actions need a call with await; other calls throw needsAwait")
    func asyncActions() async throws {
        try mediator.install(
            actions: ["t": ["sync": { _ in 1 }]],
            asyncActions: [
                "t": [
                    "slow": { _ in
                        await Task.yield(); return 2
                    }
                ]
            ],
            asyncTargets: [
                "made": { ["slow": { params in try Parameters(params).required("x", as: Int.self) }] }
            ])
        #expect(try await mediator.performTarget("t", action: "sync", returning: Int.self) == 1)
        #expect(try await mediator.performTarget("t", action: "slow", returning: Int.self) == 2)
        #expect(refusal { try mediator.performTarget("t", action: "slow") }?.code == .needsAwait)
        let error = await #expect(throws: MediatorError.self) {
            try await mediator.performTarget("made", action: "slow")
        }
        #expect(error?.key == "x")
    }

    @MainActor @Test("A call with await from the main actor runs a synchronous action on the main actor")
    func mainActor() async throws {
        try mediator.install(actions: ["t": ["page": { _ in MainActor.assumeIsolated { "page" } }]])
        #expect(try await mediator.performTarget("t", action: "page", returning: String.self) == "page")
    }

    @Test("Actions may call, install and remove targets, even their own target")
    func reentrancy() throws {
        let mediator = mediator
        try mediator.install(actions: [
            "t": [
                "outer": { _ in
                    try mediator.install(actions: ["late": ["a": { _ in "late" }]])
                    mediator.remove(target: "t")
                    return try mediator.performTarget("late", action: "a")
                }
            ]
        ])
        #expect(try mediator.performTarget("t", action: "outer") as? String == "late")
        #expect(refusal { try mediator.performTarget("t", action: "outer") }?.code == .targetNotFound)
    }
}
