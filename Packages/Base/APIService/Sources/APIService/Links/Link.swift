import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One link of the chain that a request passes through on its way to the server, and its answer on its way
/// back. A link may change the request, send it several times with `next`, or answer it itself.
package protocol Link: Sendable {
    /// Returns the answer to a request.
    func send(_ request: URLRequest, _ next: @escaping Next) async throws -> APIAnswer
}

/// Sends a request through the rest of the chain.
package typealias Next = @Sendable (URLRequest) async throws -> APIAnswer

/// An answer on its way back through the chain. Every status is an answer, not an error.
package struct APIAnswer: Sendable {
    /// The request as it was sent.
    package var request: URLRequest
    package var response: HTTPURLResponse
    package var body: Data
    /// The file of a download; `body` is then empty.
    package var file: URL?
    package var source = APIResponseSource.network
    /// The parsed value, if a link has already parsed the body.
    package var value: (any Sendable)?

    package init(request: URLRequest, response: HTTPURLResponse, body: Data, file: URL? = nil) {
        (self.request, self.response, self.body, self.file) = (request, response, body, file)
    }
}

/// A cache, which provides the link that reads and writes it.
package protocol CacheProvider: Sendable {
    /// Returns the link for a request that reads or writes the cache.
    func link(for call: CacheCall, _ request: URLRequest) -> any Link

    /// Returns the link for an unsafe request that does not.
    func invalidatingLink() -> any Link

    /// Removes all responses of a user.
    func removeAll(user: String?)
}

/// The parts of a call that a cache link needs.
package struct CacheCall: Sendable {
    package let policy: APICache
    package let settings: APISettings
    package let credentialFields: Set<String>
    package let journal: Journal
    /// Whether a status counts as a success.
    package let accepts: @Sendable (Int) -> Bool
    /// Returns the answer with its parsed value.
    package let parsed: @Sendable (APIAnswer) throws -> APIAnswer
    /// Sends a request through the links after the cache without telling the plugins.
    package let background: Next
    /// Reports the result of the lookup to the caller.
    package let report: @Sendable (Result<APIAnswer, APICacheError>) -> Void
}
