import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A cache, which takes part in a call.
package protocol CacheProvider: Sendable {
    /// Looks up a request, and reports the result with ``Call/report(_:for:)``.
    func lookUp(_ request: URLRequest, for call: Call) async throws -> any CacheFinding

    /// Removes the responses that a successful unsafe request, which itself does not use the cache, has made invalid.
    func invalidate(_ request: URLRequest, by answer: APIAnswer)

    /// Removes all responses of a user.
    func removeAll(user: String?)
}

/// The result of a lookup, which knows how to use the server's answer.
package protocol CacheFinding: Sendable {
    /// The parsed answer that ends the call; `nil` if the request must be sent.
    var hit: APIAnswer? { get }

    /// The request to send, which may validate a stored response.
    var request: URLRequest { get }

    /// Whether the answer is about another response than the stored one, so that ``request``, now without conditions, must be
    /// sent.
    mutating func forgetsEntry(after result: Result<APIAnswer, any Error>) -> Bool

    /// Returns the server's answer, or the stored response if the server has validated it or may be replaced by it.
    ///
    /// - Throws: The error of `result`.
    mutating func validated(_ result: Result<APIAnswer, any Error>) throws -> APIAnswer

    /// Stores a parsed answer, if it may be stored, and returns it.
    ///
    /// - Throws: ``APIError/cacheError(_:)`` if the server has validated a response that cannot be parsed.
    func store(_ answer: APIAnswer) throws -> APIAnswer
}

/// Lets equal requests share an exchange with the server.
package protocol SharingProvider: Sendable {
    /// Whether a request wants to share its exchange.
    func shares(_ request: any APIRequest) -> Bool

    /// Joins the running exchange of an equal request of the same users, or starts `exchange`. `cancel` ends an exchange that
    /// this request has started.
    func join(
        _ request: URLRequest, _ users: [String], _ journal: Journal, cancel: @escaping @Sendable () -> Void,
        _ exchange: @escaping @Sendable () async throws -> APIAnswer
    ) async throws -> APIAnswer
}
