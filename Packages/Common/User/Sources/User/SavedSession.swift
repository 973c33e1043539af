import Foundation
import Locking
import Storage
import UserApi

/// The saved session: the passenger in a document, the token in the storage's secrets.
///
/// The secret contains the whole session, and is valid only if it belongs to the same passenger as the document.
/// A crash between the two writes, a document without its secret (on a new device) and a secret without its
/// document (after a reinstall) therefore all mean that nobody is logged in.
///
/// All operations are thread-safe.
final class SavedSession: Sendable {
    /// The document's value.
    struct Value: Codable, Sendable {
        var session: Passenger?
        /// A new identifier for each change, so that another process in the app group also notices a change that
        /// replaces only the token.
        fileprivate var change: UUID?
        /// The session from a version 1 file, with its token.
        fileprivate var unprotected: SignedSession?

        private enum CodingKeys: CodingKey { case session, change }
    }

    /// A session as stored in the file, without the token.
    struct Passenger: Codable, Sendable {
        let id: String
        let name: String
        fileprivate var secret = Secret()

        private enum CodingKeys: CodingKey { case id, name }

        init(_ session: SignedSession) {
            (id, name) = (session.id, session.name)
            secret.session.withLock { $0 = session }
        }
    }

    /// A passenger's session, with its token. Set at log-in, or read from the secrets on first use after the
    /// document was read.
    fileprivate final class Secret: Sendable {
        let session = Locked(SignedSession?.none)
    }

    /// The document's value in version 1.
    private struct Version1: Decodable {
        var session: SignedSession?
    }

    private static let secret = "user-session"

    private let document: Document<Value>
    private let secrets: any Secrets

    /// Opens the session. Moves the token from a version 1 file into the secrets, and rewrites the file without
    /// the token.
    ///
    /// - Throws: ``StorageError`` if the session cannot be read or moved.
    init(in storage: Storage) throws {
        secrets = storage.secrets
        document = try storage.document(
            "user", version: 2, default: Value(),
            migrations: [
                Migration(from: 1) { (old: Version1) in
                    Value(session: old.session.map(Passenger.init), unprotected: old.session)
                }
            ])
        if let session = document.value.unprotected {
            try secrets.setSecret(JSONEncoder().encode(session), name: Self.secret)
            try document.update { $0.unprotected = nil }
        }
        if let passenger = document.value.session { _ = try session(of: passenger) }
    }

    /// The current session; nil when nobody is logged in.
    var session: SignedSession? { document.value.session.flatMap { try? session(of: $0) } }

    private func session(of passenger: Passenger) throws(StorageError) -> SignedSession? {
        try passenger.secret.session.withLock { (known) throws(StorageError) in
            if known == nil, let data = try secrets.secret(Self.secret) {
                // A secret that cannot be decoded as a session is treated as missing.
                known = try? JSONDecoder().decode(SignedSession.self, from: data)
            }
            return known?.id == passenger.id ? known : nil
        }
    }

    /// Replaces the session, or ends it. The secret and the document change under one lock, which also excludes the
    /// other processes of an app group.
    ///
    /// - Parameter change: Returns the new session; nil ends the session. Its argument is the current session, even if
    ///   another process has saved that session. It may throw to keep the current session.
    /// - Returns: The previous session.
    /// - Throws: ``UserApiError/notSaved(_:)`` or the error of `change`. The session then stays unchanged.
    func replace(
        with change: (_ current: SignedSession?) throws(UserApiError) -> SignedSession?
    ) throws(UserApiError) -> SignedSession? {
        var before: (session: SignedSession?, change: UUID?)?
        do throws(UserApiError) {
            return try document.update(orThrow: UserApiError.notSaved) { (value) throws(UserApiError) in
                let current = try read(value)
                let session = try change(current)
                before = (current, value.change)
                try save(session)
                (value.session, value.change) = (session.map(Passenger.init), UUID())
                return current
            }
        } catch {
            // If restoring the secret fails too, nobody is logged in after the next launch. A session that another
            // process has saved since then keeps its secret.
            if let before {
                try? document.update { value in
                    if value.change == before.change { try save(before.session) }
                }
            }
            throw error
        }
    }

    private func read(_ value: Value) throws(UserApiError) -> SignedSession? {
        guard let passenger = value.session else { return nil }
        do throws(StorageError) {
            return try session(of: passenger)
        } catch {
            throw .notSaved("\(error)")
        }
    }

    private func save(_ session: SignedSession?) throws(UserApiError) {
        do {
            try secrets.setSecret(session.map { try JSONEncoder().encode($0) }, name: Self.secret)
        } catch {
            throw .notSaved("\(error)")
        }
    }
}
