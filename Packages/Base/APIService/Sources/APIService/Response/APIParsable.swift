import Foundation

/// A type that a response's body can be parsed into. Usually the model itself.
///
/// Source: seeds/5-CSAPIService.md, "APIParsable 协议".
public protocol APIParsable: Sendable {
    /// Returns the value that a body represents.
    ///
    /// Called on any thread. For a download, `data` is the path of the file in UTF-8.
    ///
    /// - Throws: ``APIResponseError/invalidParseResponse(_:)``, or any other error, which the library then
    ///   wraps in an `invalidParseResponse`.
    static func parse(data: Data) throws -> Self
}

/// The decoder of the service that is parsing a response. (The seed's `parse(data:)` has no parameter for it.)
enum APIDecoder {
    @TaskLocal static var current = JSONDecoder()
}

/// A type that is parsed from JSON. A `Decodable` type gets a default implementation of
/// ``APIParsable/parse(data:)``.
public protocol APIJSONParsable: APIParsable {}

extension APIJSONParsable where Self: Decodable {
    /// Decodes the value from JSON, with ``APISettings/decoder`` when a service calls it.
    ///
    /// - Throws: ``APIResponseError/invalidParseResponse(_:)`` with the decoder's error.
    public static func parse(data: Data) throws -> Self {
        do {
            return try APIDecoder.current.decode(self, from: data)
        } catch {
            throw APIResponseError.invalidParseResponse(error)
        }
    }
}

/// A `Decodable` model that is parsed from JSON.
public typealias APIDefaultJSONParsable = APIJSONParsable & Decodable

/// A list of models is a response itself.
extension Array: APIParsable, APIJSONParsable where Element: APIDefaultJSONParsable {}

extension Data: APIParsable {
    /// Returns the body unchanged.
    public static func parse(data: Data) throws -> Data { data }
}

/// A response whose body is ignored.
public struct APIEmpty: APIParsable, Hashable {
    /// Creates an empty response.
    public init() {}

    /// Ignores the body.
    public static func parse(data: Data) throws -> Self { Self() }
}
