import APIService
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
/// Source: seeds/5-CSAPIService.md, "APIModelWrapper".
public struct TransitAnswer<Payload: Decodable & Sendable>: APIDefaultJSONParsable {
    /// How it went, as `ErrorCode` has it.
    public let code: Int
    /// The server's own words.
    public let desc: String
    /// What was asked for; nil when it was refused.
    public let data: Payload?
}
