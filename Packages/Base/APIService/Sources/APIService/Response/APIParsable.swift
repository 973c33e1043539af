import Foundation

/// What an answer's body can be turned into. Mostly the model itself.
///
/// Source: seeds/5-CSAPIService.md, "APIParsable 协议".
public protocol APIParsable: Sendable {
    /// The value that the bytes of a body stand for.
    ///
    /// Called on no particular thread. The body of a download is its file's path, in UTF-8.
    ///
    /// - Throws: ``APIResponseError/invalidParseResponse(_:)``, or any other error, which is then wrapped in it.
    static func parse(data: Data) throws -> Self
}

/// One for all, which nobody configures.
private let decoder = JSONDecoder()

/// What is parsed from JSON; a `Decodable` type gets ``APIParsable/parse(data:)`` for free.
public protocol APIJSONParsable: APIParsable {}

extension APIJSONParsable where Self: Decodable {
    /// The value that the JSON stands for.
    ///
    /// - Throws: ``APIResponseError/invalidParseResponse(_:)`` with the decoder's error.
    public static func parse(data: Data) throws -> Self {
        do {
            return try decoder.decode(self, from: data)
        } catch {
            throw APIResponseError.invalidParseResponse(error)
        }
    }
}

/// What a model whose JSON is decoded by `Decodable` conforms to.
public typealias APIDefaultJSONParsable = APIJSONParsable & Decodable

extension Data: APIParsable {
    /// The body as it is.
    public static func parse(data: Data) throws -> Data { data }
}

/// A file that was downloaded.
public struct APIDownloadedFile: APIParsable, Hashable {
    /// Where it is.
    public let url: URL

    /// The file whose path the bytes are.
    public static func parse(data: Data) throws -> Self {
        Self(url: URL(fileURLWithPath: String(decoding: data, as: UTF8.self)))
    }
}

/// An answer of which nothing but its status counts.
public struct APIEmpty: APIParsable, Hashable {
    /// Nothing.
    public init() {}

    /// Nothing, whatever the bytes.
    public static func parse(data: Data) throws -> Self { Self() }
}
