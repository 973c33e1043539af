import Links
import Mediator
import TestSupport
import Testing

@Suite("Observing calls of a mediator", .waitLimit) struct ObserverTests {
    private let mediator = Mediator()
    private let heard = Shared<[String]>([])
    private let observation: LinkObservation

    init() throws {
        let (mediator, heard) = (mediator, heard)
        try mediator.install([
            .action("t", "a", from: .outside) { _ in heard.update { $0.append("handler") } },
            .action("t", "slow") { _ in
                await Task.yield()
                heard.update { $0.append("handler") }
                return nil
            },
            .action("t", "broken") { try $0.required("x", as: Int.self) },
        ])
        observation = mediator.table.addObserver { call in
            #expect(call.caller.fileID == "MediatorTests/ObserverTests.swift")
            let line = "\(call.requested) \(call.link as Any) \(call.module ?? "-") \(call.origin)"
            heard.update { $0.append(line) }
            return { error in
                heard.update { $0.append(error.map { "failed \($0 is MediatorError)" } ?? "end") }
            }
        }
    }

    @Test("The observer hears who calls which action, before the action runs and when it has ended")
    func success() async throws {
        // An action may pass the parameters of a remote call on.
        try await mediator.performTarget("t", action: "a", params: ["@url": "app://b/c"])
        try await mediator.performTarget("t", action: "slow")
        mediator.table.removeObserver(observation)
        try await mediator.performTarget("t", action: "a")
        #expect(
            heard.value == [
                "t/a Optional(t/a) MediatorTests inside", "handler", "end",
                "t/slow Optional(t/slow) MediatorTests inside", "handler", "end", "handler",
            ])
    }

    @Test(
        "The observer hears of calls that are refused, fail or find nothing, with the error that the caller gets"
    )
    func failures() async throws {
        mediator.setGuard { call in call.origin == .outside ? "closed" : nil }
        for url in ["app://t/a?x=1", "app://t/slow", "app://T/none", "app://none/a", "none", "app://t/%"] {
            #expect(throws: MediatorError.self) { try mediator.openUrl(url) }
        }
        #expect(throws: MediatorError.self) {
            try mediator.performTarget("t", action: "broken", as: Int.self)
        }
        #expect(
            heard.value.filter { !$0.hasPrefix("failed true") } == [
                "app://t/a?x=1 Optional(t/a) MediatorTests outside",
                "app://t/slow Optional(t/slow) MediatorTests outside", "app://T/none nil - outside",
                "app://none/a nil - outside", "none nil - outside", "app://t/% nil - outside",
                "t/broken Optional(t/broken) MediatorTests inside",
            ])
        #expect(heard.value.count == 14)
    }
}
