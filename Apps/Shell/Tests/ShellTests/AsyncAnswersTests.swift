import ApiCenter
import AppModules
import Lifecycle
import Mediator
import Routes
import Storage
import Testing

@testable import Demo

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
    private func launch(_ page: Page) async throws -> (app: ModularApp, diary: Diary) {
        let day = try SampleDay()
        let app = try await ModularApp.launch(
            day.watching([PageModule(page: page)]),
            on: AppServices(storage: .inMemory(), client: day.client))
        return (app, day.diary)
    }

    @Test("Async offers and offers on the main actor can be called from outside the app")
    func installed() async throws {
        let page = Page()
        let (app, _) = try await launch(page)
        #expect(await app.services.routes.openUrl("app://page/Li").value as? String == "Hello, Li.")
        let mediator = app.services.mediator
        #expect(try await mediator.openUrl("app://page/visit?visitor=Han") as? String == "Hello, Han.")
        #expect(try await mediator.performTarget("page", action: "isOpen", as: Bool.self))
        #expect(await page.visits == ["Li", "Han"])
    }

    @Test("The diary records asynchronous calls and their errors")
    func noted() async throws {
        let (app, diary) = try await launch(Page())
        await diary.step("A visit") {
            _ = await app.services.routes.openUrl("app://page/Li")
            _ = try? await app.services.mediator.openUrl("app://page/visit")
        }
        let calls = diary.steps.flatMap(\.entries).compactMap { entry in
            if case .call(let call) = entry { call } else { nil }
        }
        #expect(calls.map(\.name) == ["page/:visitor", "page/visit"])
        #expect(calls.map(\.way) == [.route, .action])
        #expect(calls.map(\.callee) == ["Page", "Page"])
        #expect(calls.map(\.error) == [nil, "NoVisitor()"])
    }
}
#endif
