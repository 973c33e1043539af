import APIService
import ApiCenter
import CatalogApi

/// Catalog's IMP: one object, shared by all callers.
final class CatalogService: CatalogApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) { self.center = center }

    func price(of product: String) async throws(CatalogApiError) -> Int {
        guard let network = center?.api(type: APIService.self) else {
            throw .unavailable("There is no network.")
        }
        do {
            return try await network.sendRequest(PriceRequest(product: product)).cents
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
