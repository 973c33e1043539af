import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The recorded responses of the operator's server.
enum Recordings {
    /// The credentials of the sample passenger.
    static let passenger = (phone: "13800138000", password: "correct horse")

    private struct Credentials: Decodable {
        let phone, password: String
    }

    /// Returns the status code and the body of the recorded response to a request, or 404.
    static func answer(to request: URLRequest) -> (status: Int, body: String) {
        switch (request.httpMethod, request.url?.path) {
        case ("POST", "/user/login"):
            let sent = try? JSONDecoder().decode(Credentials.self, from: request.httpBody ?? Data())
            guard let sent, sent.phone == passenger.phone, sent.password == passenger.password else {
                return (200, #"{"code": 1002, "desc": "wrong number or password", "data": null}"#)
            }
            return (
                200,
                #"{"code": 0, "desc": "ok", "data": {"id": "u-2746", "name": "Li Lei", "token": "t-8fd1"}}"#
            )
        case ("GET", "/home/banner"):
            return (
                200,
                """
                {"code": 0, "desc": "ok", "data":
                    {"title": "Ride to the harbour this spring", "link": "metro.example/spring"}}
                """
            )
        default:
            return (404, #"{"code": 9999, "desc": "not recorded", "data": null}"#)
        }
    }
}
