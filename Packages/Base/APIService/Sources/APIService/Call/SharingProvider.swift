import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The calls that may share exchanges: what decides about an exchange, besides the request, is equal.
package struct SharingGroup: Sendable, Hashable {
    let service: ObjectIdentifier
    /// The ``APISettings/generation`` of the settings.
    let generation: Int
    let users: [String?]
    let accounts: [String?]
    let retry: APIRetryPolicy
    let limit: Duration?
}

/// Lets equal requests share an exchange with the server.
package protocol SharingProvider: Sendable {
    /// Whether a request wants to share its exchange.
    func shares(_ request: any APIRequest) -> Bool

    /// Joins the running exchange of an equal request of the same group, or starts `exchange`. `cancel` ends an exchange that
    /// this request has started.
    func join(
        _ request: URLRequest, _ group: SharingGroup, _ journal: Journal,
        cancel: @escaping @Sendable () -> Void,
        _ exchange: @escaping @Sendable () async throws -> APIAnswer
    ) async throws -> APIAnswer
}
