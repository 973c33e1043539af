import APIService
import ErrorCode
import Foundation

/// A request to the operator's server. All requests to this server have the same response envelope. Each request
/// declares its own path and payload, and the server's address is a setting of the network client.
///
/// Source: seed 5, "CSAPIRequest".
public protocol TransitRequest: APIRequest where Response == TransitAnswer<Payload> {
    /// The type of the `data` field in the response.
    associatedtype Payload: Decodable & Sendable
}

/// The envelope of every server response: `{"code": 0, "desc": "…", "data": …}`.
///
/// Decoding a refusal throws ``TransitError/refused(_:)``. A refusal is therefore never cached and never replaces a
/// cached response.
///
/// Source: seed 5, "APIModelWrapper".
public struct TransitAnswer<Payload: Decodable & Sendable>: APIDefaultJSONParsable {
    /// The outcome, always `ErrorCode.success`, because decoding throws for any other code.
    public let code: Int
    /// The server's description of the outcome.
    public let desc: String
    /// The payload.
    public let data: Payload

    private enum Key: CodingKey {
        case code, desc, data
    }

    /// Decodes a response.
    ///
    /// - Parameter decoder: The decoder of the envelope.
    /// - Throws: ``TransitError/refused(_:)`` when `code` is not success, even if other fields are missing;
    ///   `DecodingError` when the input is not an envelope.
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
