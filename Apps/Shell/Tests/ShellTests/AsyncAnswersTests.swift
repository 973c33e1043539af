import ApiCenter
import AppModules
import Launch
import Lifecycle
import Links
import Storage
import Testing

@testable import Demo

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// A page that is isolated to the main actor.
@MainActor private final class Page {
    func visit(_ visitor: String) throws -> String {
        if visitor.isEmpty { throw NoVisitor() }
        return "Hello, \(visitor)."
    }
}

private struct NoVisitor: Error {}

private struct PageModule: Module, LinkAnswering {
    let version = "1.0.0"
    let page: Page

    func register(in center: ApiCenter) {}

    func links(in center: ApiCenter) -> [Link] {
        [
            .route("page/:visitor", from: .outside, on: MainActor.shared) { [page] in
                try page.visit($0["visitor"] as? String ?? "")
            },
            .action("page", "visit", from: .outside) { [page] in
                try await page.visit($0["visitor"] as? String ?? "")
            },
        ]
    }
}

@Suite("Links that are async or on the main actor")
struct AsyncAnswersTests {
    @Test("Async and main-actor links are installed, and the diary records their calls and errors")
    func links() async throws {
        let day = try SampleDay()
        let services = AppServices(storage: .inMemory(), client: day.client, key: day.key).untimed
        let app = try ModularApp(day.watching([PageModule(page: Page())]), on: services)
        await app.launch()
        day.diary.observe(services.links)
        day.diary.begin("Two visits", isStep: true)
        let route = await services.routes.openUrl("app://page/Li").value
        #expect(route as? String == "Hello, Li.")
        await #expect(throws: NoVisitor.self) {
            try await services.mediator.openUrl("app://page/visit")
        }
        let step = try #require(day.diary.steps.first)
        let calls = step.calls.map { [$0.way.rawValue, $0.callee, $0.name, $0.error] }
        #expect(
            calls == [
                ["route", "ShellTests", "page/:visitor", nil],
                ["action", "ShellTests", "page/visit", "NoVisitor"],
            ])
    }
}
#endif
