import APIService
import Foundation
import TransitRequests
import UserApi

/// Exchanges a phone number and a password for a session.
struct LogInRequest: TransitRequest {
    typealias Payload = UserSession

    let baseURL: URL
    let path = "/user/login"
    let method = APIRequestMethod.post
    let encoding: any APIParameterEncoding = APIJSONEncoding.default
    let parameters: APIParameters?

    init(baseURL: URL, phone: String, password: String) {
        self.baseURL = baseURL
        parameters = ["phone": .init(phone), "password": .init(password)]
    }
}

/// Requests a new token for the session whose current token the request carries.
struct RenewalRequest: TransitRequest {
    /// The server's response.
    struct Payload: Decodable, Sendable {
        let token: String
    }

    let baseURL: URL
    let path = "/user/token"
    let method = APIRequestMethod.post
}
