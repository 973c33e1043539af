/// The server could not prove who it is: its certificate is made by nobody who is trusted, is for another name,
/// or has expired. Clients throw it inside ``APITransportError/broken(_:)``, and it reaches callers inside
/// ``APIError/connectionError(_:)``. It is not tried again: the certificate will be the same.
public struct APIUntrustedServer: Error, Sendable, CustomStringConvertible {
    /// The host that was asked for; empty when that is not known.
    public let host: String
    /// What the transport says.
    public let underlying: any Error

    /// A refusal of this host's certificate.
    public init(host: String, underlying: any Error) { (self.host, self.underlying) = (host, underlying) }

    /// What went wrong, and how to mend it.
    public var description: String {
        "the certificate of \(host.isEmpty ? "the server" : host) is not trusted: \(underlying). Install its issuer "
            + "where the transport looks for trusted certificates, or see to the certificate"
    }
}
