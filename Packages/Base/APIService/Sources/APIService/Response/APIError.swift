import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The reason why a request produced no value. The cases separate the failures that callers handle
/// differently.
///
/// A URL in an error is the URL of the request or of the response, without its user, query and fragment, which may be
/// secrets; `nil` if it is unknown. A service adds it before it delivers an error.
///
/// Two errors are equal if their cases and their payloads, except URLs, are equal. Underlying errors are equal if they have
/// the same type and are equal values, or, if the type is not `Equatable`, have the same domain and code.
public enum APIError: Error, Sendable {
    /// The server is unreachable: there is no network, the host does not exist, or it does not accept
    /// connections. The payload says which server, and why. Equal to ``networkError``, whatever the payload.
    case unreachable(APIUnreachable)
    /// The request could not be built; nothing was sent.
    case requestError(APIRequestError)
    /// The connection to the server broke. The payload is the transport's error.
    case connectionError(any Error, url: URL? = nil)
    /// A file on this machine could not be read or written, for example the destination of a download. The
    /// request is not retried.
    case localError(any Error)
    /// The token refresh that the request waited for has failed. The payload is the error of the refresh, or
    /// ``timedOut(url:)``.
    case refreshFailed(any Error)
    /// The server responded, but the response is unusable.
    case responseError(APIResponseError)
    /// The cache had no usable response. Only cache handlers receive this error, with one exception: if the
    /// server validates (304) a cached response that can no longer be parsed, the request fails with this
    /// error.
    case cacheError(APICacheError)
    /// The caller cancelled the request.
    case cancelled
    /// The time limit of the request was exceeded. (A transport's own timeout, such as `URLRequest.timeoutInterval`,
    /// is a ``connectionError(_:url:)``, which may be retried.)
    case timedOut(url: URL? = nil)
    /// An interceptor, plugin or accessory refused the request.
    case vetoed(APIVeto)
    /// The user who was logged in when the request was made logged out, or another user logged in, before the request could
    /// be sent, or sent again: see ``APIAccessory/user``. An earlier attempt may have reached the server.
    case userChanged
}

extension APIError {
    /// The error of a request that has exceeded its time limit, to compare with: `error == .timedOut`.
    public static var timedOut: APIError { .timedOut(url: nil) }

    /// The error of an unreachable server, to compare with: `error == .networkError`, or `case .networkError:`.
    ///
    /// Source: seed 5, "APIResult 扩展".
    public static var networkError: APIError { .unreachable(APIUnreachable()) }
}

/// A server that could not be reached.
public struct APIUnreachable: Error, Sendable {
    /// The URL of the request.
    public let url: URL?
    /// The transport's error; `nil` if there is none.
    public let underlying: (any Error)?

    /// Creates an error for a request to this URL.
    public init(url: URL? = nil, underlying: (any Error)? = nil) {
        (self.url, self.underlying) = (url?.withoutSecrets, underlying)
    }
}

/// The reason why a request could not be built.
public enum APIRequestError: Error, Sendable {
    /// The base URL and the path do not form a URL, or one of them has a segment `.` or `..`.
    case invalidURL(String)
    /// The method is not valid (RFC 9110, 9.1). The text says why.
    case invalidMethod(String)
    /// The request does not declare a server, and ``APISettings/baseURL`` is `nil`.
    case noServer
    /// A parameter cannot be encoded. The text says which one and why.
    case invalidParameters(String)
    /// A header field is not valid (RFC 9110, 5.5). The text says which one and why.
    case invalidHeader(String)
    /// The encoding, an interceptor, a plugin or an accessory threw its own error.
    case failed(any Error)
    /// The client does not support the request's task type. The text says what is missing.
    case unsupported(String)
}

/// The reason why a response is unusable.
public enum APIResponseError: Error, Sendable {
    /// The status is not acceptable. The payload includes the body.
    case unacceptableStatus(APIStatusFailure)
    /// The body does not have the requested type. The payload is the Content-Type; empty if it is missing.
    case unacceptableContentType(String, url: URL? = nil)
    /// The body is larger than ``APISettings/responseLimit``, or a file is larger than the download's limit. The payload
    /// is the limit in bytes.
    case tooLarge(Int, url: URL? = nil)
    /// The body could not be parsed. The payload is the parser's error.
    case invalidParseResponse(any Error, url: URL? = nil)
}

/// A response whose status is not acceptable.
public struct APIStatusFailure: Error, Sendable, Hashable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: APIHeaders
    /// The body.
    public let body: Data
    /// The URL that gave the response.
    public let url: URL?

    /// Creates a failure with this status.
    public init(statusCode: Int, headers: APIHeaders = [:], body: Data = Data(), url: URL? = nil) {
        (self.statusCode, self.headers, self.body) = (statusCode, headers, body)
        self.url = url?.withoutSecrets
    }

    /// Creates a failure from the head and the body of a response.
    init(_ response: HTTPURLResponse, body: Data) {
        let fields = response.allHeaderFields as? [String: String] ?? [:]
        self.init(
            statusCode: response.statusCode, headers: APIHeaders(fields), body: body, url: response.url)
    }

    /// Whether the status, the header fields and the body are equal.
    public static func == (left: Self, right: Self) -> Bool {
        (left.statusCode, left.headers, left.body) == (right.statusCode, right.headers, right.body)
    }

    /// Equal failures have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(statusCode)
        hasher.combine(body)
    }
}

