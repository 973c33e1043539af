import ApiCenter
import AppModules
import Demo
import Foundation
import Lifecycle
import Links
import Mediator
import Routes
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Answers links, and records the events and the calls in order.
private struct LinkedModule: Module, LinkAnswering {
    let version = "1.0.0"
    let heard: Shared<[String]>
    var failsToPrepare = false

    func register(in center: ApiCenter) {}

    func prepare(in center: ApiCenter) async throws {
        if failsToPrepare { throw CocoaError(.fileReadNoSuchFile) }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        if case .openURL = event { heard.update { $0.append("\(event)") } }
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

private struct Denied: Error {}

@Suite("Links that the system hands to the app")
struct AppLinkTests {
    private let heard = Shared<[String]>([])

    private func launch(failsToPrepare: Bool = false) async throws -> ModularApp {
        try await ModularApp.launch(
            [LinkedModule(heard: heard, failsToPrepare: failsToPrepare)],
            on: AppServices(storage: .inMemory(), client: SampleDay().client).untimed)
    }

    @Test("The event openURL tells the modules, and then opens the link's page")
    func event() async throws {
        let app = try await launch()
        #expect(await app.send(.openURL("app://page_vc/7")) == [])
        #expect(heard.value == ["openURL(app://page_vc/7)", "route"])
        #expect(await app.send(.openURL("app://none")).count == 1)
    }

    @Test(
        "open returns the page of a route, or the value of an action if no route matches, as a string or a URL"
    )
    func opened() async throws {
        let app = try await launch()
        #expect(await app.open("app://PAGE_VC/7").value as? String == "page 7")
        let url = try #require(URL(string: "app://shop/open"))
        #expect(await app.open(url, options: ["from": "mail"]).value as? String == "mail")
        #expect(heard.value.suffix(2) == ["openURL(app://shop/open)", "action"])
    }

    @Test("open says why a link was refused")
    func refused() async throws {
        let app = try await launch()
        func reason(_ url: String) async -> RouteError.Reason? {
            await (app.open(url).error as? RouteError)?.reason
        }
        #expect(await reason("app://inner_vc") == .localOnly)
        #expect(await reason("app://none") == .noMatch)
        #expect(await reason("app://shop/none") == .noMatch)
        #expect(await reason("app://outer_vc") == .handlerFailed)
        let similar = await app.open("app://shop/Open").error as? MediatorError
        #expect(similar?.similar == "open")
    }

    @Test("A module that fails to prepare is reported and answers no links")
    func leftOut() async throws {
        let app = try await launch(failsToPrepare: true)
        #expect(app.failures.first?.hasPrefix("Linked failed at prepare: ") == true)
        #expect(app.services.routes.allRoutes().allSatisfy { $0.site.module != "ShellTests" })
        #expect(await app.open("app://page_vc/7").value == nil)
        #expect(heard.value == [])
    }
}
#endif
