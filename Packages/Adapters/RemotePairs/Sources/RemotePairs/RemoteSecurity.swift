import Foundation
import GRPCNIOTransportHTTP2Posix
import NIOSSL

/// How a connection is protected. Caller and server must use the same protection.
public enum RemoteSecurity: Sendable, Hashable {
    /// No protection. Only loopback addresses are accepted.
    case loopback
    /// Mutual TLS: each side presents a certificate that the other side's authority has signed. The three files are in
    /// PEM format. The server's certificate must contain the server's IP address or, for a `dns:` address, either the
    /// name or the IP address.
    case mutualTLS(certificate: String, key: String, authority: String)
    /// No protection, whatever the address. Anyone on the network can read, change and forge calls.
    case insecure

    /// Checks the addresses, and reads the files for mutual TLS.
    ///
    /// - Throws: ``RemoteSetupError`` if the addresses need TLS, or if a file cannot be read or used.
    func files(for addresses: RemoteAddresses) throws(RemoteSetupError) -> TLSFiles? {
        switch self {
        case .insecure: return nil
        case .loopback:
            guard addresses.isLoopback else {
                throw RemoteSetupError(
                    place: "the address '\(addresses)'",
                    what: "it is not on this machine, and TLS is not configured",
                    why: "anyone on the network could read and forge the calls",
                    fix:
                        "pass a certificate, its key and an authority, or mark the connection as insecure"
                )
            }
            return nil
        case .mutualTLS(let certificate, let key, let authority):
            return try TLSFiles(certificate, key, authority)
        }
    }
}

/// The contents of the three files for mutual TLS. The key is known to match the certificate.
struct TLSFiles {
    private let certificate, key, authority: [UInt8]

    init(_ certificate: String, _ key: String, _ authority: String) throws(RemoteSetupError) {
        let chain: [NIOSSLCertificate]
        let privateKey: NIOSSLPrivateKey
        (self.certificate, chain) = try Self.read("certificate", certificate, NIOSSLCertificate.fromPEMBytes)
        (self.key, privateKey) = try Self.read("key", key) { try NIOSSLPrivateKey(bytes: $0, format: .pem) }
        (self.authority, _) = try Self.read("authority", authority, NIOSSLCertificate.fromPEMBytes)
        let both = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        do { _ = try NIOSSLContext(configuration: both) } catch {
            throw Self.error("key", key, "it is not the key of the certificate '\(certificate)'")
        }
    }

    var client: HTTP2ClientTransport.Posix.TransportSecurity {
        .mTLS(certificateChain: [.bytes(certificate, format: .pem)], privateKey: .bytes(key, format: .pem)) {
            $0.trustRoots = .certificates([.bytes(authority, format: .pem)])
        }
    }

    var server: HTTP2ServerTransport.Posix.TransportSecurity {
        .mTLS(certificateChain: [.bytes(certificate, format: .pem)], privateKey: .bytes(key, format: .pem)) {
            $0.trustRoots = .certificates([.bytes(authority, format: .pem)])
        }
    }

    /// Returns the bytes of a file, and the result of `parse`.
    private static func read<Parsed>(
        _ role: String, _ file: String, _ parse: ([UInt8]) throws -> Parsed
    ) throws(RemoteSetupError) -> ([UInt8], Parsed) {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw error(role, file, "the file cannot be read")
        }
        do { return ([UInt8](data), try parse([UInt8](data))) } catch {
            throw Self.error(
                role, file, "the file has no \(role == "key" ? "key" : "certificate") in PEM format")
        }
    }

    private static func error(_ role: String, _ file: String, _ what: String) -> RemoteSetupError {
        RemoteSetupError(
            place: "the \(role) '\(file)'", what: what,
            why: "mutual TLS needs a certificate, its own key, and the authority that signs the other side's",
            fix:
                "pass the path of the right PEM file, which `openssl \(role == "key" ? "pkey" : "x509") -in FILE` reads"
        )
    }
}
