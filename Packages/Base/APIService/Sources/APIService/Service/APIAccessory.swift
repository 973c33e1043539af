import APITransport
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

    /// The names of the header fields that carry this accessory's credentials, such as a token or a signature; `nil`, the
    /// default, if all changes are credentials.
    ///
    /// A redirect to another origin drops these fields. If the property is `nil`, it drops every field that ``adapt(_:)``
    /// has added or changed, and is not followed if ``adapt(_:)`` has changed the body and the redirect keeps it.
    ///
    /// When a token refresh remembers a rejected token, it identifies the token by these fields and by what ``adapt(_:)`` has
    /// added to the URL and to the body: name a field that differs in each request, for example the time, only if it belongs
    /// to a signature.
    var credentialFields: Set<String>? { get }

    /// Whether ``adapt(_:)`` depends on the request's URL or method, as a signature does. True by default.
    ///
    /// If true, the service itself follows redirects to the same origin, and lets all accessories adapt the request again
    /// for each of them. (It does so for each unsafe request, such as a POST, in any case.) A redirect to another origin is
    /// followed without the credentials.
    var dependsOnURL: Bool { get }

    /// Returns the request to send in one attempt.
    ///
    /// - Throws: ``APIVeto`` to refuse the request, or any other error that prevents building it.
    func adapt(_ request: URLRequest) async throws -> URLRequest
}

extension APIAccessory {
    /// `nil`, because an accessory adds no credentials by default.
    public var user: String? { nil }
    /// `nil`: a redirect to another origin drops everything that the accessory has added.
    public var credentialFields: Set<String>? { nil }
    /// True: the accessory adapts the request again for each redirect to the same origin.
    public var dependsOnURL: Bool { true }
}

/// Adds header fields to requests that do not have them yet.
public struct APIHeaderAccessory: APIAccessory {
    private let headers: APIHeaders
    /// The names of the fields that carry credentials; `nil`, the default, if all fields do.
    public let credentialFields: Set<String>?
    /// False: the fields are the same in each request.
    public var dependsOnURL: Bool { false }

    /// Creates an accessory that adds these fields.
    ///
    /// - Parameters:
    ///   - headers: The fields.
    ///   - credentials: The names of the fields that carry credentials, for example `X-API-Key`; `nil` if all fields do. A
    ///     redirect to another origin drops them. Pass `[]` if the fields are no secrets and every server may get them.
    public init(_ headers: APIHeaders, credentials: Set<String>? = nil) {
        (self.headers, credentialFields) = (headers, credentials)
    }

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
/// Make this accessory the last one, so that the closure sees each request as it will be sent. A redirect to the same
/// origin is signed again, and a redirect to another origin is not signed. To prevent that a signature is used again, let
/// it cover the host, the time and a number that is used once, and let the server check them.
public struct APISigningAccessory: APIAccessory {
    private let sign: @Sendable (URLRequest) async throws -> URLRequest

    /// Creates an accessory that replaces each request with the result of `sign`. Everything that `sign` adds is a
    /// credential.
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
    ///   - header: The header field that carries the token. A redirect to another origin drops it. For recordings, name a
    ///     field other than Authorization in the client's redirect policy too.
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
    /// The field that carries the token.
    public var credentialFields: Set<String>? { [header] }
    /// False: the token is the same in each request.
    public var dependsOnURL: Bool { false }

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
