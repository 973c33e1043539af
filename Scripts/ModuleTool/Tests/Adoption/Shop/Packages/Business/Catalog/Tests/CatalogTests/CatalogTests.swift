import APIService
import APIServiceTesting
import ApiCenter
import Catalog
import CatalogApi
import Foundation
import Testing

@Suite("Catalog")
struct CatalogTests {
    @Test("Catalog asks the server for the price")
    func price() async throws {
        let server = StubAPIClient { _ in .json(#"{"cents": 250}"#) }
        let settings = APIConfig.forTests { $0.baseURL = URL(string: "https://shop.example") }
        let network = APIService(client: server, config: settings)
        let center = ApiCenter()
        center.register(APIService.self) { network }
        CatalogModule().register(in: center)
        let catalog = try center.requireApi(type: CatalogApiProtocol.self)
        #expect(try await catalog.price(of: "Tea") == 250)
        #expect(server.requests.map(\.url?.absoluteString) == ["https://shop.example/price?product=Tea"])
    }

    @Test("A server that fails is an error of the Api")
    func failure() async throws {
        let server = StubAPIClient { _ in .text("", statusCode: 503) }
        let network = APIService(client: server, config: .forTests())
        let center = ApiCenter()
        center.register(APIService.self) { network }
        CatalogModule().register(in: center)
        let catalog = try center.requireApi(type: CatalogApiProtocol.self)
        await #expect(throws: CatalogApiError.self) { try await catalog.price(of: "Tea") }
    }
}
