/// The server's certificate is not trusted: its issuer is unknown, it is for another name, or it has expired.
///
/// Clients report this error inside ``APITransportError/broken(_:)``, and callers receive it inside
/// ``APIError/connectionError(_:)``. The request is not retried, because the certificate would be the same.
public struct APIUntrustedServer: Error, Sendable, CustomStringConvertible {
    /// The requested host; empty if it is unknown.
    public let host: String
    /// The transport's error.
    public let underlying: any Error

    /// Creates an error for the certificate of this host.
    public init(host: String, underlying: any Error) { (self.host, self.underlying) = (host, underlying) }

    /// The error and how to fix it.
    public var description: String {
        "the certificate of \(host.isEmpty ? "the server" : host) is not trusted: \(underlying). Add its "
            + "issuer to the trusted certificates of the transport, or fix the server's certificate"
    }
}
