import ApiCenter
import Lifecycle
import Mediator
import Routes
import Storage
import Testing

@testable import Shell

/// A page, which only the main actor may make.
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
    let remoteRoutes: Set = ["page/:visitor"]
    let remoteActions: [String: Set] = ["page": ["visit"]]

    func register(in center: ApiCenter) {}

    func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] {
        ["page/:visitor": visit]
    }

    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] {
        ["page": ["isOpen": { _ in true }]]
    }

    func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] {
        ["page": ["visit": visit]]
    }

    private var visit: AsyncRouteHandler {
        { @MainActor [page] in try page.visit($0["visitor"] as? String ?? "") }
    }
}

@Suite("What a module answers in its own time")
struct AsyncAnswersTests {
    private func app(_ page: Page) async throws -> App {
        let server = try OperatorServer(environment: [:])
        return try await App.start(
            [PageModule(page: page)], on: Infrastructure(storage: .inMemory(), server: server))
    }

    @Test("is installed with the rest, for calls with await, from outside too")
    func installed() async throws {
        let page = Page()
        let app = try await app(page)
        #expect(await app.routes.open("app://page/Li").value as? String == "Hello, Li.")
        let mediator = app.infrastructure.mediator
        #expect(try await mediator.openUrl("app://page/visit?visitor=Han") as? String == "Hello, Han.")
        #expect(try await mediator.performTarget("page", action: "isOpen", returning: Bool.self))
        #expect(await page.visits == ["Li", "Han"])
    }

    @Test("is noted on the day as any other call, and so is what it throws")
    func noted() async throws {
        let app = try await app(Page())
        await app.diary.step("A visit") {
            _ = await app.routes.open("app://page/Li")
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
