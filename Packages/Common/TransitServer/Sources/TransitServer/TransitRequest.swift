import APIService
import ErrorCode
import Foundation

/// A request to the operator's server: all of them share its base URL and its envelope. A request states its path
/// and what its answer holds.
///
/// Source: seeds/5-CSAPIService.md, "CSAPIRequest".
public protocol TransitRequest: APIRequest where Response == TransitAnswer<Payload> {
    /// What the answer holds.
    associatedtype Payload: Decodable & Sendable
}

/// The envelope of every answer of the server: `{"code": 0, "desc": "…", "data": …}`.
///
/// One that refuses cannot be parsed: ``TransitError/refused(_:)`` is thrown instead. So a refusal is never cached, and
/// never takes the place of what is.
///
/// Source: seeds/5-CSAPIService.md, "APIModelWrapper".
public struct TransitAnswer<Payload: Decodable & Sendable>: APIDefaultJSONParsable {
    /// How it went, as `ErrorCode` has it: success.
    public let code: Int
    /// The server's own words.
    public let desc: String
    /// What was asked for.
    public let data: Payload

    private enum Key: CodingKey {
        case code, desc, data
    }

    /// Decodes an answer.
    ///
    /// - Parameter decoder: Holds the envelope.
    /// - Throws: ``TransitError/refused(_:)`` when the server refused, whatever else its envelope holds; a decoder's error
    ///   when it is no such envelope.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        code = try container.decode(Int.self, forKey: .code)
        guard code == ErrorCode.success.rawValue else {
            throw TransitError.refused(ErrorCode(rawValue: code))
        }
        desc = try container.decode(String.self, forKey: .desc)
        data = try container.decode(Payload.self, forKey: .data)
    }
}
