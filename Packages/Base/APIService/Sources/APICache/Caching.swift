import APIService
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Provides cache links that use a store.
struct Caching: CacheProvider {
    let tool: any APICacheTool
    private let revalidations = Revalidations()

    init(tool: any APICacheTool) { self.tool = tool }

    func link(for call: Call, _ request: URLRequest) -> any Link {
        let users = call.settings.users
        return CacheLink(
            call: call, tool: tool, revalidations: revalidations, users: users,
            key: APICacheKey(
                request, users: users, credentialFields: call.credentialFields, cache: call.policy))
    }

    func invalidatingLink() -> any Link { InvalidatingLink(tool: tool) }

    func removeAll(user: String?) { tool.removeAll(user: user) }
}

extension APISettings {
    /// The store used by requests that have an ``APICache``; `nil` by default, so that nothing is cached.
    public var cacheTool: (any APICacheTool)? {
        get { (cacheProvider as? Caching)?.tool }
        set { cacheProvider = newValue.map { Caching(tool: $0) } }
    }
}

extension APIConfig {
    /// The store used by requests that have an ``APICache``; `nil` by default, so that nothing is cached.
    ///
    /// Source: seeds/5-CSAPIService.md, "APICache".
    public var cacheTool: (any APICacheTool)? {
        get { settings.cacheTool }
        set { update { $0.cacheTool = newValue } }
    }
}

/// The link for an unsafe request that does not use the cache. If the request succeeds, the link removes the
/// cached responses for the same URL (RFC 9111, 4.4).
struct InvalidatingLink: Link {
    let tool: any APICacheTool

    func send(_ request: URLRequest, _ next: Next) async throws -> APIAnswer {
        let answer = try await next(request)
        if (200..<400).contains(answer.response.statusCode) {
            tool.removeAll(at: APICacheKey.location(request))
        }
        return answer
    }
}

/// The keys whose responses are being validated in the background.
///
/// All operations are thread-safe.
final class Revalidations: Sendable {
    private let keys = Locked<Set<APICacheKey>>([])

    /// Marks a validation of the key as running. Returns false if one was already running.
    func begin(_ key: APICacheKey) -> Bool { keys.withLock { $0.insert(key).inserted } }

    func end(_ key: APICacheKey) { keys.withLock { _ = $0.remove(key) } }
}
