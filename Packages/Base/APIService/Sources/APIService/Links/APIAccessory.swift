import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Adapts the requests of a service: adds common header fields, a signature or a token.
///
/// The service calls the accessories for every attempt, in the order of ``APISettings/accessories``, after it
/// has read the cache.
///
/// Source: seed 4 (configuration and signing accessories, `fetchToken`).
public protocol APIAccessory: Sendable {
    /// The user whose credentials this accessory adds, or `nil` if it adds no credentials.
    ///
    /// The service asks for the user when a request is made, and keeps the cached responses of different users apart. The
    /// credentials themselves cannot distinguish the users, because ``adapt(_:)`` adds them after the cache lookup.
    ///
    /// The service asks again before and after the accessories adapt an attempt, and before a token refresh. If another user
    /// has logged in since the request was made, or the user has logged out, the request fails with
    /// ``APIError/userChanged``: the attempt could act on the wrong account. A request that was made while nobody was logged
    /// in may be sent with the credentials of a user who has logged in since.
    ///
    /// Called on the thread that makes a request, so it must not wait for a lock that the caller may hold.
    var user: String? { get }

    /// Returns the request to send in one attempt.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or any other error that prevents building it.
    func adapt(_ request: URLRequest) async throws -> URLRequest
}

extension APIAccessory {
    /// `nil`, because an accessory adds no credentials by default.
    public var user: String? { nil }
}

/// Adds header fields to requests that do not have them yet.
public struct APIHeaderAccessory: APIAccessory {
    private let headers: APIHeaders

    /// Creates an accessory that adds these fields.
    public init(_ headers: APIHeaders) { self.headers = headers }

    /// Returns the request with the missing fields added.
    ///
    /// - Throws: ``APIRequestError/invalidHeader(_:)``.
    public func adapt(_ request: URLRequest) throws -> URLRequest {
        var request = request
        for field in headers where request.value(forHTTPHeaderField: field.name) == nil {
            try request.set(field.value, for: field.name)
        }
        return request
    }
}

/// Signs requests with a closure.
///
/// Make this accessory the last one, so that the closure sees each request as it will be sent.
public struct APISigningAccessory: APIAccessory {
    private let sign: @Sendable (URLRequest) async throws -> URLRequest

    /// Creates an accessory that replaces each request with the result of `sign`.
    public init(_ sign: @escaping @Sendable (URLRequest) async throws -> URLRequest) { self.sign = sign }

    /// Returns the signed request.
    public func adapt(_ request: URLRequest) async throws -> URLRequest { try await sign(request) }
}

/// Adds a token to requests.
///
/// The accessory asks for the token in every attempt, so that a refreshed token is used immediately.
public struct APITokenAccessory: APIAccessory {
    private let currentUser: @Sendable () -> String?
    private let header: String
    private let scheme: String
    private let token: @Sendable () async throws -> String?

    /// Creates an accessory that adds a token.
    ///
    /// - Parameters:
    ///   - user: Returns the user that the token belongs to, or `nil` when nobody is logged in. The cache
    ///     keeps the responses of different users apart.
    ///   - header: The header field that carries the token. A field other than Authorization, for example `X-Session`,
    ///     must be one of the client's `APIClient.credentialFields`; otherwise redirects send the token to other
    ///     servers. For example: `URLSessionAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"]))`.
    ///   - scheme: The text before the token, including its trailing space.
    ///   - token: Returns the token, or `nil` to send none.
    public init(
        user: @escaping @Sendable () -> String?, header: String = "Authorization", scheme: String = "Bearer ",
        token: @escaping @Sendable () async throws -> String?
    ) {
        (currentUser, self.header, self.scheme, self.token) = (user, header, scheme, token)
    }

    /// The user that the token belongs to.
    public var user: String? { currentUser() }

    /// Returns the request with the token added.
    ///
    /// - Throws: The error of `token`, or ``APIRequestError/invalidHeader(_:)`` if the token contains a line
    ///   break.
    public func adapt(_ request: URLRequest) async throws -> URLRequest {
        guard let token = try await token() else { return request }
        var request = request
        try request.set(scheme + token, for: header)
        return request
    }
}

/// The link that lets the accessories adapt every attempt.
struct Adapting: Link {
    let call: Call
    let signal: CancelSignal

    func send(_ request: URLRequest, _ next: Next) async throws -> APIAnswer {
        try await next(
            signal.run { try await call.settings.adapted(request, for: call.accounts, call.journal) }.get())
    }
}

extension APISettings {
    /// Returns the request after all accessories have adapted it, for an exchange outside the links.
    ///
    /// - Parameter accounts: The ``accounts`` of when the request was made.
    /// - Throws: The error of an accessory, or an error if the request must not be sent.
    package func ready(_ request: URLRequest, for accounts: [String?]) async throws -> URLRequest {
        let request = try await adapted(request, for: accounts)
        try request.check()
        return request
    }

    /// Returns the request after all accessories have adapted it.
    ///
    /// - Throws: The error of an accessory, or ``APIError/userChanged``.
    func adapted(
        _ request: URLRequest, for accounts: [String?], _ journal: Journal? = nil
    ) async throws -> URLRequest {
        guard !accessories.isEmpty else { return request }
        journal?.note(.accessories, accessories.map { "\(type(of: $0))" }.joined(separator: ", "))
        var request = request
        try check(accounts)
        for accessory in accessories { request = try await accessory.adapt(request) }
        // The user may have changed while an accessory fetched the token.
        try check(accounts)
        return request
    }
}
