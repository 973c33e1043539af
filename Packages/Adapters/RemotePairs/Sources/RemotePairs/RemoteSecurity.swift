import Foundation
import GRPCNIOTransportHTTP2Posix

/// How a connection is protected. Caller and server use the same kind.
public enum RemoteSecurity: Sendable, Hashable {
    /// No protection. Only addresses of this machine are accepted.
    case loopback
    /// Mutual TLS: each side shows a certificate that the other side's authority has signed. The three files are in
    /// PEM format. The server's certificate names its IP address, or the name after `dns:`. After `dns:`, a certificate
    /// that names the server's IP address is accepted too.
    case mutualTLS(certificate: String, key: String, authority: String)
    /// No protection for any address. Everybody on the network can read, change and forge calls.
    case insecure

    /// - Throws: ``RemoteSetupError`` if the addresses need TLS, or if a file cannot be read.
    func check(_ addresses: RemoteAddresses) throws(RemoteSetupError) {
        switch self {
        case .insecure: break
        case .loopback:
            guard addresses.isLoopback else {
                throw RemoteSetupError(
                    place: "the address '\(addresses)'",
                    what: "it is not on this machine, and there is no TLS",
                    why: "everybody on the network could read and forge the calls",
                    fix:
                        "pass a certificate, its key and an authority, or state that the connection is insecure"
                )
            }
        case .mutualTLS(let certificate, let key, let authority):
            for (what, file) in [("certificate", certificate), ("key", key), ("authority", authority)]
            where !FileManager.default.isReadableFile(atPath: file) {
                throw RemoteSetupError(
                    place: "the \(what) '\(file)'", what: "the file cannot be read",
                    why: "mutual TLS needs a certificate, its key and an authority",
                    fix: "pass the path of a readable PEM file")
            }
        }
    }

    var client: HTTP2ClientTransport.Posix.TransportSecurity {
        guard let (chain, key, roots) = sources else { return .plaintext }
        return .mTLS(certificateChain: chain, privateKey: key) { $0.trustRoots = roots }
    }

    var server: HTTP2ServerTransport.Posix.TransportSecurity {
        guard let (chain, key, roots) = sources else { return .plaintext }
        return .mTLS(certificateChain: chain, privateKey: key) { $0.trustRoots = roots }
    }

    /// The three files as gRPC reads them; nil without TLS.
    private var sources:
        (
            chain: [TLSConfig.CertificateSource], key: TLSConfig.PrivateKeySource,
            roots: TLSConfig.TrustRootsSource
        )?
    {
        guard case .mutualTLS(let certificate, let key, let authority) = self else { return nil }
        return (
            [.file(path: certificate, format: .pem)], .file(path: key, format: .pem),
            .certificates([.file(path: authority, format: .pem)])
        )
    }
}
