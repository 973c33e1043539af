import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An HTTP method.
public struct APIRequestMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the method as it is sent, for example `GET`.
    public let rawValue: String

    /// Creates a method with this name. Names are case-sensitive (RFC 9110, 9.1).
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let get = APIRequestMethod(rawValue: "GET")
    public static let head = APIRequestMethod(rawValue: "HEAD")
    public static let post = APIRequestMethod(rawValue: "POST")
    public static let put = APIRequestMethod(rawValue: "PUT")
    public static let patch = APIRequestMethod(rawValue: "PATCH")
    public static let delete = APIRequestMethod(rawValue: "DELETE")
    public static let options = APIRequestMethod(rawValue: "OPTIONS")

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110, 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether the request changes nothing on the server (RFC 9110, 9.2.1).
    public var isSafe: Bool { [.get, .head, .options, APIRequestMethod(rawValue: "TRACE")].contains(self) }

    /// - Throws: An error if the name is not a token, because the server could read it as a second request.
    func check() throws(APIRequestError) {
        guard PercentEncoding.isToken(rawValue) else {
            throw .invalidMethod("\(rawValue.debugDescription) is not the name of a method")
        }
    }

    /// The method's name.
    public var description: String { rawValue }
}

extension URLRequest {
    /// The method.
    package var method: APIRequestMethod { APIRequestMethod(rawValue: httpMethod ?? "GET") }
}
