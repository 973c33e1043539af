import APITransport
import Foundation
import NIOCore
import NIOSSL

/// Checks the server's public key on a new connection, before the first request is sent.
///
/// async-http-client has no setting for this check, but it waits for a debug hook, which can reject the connection.
enum PinnedKeys {
    /// The server's public key is not one of the pinned keys.
    struct Mismatch: Error, CustomStringConvertible {
        /// The key's digest; `nil` without TLS.
        let digest: String?

        var description: String {
            digest.map { "the server's public key is not pinned: sha256/\($0)" }
                ?? "the connection does not use TLS, so the server has no public key"
        }
    }

    /// Closes the connection, and fails, unless the server's certificate has one of these keys. An empty set allows
    /// every key.
    static func check(_ keys: Set<String>, of connection: any Channel) -> EventLoopFuture<Void> {
        guard !keys.isEmpty else { return connection.eventLoop.makeSucceededVoidFuture() }
        let checked = connection.eventLoop.submit {
            let handler = try? connection.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
            let digest = try (handler?.peerCertificate).map { try Self.digest(of: $0) }
            guard let digest, keys.contains(digest) else { throw Mismatch(digest: digest) }
        }
        // The pool learns of the failure before the connection closes.
        checked.whenFailure { _ in connection.eventLoop.execute { connection.close(promise: nil) } }
        return checked
    }

    /// Returns the pin of a certificate's key.
    static func digest(of certificate: NIOSSLCertificate) throws -> String {
        APIPublicKey.pin(ofSubjectPublicKeyInfo: Data(try certificate.extractPublicKey().toSPKIBytes()))
    }
}
