#if canImport(Security)
import Foundation
import Security

/// Configures which servers a ``URLSessionAPIClient`` trusts, beyond the system's own checks.
///
/// For Apple platforms only. The library is developed on Linux, where this type is compiled against stand-ins
/// (`Scripts/apple`) but not tested.
///
/// Source: Apple, "Performing manual server trust authentication":
/// https://developer.apple.com/documentation/foundation/performing-manual-server-trust-authentication
public struct APIServerTrust: Sendable {
    /// If not empty, the server's certificate must have one of these public keys. See
    /// ``APIPublicKey/pin(ofSubjectPublicKeyInfo:)``.
    public var pinnedKeys: Set<String>
    /// Additional trusted root certificates, DER-encoded.
    public var roots: [Data]

    /// Creates a configuration.
    public init(pinnedKeys: Set<String> = [], roots: [Data] = []) {
        (self.pinnedKeys, self.roots) = (pinnedKeys, roots)
    }

    /// The server's certificate or its key is not trusted.
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// - Throws: An error if the server is not trusted.
    func check(_ trust: SecTrust) throws {
        if !roots.isEmpty {
            let anchors = roots.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            guard anchors.count == roots.count, SecTrustSetAnchorCertificates(trust, anchors as CFArray) == 0,
                SecTrustSetAnchorCertificatesOnly(trust, false) == 0
            else { throw Mismatch(description: "a root is not a DER-encoded certificate") }
        }
        var error: CFError?
        guard unsafe SecTrustEvaluateWithError(trust, &error) else {
            throw Mismatch(description: error.map { "\($0)" } ?? "the certificate is not trusted")
        }
        guard !pinnedKeys.isEmpty else { return }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        guard let key = chain?.first.flatMap({ SecCertificateCopyKey($0) }),
            let data = SecKeyCopyExternalRepresentation(key, nil)
        else { throw Mismatch(description: "the server's public key cannot be read") }
        let pin = APIPublicKey.pin(
            ofSubjectPublicKeyInfo: APIPublicKey.subjectPublicKeyInfo(data as Data))
        guard pinnedKeys.contains(pin) else {
            throw Mismatch(description: "the server's public key is not pinned: sha256/\(pin)")
        }
    }
}
#endif
