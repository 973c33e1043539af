import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How parameters get into a `URLRequest`.
///
/// An encoding puts all parameters in, or throws; it changes nothing else of the request but the headers
/// that describe them. Equal parameters give equal requests, whatever the order in which they were written.
///
/// Source: seeds/5-CSAPIService.md, "业务 APIRequest".
public protocol APIParameterEncoding: Sendable {
    /// `request` with `parameters` in it; unchanged when there are none.
    ///
    /// - Throws: ``APIRequestError``, or an error of its own, when a value cannot be expressed.
    func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest
}

/// Parameters as `name=value` pairs, in the query or in the body.
///
/// Nested values are written `a[b]=1`; an array as `a[]=1&a[]=2` or as ``ArrayStyle`` says. ``APIParameterValue/null``
/// is left out. Names and values are escaped but for RFC 3986's unreserved characters.
public struct APIURLEncoding: APIParameterEncoding, Hashable {
    /// Where the pairs go.
    public enum Destination: Sendable, Hashable {
        /// Into the query for GET, HEAD and DELETE, into the body for all others.
        case methodDependent
        /// Into the query, behind what stands there.
        case queryString
        /// Into the body, as `application/x-www-form-urlencoded`.
        case httpBody
    }

    /// How the elements of an array are named.
    public enum ArrayStyle: Sendable, Hashable {
        /// `a[]=1&a[]=2`
        case brackets
        /// `a=1&a=2`
        case repeated
        /// `a[0]=1&a[1]=2`
        case indexed
    }

    /// How truth values are written.
    public enum BoolStyle: Sendable, Hashable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// By the method.
    public static let `default` = APIURLEncoding()
    /// Always in the query.
    public static let queryString = APIURLEncoding(destination: .queryString)
    /// Always in the body.
    public static let httpBody = APIURLEncoding(destination: .httpBody)

    /// Where the pairs go.
    public var destination: Destination
    /// How the elements of an array are named.
    public var arrays: ArrayStyle
    /// How truth values are written.
    public var bools: BoolStyle

    /// An encoding of these styles.
    public init(
        destination: Destination = .methodDependent, arrays: ArrayStyle = .brackets,
        bools: BoolStyle = .numeric
    ) {
        (self.destination, self.arrays, self.bools) = (destination, arrays, bools)
    }

    /// `request` with the parameters in its query or its body.
    public func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest {
        guard let parameters, !parameters.isEmpty else { return request }
        var request = request
        let text = try query(parameters)
        if goesIntoQuery(request.httpMethod ?? "GET") {
            guard !text.isEmpty else { return request }
            guard let old = request.url, let url = URLParts(old)?.url(query: text) else {
                throw APIRequestError.invalidURL(request.url?.absoluteString ?? "no URL")
            }
            request.url = url
        } else {
            if request.value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(
                    "application/x-www-form-urlencoded; charset=utf-8", forHTTPHeaderField: "Content-Type")
            }
            request.httpBody = Data(text.utf8)
        }
        return request
    }

    func goesIntoQuery(_ method: String) -> Bool {
        switch destination {
        case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method)
        case .queryString: true
        case .httpBody: false
        }
    }

    /// The pairs in canonical order, escaped, joined with `&`.
    func query(_ parameters: APIParameters) throws(APIRequestError) -> String {
        var text: [UInt8] = []
        // What most queries need, and more than the first step of growing.
        text.reserveCapacity(64)
        for pair in try pairs(parameters) {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            PercentEncoding.append(escaping: pair.name.utf8, to: &text)
            text.append(UInt8(ascii: "="))
            PercentEncoding.append(escaping: pair.value.utf8, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The pairs in canonical order, as plain text.
    func pairs(_ parameters: APIParameters) throws(APIRequestError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        pairs.reserveCapacity(parameters.values.count)
        for (name, value) in parameters.values.canonical { try add(name, value, to: &pairs) }
        return pairs
    }

    private func add(
        _ name: String, _ value: APIParameterValue, to pairs: inout [(name: String, value: String)]
    ) throws(APIRequestError) {
        switch value {
        case .null: break
        case .bool(let value): pairs.append((name, bools == .numeric ? (value ? "1" : "0") : "\(value)"))
        case .int(let value): pairs.append((name, String(value)))
        case .double(let value):
            guard value.isFinite else { throw .invalidParameters("\(name) is \(value), which is no number") }
            pairs.append((name, "\(value)"))
        case .string(let value): pairs.append((name, value))
        case .array(let values):
            for (index, value) in values.enumerated() {
                switch arrays {
                case .brackets: try add(name + "[]", value, to: &pairs)
                case .repeated: try add(name, value, to: &pairs)
                case .indexed: try add("\(name)[\(index)]", value, to: &pairs)
                }
            }
        case .object(let values):
            for (inner, value) in values.canonical { try add("\(name)[\(inner)]", value, to: &pairs) }
        }
    }
}

/// Parameters as a JSON object in the body.
public struct APIJSONEncoding: APIParameterEncoding, Hashable {
    /// The one there is.
    public static let `default` = APIJSONEncoding()

    /// The encoding.
    public init() {}

    /// `request` with the parameters as its body, names in canonical order.
    public func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        if request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        request.httpBody = try CanonicalJSON.data(.object(parameters.values))
        return request
    }
}
