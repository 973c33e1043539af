/// An HTTP method.
public struct APIRequestMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The method as it goes over the wire: `GET`.
    public let rawValue: String

    /// A method of this name, which is taken as it stands: methods have regard to case (RFC 9110, 9.1).
    public init(rawValue: String) { self.rawValue = rawValue }

    /// GET
    public static let get = APIRequestMethod(rawValue: "GET")
    /// HEAD
    public static let head = APIRequestMethod(rawValue: "HEAD")
    /// POST
    public static let post = APIRequestMethod(rawValue: "POST")
    /// PUT
    public static let put = APIRequestMethod(rawValue: "PUT")
    /// PATCH
    public static let patch = APIRequestMethod(rawValue: "PATCH")
    /// DELETE
    public static let delete = APIRequestMethod(rawValue: "DELETE")
    /// OPTIONS
    public static let options = APIRequestMethod(rawValue: "OPTIONS")

    /// Whether sending twice does what sending once does (RFC 9110, 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }

    /// Whether sending changes nothing at the server (RFC 9110, 9.2.1).
    public var isSafe: Bool { [.get, .head, .options, APIRequestMethod(rawValue: "TRACE")].contains(self) }

    /// The method's name.
    public var description: String { rawValue }
}
