import APIService
import TransitRequests

/// A passenger's wallet, as the operator's server sends it.
struct WalletAnswer: Decodable, Sendable {
    let selected: String?
    let balance: Int
}

/// Requests the wallet of the passenger to whom the request's token belongs.
struct WalletRequest: TransitRequest {
    typealias Payload = WalletAnswer
    let path = "/wallet"
    let requiredUser: String?
}

/// Selects a payment method.
struct SelectionRequest: TransitRequest {
    typealias Payload = WalletAnswer
    let path = "/wallet/selected"
    let method = APIRequestMethod.post
    let encoding: any APIParameterEncoding = APIJSONEncoding.default
    let parameters: APIParameters?
    let requiredUser: String?

    init(_ id: String, for passenger: String) {
        (parameters, requiredUser) = (["id": .init(id)], passenger)
    }
}
