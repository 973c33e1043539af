import APIServiceTesting
import AppModules
import Lifecycle
import Storage
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The routes that the modules offer")
struct OfferedRouteTests {
    @Test("Every offered route is a constant of an Api, so that a call reports the absence of its module")
    func declared() async throws {
        let client = StubAPIClient { _ in .text("") }
        let app = try await ModularApp.launch(on: AppServices(storage: .inMemory(), client: client))
        let declared = Set(Registrations.routes.values.joined())
        for module in app.host.modules {
            for case .route(let pattern) in module.offers(in: app.center).map(\.name) {
                #expect(declared.contains(pattern), "\(module.name) offers \(pattern)")
            }
        }
    }
}
#endif
