/// The reason why an exchange failed.
public enum APITransportError: Error, Sendable, CustomStringConvertible {
    /// No connection could be made: there is no network, the host does not exist, or it does not accept
    /// connections.
    case unreachable(any Error)
    /// The connection broke.
    case broken(any Error)
    /// The request could not be sent, for example because its body could not be read or its URL is invalid, or a file
    /// could not be written. Sending the request again would not help.
    case local(any Error)
    /// The exchange was cancelled.
    case cancelled

    /// The error as text.
    public var description: String {
        switch self {
        case .unreachable(let error): "unreachable: \(error)"
        case .broken(let error): "broken: \(error)"
        case .local(let error): "local: \(error)"
        case .cancelled: "cancelled"
        }
    }
}

/// The server's certificate is not trusted: its issuer is unknown, it was issued for another name, or it has expired.
///
/// Clients report this error inside ``APITransportError/broken(_:)``, and callers receive it inside
/// `APIError.connectionError(_:url:)`. The request is not retried, because the certificate would be the same.
public struct APIUntrustedServer: Error, Sendable, CustomStringConvertible {
    /// The requested host; empty if it is unknown.
    public let host: String
    /// The transport's error.
    public let underlying: any Error

    /// Creates an error for the certificate of this host.
    public init(host: String, underlying: any Error) { (self.host, self.underlying) = (host, underlying) }

    /// The error and how to fix it.
    public var description: String {
        "the certificate of \(host.isEmpty ? "the server" : host) is not trusted: \(underlying). Trust "
            + "its issuer or pin its key in the client's settings, or replace the server's certificate"
    }
}

/// The connection closed before any part of a response arrived, which can happen when a pooled connection is reused.
///
/// Clients report this error inside ``APITransportError/broken(_:)``. The service may then send the request again: see
/// `APIRetryPolicy`. If the request is not sent again, or fails the same way again, callers receive the error inside
/// `APIError.connectionError(_:url:)`. A client that has followed a redirect reports another error instead, because the
/// service would repeat the first request, which the server has already processed.
public struct APIClosedConnection: Error, Sendable, CustomStringConvertible {
    /// Whether it is certain that the server has not processed the request. If so, a request with any method may be
    /// sent again; otherwise, only a request with an idempotent method may.
    public let isUnprocessed: Bool
    /// The transport's error.
    public let underlying: any Error

    /// Creates an error for a request that may be sent again.
    public init(isUnprocessed: Bool, underlying: any Error) {
        (self.isUnprocessed, self.underlying) = (isUnprocessed, underlying)
    }

    /// The error as text.
    public var description: String { "the connection closed before a response arrived: \(underlying)" }
}