/// The reason why the cache returned no response.
public enum APICacheError: Error, Sendable, Hashable {
    /// No response is stored under the key, or no stored response matches the request's header fields.
    case missing
    /// The stored response has expired.
    case expired
    /// The stored response cannot be used, or no cache is set. The text says why.
    case unusable(String)
}

/// Thrown by an interceptor, plugin or accessory to refuse a request.
public struct APIVeto: Error, Sendable, Hashable {
    /// The reason for the refusal.
    public let reason: String

    /// Creates a refusal with this reason.
    public init(_ reason: String) { self.reason = reason }
}

extension APIError: LocalizedError, CustomStringConvertible {
    /// The error as text for a log.
    public var description: String {
        switch self {
        case .unreachable(let failure):
            "\(Self.server(failure.url)) is unreachable"
                + (failure.underlying.map { ": \(Self.text($0, failure.url))" } ?? "")
        case .requestError(.invalidURL(let text)): "invalid URL: \(text)"
        case .requestError(.invalidMethod(let text)): "invalid method: \(text)"
        case .requestError(.invalidParameters(let text)): "a parameter cannot be encoded: \(text)"
        case .requestError(.noServer): "the request declares no server, and the service's baseURL is nil"
        case .requestError(.invalidHeader(let text)): "a header field is not valid: \(text)"
        case .requestError(.failed(let error)): "the request could not be built: \(error)"
        case .requestError(.unsupported(let text)): text
        case .connectionError(let error, let url):
            "the connection to \(Self.server(url)) failed: \(Self.text(error, url))"
        case .localError(let error): "a file could not be read or written: \(Self.text(error))"
        case .refreshFailed(let error): "the token refresh failed: \(error)"
        case .responseError(.unacceptableContentType(let type, let url)):
            "\(Self.server(url)) answered with the content type \(type.debugDescription)"
        case .responseError(.tooLarge(let limit, let url)):
            "the response of \(Self.server(url)) is larger than \(limit) bytes"
        case .responseError(.unacceptableStatus(let failure)):
            "\(Self.server(failure.url)) answered \(failure.statusCode)"
        case .responseError(.invalidParseResponse(let error, let url)):
            "the response of \(Self.server(url)) could not be parsed: \(error)"
        case .cacheError(.missing): "nothing is cached"
        case .cacheError(.expired): "the cached response has expired"
        case .cacheError(.unusable(let why)): "the cache has no usable response: \(why)"
        case .cancelled: "the request was cancelled"
        case .timedOut(let url): "the request to \(Self.server(url)) exceeded its time limit"
        case .vetoed(let veto): "the request was refused: \(veto.reason)"
        case .userChanged:
            "the user logged out, or another user logged in, before the request could be sent, or sent again"
        }
    }

    private static func server(_ url: URL?) -> String { url?.absoluteString ?? "the server" }

    /// Returns an error's text without the query of its URL, which the text of a `URLError` contains. The text contains the
    /// URL only if it is not `url`, which the caller names.
    private static func text(_ error: any Error, _ url: URL? = nil) -> String {
        guard let error = error as? URLError else { return "\(error)" }
        let failing = error.failingURL?.withoutSecrets
        let other = failing == url ? "" : failing.map { " \($0.absoluteString)" } ?? ""
        return "\(error.localizedDescription) (URLError \(error.code.rawValue)\(other))"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }

    /// Returns the error with the URL of its request or response, unless it names one.
    package func naming(_ url: URL?) -> APIError {
        let url = url?.withoutSecrets
        return switch self {
        case .unreachable(let failure) where failure.url == nil:
            .unreachable(APIUnreachable(url: url, underlying: failure.underlying))
        case .connectionError(let error, nil): .connectionError(error, url: url)
        case .timedOut(nil): .timedOut(url: url)
        case .responseError(.unacceptableContentType(let type, nil)):
            .responseError(.unacceptableContentType(type, url: url))
        case .responseError(.tooLarge(let limit, nil)): .responseError(.tooLarge(limit, url: url))
        case .responseError(.invalidParseResponse(let error, nil)):
            .responseError(.invalidParseResponse(error, url: url))
        default: self
        }
    }

    /// Converts an error that was thrown while the request was built.
    package init(building error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let veto as APIVeto: self = .vetoed(veto)
        case let error as APIRequestError: self = .requestError(error)
        case is CancellationError: self = .cancelled
        default: self = .requestError(.failed(error))
        }
    }

    /// Converts an error that a parser has thrown.
    package init(parsing error: any Error) {
        self = .responseError(error as? APIResponseError ?? .invalidParseResponse(error))
    }
}
