import APIService
import Foundation
import TransitRequests
import UserApi

/// Requests a session with a phone number and a password.
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

/// Requests a new token for the session to which the request's token belongs.
struct RenewalRequest: TransitRequest {
    /// The server's response.
    struct Payload: Decodable, Sendable {
        let token: String
    }

    let baseURL: URL
    let path = "/user/token"
    let method = APIRequestMethod.post
}
