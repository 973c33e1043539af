import ApiCenter
import Lifecycle
import Mediator
import Routes
import Storage
import Testing

@testable import Shell

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// A page that is isolated to the main actor.
@MainActor private final class Page {
    private(set) var visits: [String] = []

    func visit(_ visitor: String) throws -> String {
        if visitor.isEmpty { throw NoVisitor() }
        visits.append(visitor)
        return "Hello, \(visitor)."
    }
}

private struct NoVisitor: Error {}

private struct PageModule: Module {
    let version = "1.0.0"
    let page: Page

    func register(in center: ApiCenter) {}

    func offers(in center: ApiCenter) -> [Offer] {
        [
            .route("page/:visitor", from: .outside, on: MainActor.shared) { [page] in
                try page.visit($0["visitor"] as? String ?? "")
            },
            .action("page", "isOpen") { _ in true },
            .action("page", "visit", from: .outside) { [page] in
                try await page.visit($0["visitor"] as? String ?? "")
            },
        ]
    }
}

@Suite("A module's offers that are async or on the main actor")
struct AsyncAnswersTests {
    private func app(_ page: Page) async throws -> App {
        let server = try OperatorServer(environment: [:])
        return try await App.start(
            [PageModule(page: page)], on: Infrastructure(storage: .inMemory(), server: server))
    }

    @Test("Async offers and offers on the main actor can be called from outside the app")
    func installed() async throws {
        let page = Page()
        let app = try await app(page)
        #expect(await app.routes.openUrl("app://page/Li").value as? String == "Hello, Li.")
        let mediator = app.infrastructure.mediator
        #expect(try await mediator.openUrl("app://page/visit?visitor=Han") as? String == "Hello, Han.")
        #expect(try await mediator.performTarget("page", action: "isOpen", as: Bool.self))
        #expect(await page.visits == ["Li", "Han"])
    }

    @Test("The diary records asynchronous calls and their errors")
    func noted() async throws {
        let app = try await app(Page())
        await app.diary.step("A visit") {
            _ = await app.routes.openUrl("app://page/Li")
            _ = try? await app.infrastructure.mediator.openUrl("app://page/visit")
        }
        let calls = app.diary.steps.flatMap(\.entries).compactMap { entry in
            if case .call(let call) = entry { call } else { nil }
        }
        #expect(calls.map(\.name) == ["page/:visitor", "page/visit"])
        #expect(calls.map(\.way) == [.route, .action])
        #expect(calls.map(\.callee) == ["Page", "Page"])
        #expect(calls.map(\.error) == [nil, "NoVisitor()"])
    }
}
#endif
