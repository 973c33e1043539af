import ApiCenter
import AppModules
import Demo
import Foundation
import Launch
import Lifecycle
import Links
import Mediator
import Routes
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Answers links, and records the calls.
private struct LinkedModule: Module, LinkAnswering {
    let version = "1.0.0"
    let heard: Shared<[String]>
    var failsToPrepare = false

    func register(in center: ApiCenter) {}

    func prepare(in center: ApiCenter) async throws {
        if failsToPrepare { throw CocoaError(.fileReadNoSuchFile) }
    }

    func links(in center: ApiCenter) -> [Link] {
        [
            .route("page_vc/:id", from: .outside) { [heard] parameters in
                heard.update { $0.append("route") }
                return "page \(parameters.param("id", ""))"
            },
            .route("inner_vc") { _ in "inner" },
            .route("outer_vc", from: .outside) { _ in throw Denied() },
            .action("shop", "open", from: .outside) { [heard] parameters in
                heard.update { $0.append("action") }
                return (parameters["@options"] as? [String: any Sendable])?["from"]
            },
        ]
    }
}

/// A module with one action of its own, and one route that collides with those of `LinkedModule`.
private struct CollidingModule: Module, LinkAnswering {
    let version = "1.0.0"

    func register(in center: ApiCenter) { center.register(Int.self) { 1 } }

    func links(in center: ApiCenter) -> [Link] {
        [
            .action("colliding", "open", from: .outside) { _ in "opened" },
            .route("page_vc/:name") { _ in nil },
        ]
    }
}

private struct Denied: Error {}

@Suite("Links that the system hands to the sample app")
struct AppLinkTests {
    private let heard = Shared<[String]>([])
    private let services: AppServices

    init() throws {
        services = AppServices(storage: .inMemory(), client: try SampleDay().client).untimed
    }

    private func app(failsToPrepare: Bool = false) throws -> ModularApp {
        try ModularApp([LinkedModule(heard: heard, failsToPrepare: failsToPrepare)], on: services)
    }

    @Test("A link calls a route, or an action if no route matches, as a string or a URL")
    func opened() async throws {
        let app = try app()
        #expect(try await app.open("app://PAGE_VC/7").value as? String == "page 7")
        let url = try #require(URL(string: "app://shop/open"))
        #expect(try await app.open(url, options: ["from": "mail"]).value as? String == "mail")
        #expect(heard.value == ["route", "action"])
    }

    @Test("A refused link says why")
    func refused() async throws {
        let app = try app()
        func error(_ url: String) async -> (any Error)? {
            do {
                _ = try await app.open(url).value
                return nil
            } catch {
                return error
            }
        }
        #expect(await (error("app://inner_vc") as? RouteError)?.reason == .localOnly)
        #expect(await (error("app://none") as? RouteError)?.reason == .noMatch)
        #expect(await (error("app://shop/none") as? RouteError)?.reason == .noMatch)
        #expect(await (error("app://outer_vc") as? RouteError)?.reason == .handlerFailed)
        #expect(await (error("app://shop/Open") as? MediatorError)?.similar == "open")
    }

    @Test("A module that fails to prepare is reported and answers no links")
    func leftOut() async throws {
        let app = try app(failsToPrepare: true)
        let launch = await app.launch()
        #expect(launch.failureLines.first?.hasPrefix("Linked failed at prepare: ") == true)
        #expect(services.routes.allRoutes().allSatisfy { $0.site.module != "ShellTests" })
        await #expect(throws: (any Error).self) { try await app.open("app://page_vc/7").value }
        #expect(heard.value == [])
    }

    @Test("A module whose route collides is left out with all its links, and the other module answers")
    func collision() async throws {
        let app = try ModularApp([LinkedModule(heard: heard), CollidingModule()], on: services)
        let launch = await app.launch()
        #expect(launch.failure(of: "Colliding")?.hasPrefix("Colliding failed at links: ") == true)
        #expect(launch.failureLines.count == 1)
        #expect(services.mediator.allActions().map(\.name.target) == ["shop"])
        #expect(app.center.api(type: Int.self) == nil)
        #expect(try await app.open("app://page_vc/7").value as? String == "page 7")
    }
}
#endif
