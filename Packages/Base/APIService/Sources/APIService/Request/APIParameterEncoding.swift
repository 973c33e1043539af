import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Encodes parameters into a `URLRequest`.
///
/// An encoding adds all parameters or throws. It changes nothing else except the header fields that describe the
/// parameters. Equal parameters result in equal requests, regardless of their order in the source.
///
/// Source: seed 5, "业务 APIRequest".
public protocol APIParameterEncoding: Sendable {
    /// Returns `request` with the encoded parameters; unchanged if there are none.
    ///
    /// - Throws: ``APIRequestError``, or the encoding's own error, if a value cannot be encoded.
    func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest
}

/// Encodes parameters as `name=value` pairs, in the query or in the body.
///
/// Nested values are written as `a[b]=1`; ``ArrayStyle`` selects how arrays are written. ``APIParameterValue/null`` is
/// omitted. All characters of names and values are escaped, except for the unreserved characters of RFC 3986.
public struct APIURLEncoding: APIParameterEncoding, Hashable {
    /// Where the pairs go in the request.
    public enum Destination: Sendable, Hashable {
        /// In the query for GET, HEAD and DELETE, and in the body for all other methods.
        case methodDependent
        /// In the query, after the existing query.
        case queryString
        /// In the body, as `application/x-www-form-urlencoded`.
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

    /// How Boolean values are written.
    public enum BoolStyle: Sendable, Hashable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// In the query or in the body, depending on the method.
    public static let `default` = APIURLEncoding()
    /// Always in the query.
    public static let queryString = APIURLEncoding(destination: .queryString)
    /// Always in the body.
    public static let httpBody = APIURLEncoding(destination: .httpBody)

    /// Where the pairs go in the request.
    public var destination: Destination
    /// How the elements of an array are named.
    public var arrays: ArrayStyle
    /// How Boolean values are written.
    public var bools: BoolStyle

    /// Creates an encoding.
    public init(
        destination: Destination = .methodDependent, arrays: ArrayStyle = .brackets,
        bools: BoolStyle = .numeric
    ) {
        (self.destination, self.arrays, self.bools) = (destination, arrays, bools)
    }

    /// Returns `request` with the parameters in its query or its body.
    public func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest {
        guard let parameters, !parameters.isEmpty else { return request }
        var request = request
        let text = try query(parameters)
        if goesIntoQuery(request.httpMethod ?? "GET") {
            guard !text.isEmpty else { return request }
            guard let url = request.url?.appending(path: "", escapedQuery: text) else {
                throw APIRequestError.invalidURL(request.url?.absoluteString ?? "the request has no URL")
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

    /// Returns the escaped pairs in canonical order, joined with `&`.
    func query(_ parameters: APIParameters) throws(APIRequestError) -> String {
        var text: [UInt8] = []
        // Most queries have at most 64 bytes.
        text.reserveCapacity(64)
        for pair in try pairs(parameters) {
            if !text.isEmpty { text.append(UInt8(ascii: "&")) }
            PercentEncoding.append(escaping: pair.name[...], to: &text)
            text.append(UInt8(ascii: "="))
            PercentEncoding.append(escaping: pair.value[...], to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the unescaped pairs in canonical order.
    package func pairs(_ parameters: APIParameters) throws(APIRequestError) -> [(name: String, value: String)]
    {
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
        case .decimal(let value) where value.isFinite: pairs.append((name, "\(value)"))
        case .double(let value) where value.isFinite: pairs.append((name, "\(value)"))
        case .decimal, .double: throw .invalidParameters("\(name) is not a finite number")
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

/// Encodes parameters as a JSON object in the body.
public struct APIJSONEncoding: APIParameterEncoding, Hashable {
    /// The JSON encoding.
    public static let `default` = APIJSONEncoding()

    /// Creates the encoding.
    public init() {}

    /// Returns `request` with the parameters as its body, sorted by name.
    public func encode(_ request: URLRequest, with parameters: APIParameters?) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        if request.value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            request.httpBody = try encoder.encode(parameters.values)
        } catch {
            throw APIRequestError.invalidParameters("\(error)")
        }
        return request
    }
}
