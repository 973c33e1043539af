import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Something added to the network from outside: common configuration, a signature, a token. Accessories adapt
/// the request anew for every attempt, in the order of ``APISettings/accessories``, after the cache was read.
///
/// Source: seeds/4-LayeredComponents.md (configuration and signing accessories, `fetchToken`).
public protocol APIAccessory: Sendable {
    /// Who the answers to adapted requests are for, when the accessory adds credentials; nil when it adds none.
    /// Asked before the cache is read, so that nobody gets what was cached for somebody else. Nothing else tells: what
    /// ``adapt(_:)`` adds comes too late for the key.
    var user: String? { get }

    /// The request for one attempt.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or whatever keeps it from being built.
    func adapt(_ request: URLRequest) async throws -> URLRequest
}

extension APIAccessory {
    /// Adds no credentials.
    public var user: String? { nil }
}

/// Adds header fields that are not there yet.
public struct APIHeaderAccessory: APIAccessory {
    private let headers: APIHeaders

    /// Adds these fields.
    public init(_ headers: APIHeaders) { self.headers = headers }

    /// The request with the fields.
    public func adapt(_ request: URLRequest) -> URLRequest {
        var request = request
        for field in headers where request.value(forHTTPHeaderField: field.name) == nil {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        return request
    }
}

/// Signs requests with a closure, which sees them as they will be sent. Mostly the last accessory.
public struct APISigningAccessory: APIAccessory {
    private let sign: @Sendable (URLRequest) async throws -> URLRequest

    /// Signs with this closure, whose result is sent.
    public init(_ sign: @escaping @Sendable (URLRequest) async throws -> URLRequest) { self.sign = sign }

    /// The signed request.
    public func adapt(_ request: URLRequest) async throws -> URLRequest { try await sign(request) }
}

/// Adds a token that is asked for at every attempt, so that a new one counts at once.
public struct APITokenAccessory: APIAccessory {
    private let currentUser: @Sendable () -> String?
    private let header: String
    private let scheme: String
    private let token: @Sendable () async throws -> String?

    /// Adds a token.
    ///
    /// - Parameters:
    ///   - user: Whose token it is, nil when nobody is logged in. Caches keep users apart by it.
    ///   - header: The field that carries it. One of another name than Authorization, `X-Session` say, has to be among
    ///     the client's ``APIClient/credentialFields``, or redirects carry it to other servers:
    ///     `URLSessionAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"]))`.
    ///   - scheme: What stands before it, with its space.
    ///   - token: The token, or nil to send none.
    public init(
        user: @escaping @Sendable () -> String?, header: String = "Authorization", scheme: String = "Bearer ",
        token: @escaping @Sendable () async throws -> String?
    ) {
        (currentUser, self.header, self.scheme, self.token) = (user, header, scheme, token)
    }

    /// Whose token it is.
    public var user: String? { currentUser() }

    /// The request with the token.
    public func adapt(_ request: URLRequest) async throws -> URLRequest {
        guard let token = try await token() else { return request }
        var request = request
        request.setValue(scheme + token, forHTTPHeaderField: header)
        return request
    }
}
