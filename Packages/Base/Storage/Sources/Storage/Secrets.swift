import Foundation
import Locking

/// A store for secrets: small named values such as tokens and passwords.
///
/// Every storage has one: ``Storage/secrets``. `KeychainSecrets` keeps secrets in the Keychain on Apple
/// platforms, ``FileSecrets`` in files that only this user can access, and ``InMemorySecrets`` only in
/// memory. An app may pass its own type.
///
/// All operations are thread-safe. A change is complete when the call returns.
public protocol Secrets: Sendable {
    /// Returns the secret with this name, or nil if no secret has this name.
    ///
    /// - Parameter name: 1 to 64 lower-case letters (a-z), digits and hyphens, as for documents.
    /// - Throws: A ``StorageError`` with the code `badName` or `unreadable`. A secret that cannot be read is not
    ///   necessarily lost: the Keychain, for example, is inaccessible until the device is first unlocked.
    func secret(_ name: String) throws(StorageError) -> Data?

    /// Stores or replaces a secret; nil removes it. Removing a missing secret has no effect.
    ///
    /// - Throws: A ``StorageError`` with the code `badName` or `notWritten`. ``Storage/secrets`` of a suspended
    ///   storage also throws `inUse` or `noFolder`. After an error, the secret is unchanged, except if
    ///   only the last step has failed, the flush of its folder: the new secret may then be read.
    func setSecret(_ secret: Data?, name: String) throws(StorageError)
}

/// Secrets that are kept only in memory: for tests, and for apps that must leave no data on disk.
public final class InMemorySecrets: Secrets {
    private let secrets = Locked([String: Data]())

    /// Creates an empty store.
    public init() {}

    /// Returns the secret with this name, or nil if no secret has this name.
    public func secret(_ name: String) throws(StorageError) -> Data? {
        guard StorageError.isGood(name: name) else { throw .badName(name) }
        return secrets.withLock { $0[name] }
    }

    /// Stores or replaces a secret; nil removes it.
    public func setSecret(_ secret: Data?, name: String) throws(StorageError) {
        guard StorageError.isGood(name: name) else { throw .badName(name) }
        secrets.withLock { $0[name] = secret }
    }
}

/// The secrets of a ``Storage``. A change holds the lock of the storage's folder, like an update to a
/// document. Reading needs no lock, because changes are atomic.
struct SecretsUnderLock: Secrets {
    let secrets: any Secrets
    let files: any StorageFiles

    func secret(_ name: String) throws(StorageError) -> Data? { try secrets.secret(name) }

    func setSecret(_ secret: Data?, name: String) throws(StorageError) {
        try files.operation(orThrow: { $0 }) { (_) throws(StorageError) in
            try secrets.setSecret(secret, name: name)
        }
    }
}
