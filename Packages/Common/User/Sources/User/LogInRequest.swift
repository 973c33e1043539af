import APIService
import TransitRequests

/// Exchanges a phone number and a password for a session.
struct LogInRequest: TransitRequest {
    typealias Payload = SignedSession

    let path = "/user/login"
    let method = APIRequestMethod.post
    let encoding: any APIParameterEncoding = APIJSONEncoding.default
    let parameters: APIParameters?

    init(phone: String, password: String) {
        parameters = ["phone": .init(phone), "password": .init(password)]
    }
}

/// Requests a new token for a user's session, whose current token the request carries.
struct RenewalRequest: TransitRequest {
    /// The server's response.
    struct Payload: Decodable, Sendable {
        let token: String
    }

    let path = "/user/token"
    let method = APIRequestMethod.post
    let requiredUser: String?
}
