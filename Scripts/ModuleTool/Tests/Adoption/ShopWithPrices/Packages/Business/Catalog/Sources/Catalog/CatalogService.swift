import APIService
import ApiCenter
import CatalogApi

/// Catalog's IMP: one object, shared by all callers.
final class CatalogService: CatalogApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) { self.center = center }

    func prices(of products: [String]) async throws(CatalogApiError) -> [String: Int] {
        guard let network = center?.api(type: APIService.self) else {
            throw .unavailable("There is no network.")
        }
        do {
            var prices: [String: Int] = [:]
            for product in products {
                prices[product] = try await network.sendRequest(PriceRequest(product: product)).cents
            }
            return prices
        } catch { throw .unavailable("\(error)") }
    }
}

struct Price: APIDefaultJSONParsable {
    let cents: Int
}

struct PriceRequest: APIRequest {
    typealias Response = Price
    let product: String
    var path: String { "/price" }
    var parameters: APIParameters? { ["product": .init(product)] }
}
