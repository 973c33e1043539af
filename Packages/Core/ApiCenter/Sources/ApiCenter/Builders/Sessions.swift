/// One session: the period from the first use of a key until ``ApiCenter/endSession(_:)``.
///
/// The center, or the scope of overrides, holds the session until it ends, and every running call and builder that uses
/// the session holds it until the call returns. The objects of the session are freed with it.
final class Session: Sendable {
    let key: ObjectIdentifier
    /// Identifies the center or the scope that this session belongs to. Only compared.
    let owner: ObjectIdentifier
    private let cleanUps = Locked<[@Sendable () -> Void]>([])

    init(key: ObjectIdentifier, owner: ObjectIdentifier) {
        (self.key, self.owner) = (key, owner)
    }

    deinit {
        for cleanUp in cleanUps.withLock({ $0 }) { cleanUp() }
    }

    /// Adds a closure that runs when the last user of this session has left it.
    func atEnd(_ cleanUp: @escaping @Sendable () -> Void) { cleanUps.withLock { $0.append(cleanUp) } }
}

/// The current sessions of a center, or of one scope of overrides.
final class Sessions: Sendable {
    private let current = Locked<[ObjectIdentifier: Session]>([:])

    /// The current session of `key`. If the key has no session, one begins.
    func session(_ key: ObjectIdentifier) -> Session {
        current.withLock { sessions in
            if let session = sessions[key] { return session }
            let session = Session(key: key, owner: ObjectIdentifier(self))
            sessions[key] = session
            return session
        }
    }

    /// Ends the current session of `key`. The caller releases the session, so that no deinit runs under the lock.
    func end(_ key: ObjectIdentifier) -> Session? { current.withLock { $0.removeValue(forKey: key) } }
}

/// A cell that holds one value for each session of a key.
final class SessionCell<T: Sendable>: Sendable {
    private let key: ObjectIdentifier
    private let site: CallSite
    private let build: @Sendable (ApiCenter) -> T
    /// The values, by the identity of their session. A session removes its value before its identity is free.
    private let values = Locked<[ObjectIdentifier: OnceCell<T>]>([:])

    init(key: ObjectIdentifier, site: CallSite, build: @escaping @Sendable (ApiCenter) -> T) {
        (self.key, self.site, self.build) = (key, site, build)
    }

    /// The value for a caller of `center`, which is built if the session has none yet.
    func value(for center: ApiCenter) -> T {
        let sessions = center.currentSessions
        let pinned = center.gate.isClear ? nil : BuildChain.session(key, of: sessions, for: T.self)
        let session = pinned ?? sessions.session(key)
        let cell = values.withLock { values in
            if let cell = values[ObjectIdentifier(session)] { return cell }
            let cell = OnceCell(site: site, build: build)
            values[ObjectIdentifier(session)] = cell
            session.atEnd { [weak self, id = ObjectIdentifier(session)] in self?.forget(id) }
            return cell
        }
        // Keeps the session until all locks are released: its last user frees its objects.
        return withExtendedLifetime(session) { cell.value(in: center, lifetime: .session(session)) }
    }

    private func forget(_ session: ObjectIdentifier) {
        // The closure returns the value instead of releasing it, so that no deinit runs under the lock.
        let old = values.withLock { $0.removeValue(forKey: session) }
        _ = consume old
    }
}

extension ApiScope where T: Sendable {
    /// The same IMP until ``ApiCenter/endSession(_:)`` ends the session, then a new one: for what belongs to one log-in.
    ///
    /// ```swift
    /// center.register(CartApiProtocol.self, scope: .session(UserApiProtocol.self)) { CartService(center: $0) }
    /// ```
    ///
    /// - A session begins when one of its IMPs is first requested. The key is any type that all parties know, such as
    ///   the protocol of the module that ends the session. A session belongs to a center, or to a scope of
    ///   ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)``.
    /// - Otherwise, the rules of the function `once` apply. If the session ends while a builder of one of its IMPs runs,
    ///   all IMPs of this session that the builder requests still belong to the old session.
    /// - If the builder of a `once` IMP requests an IMP of a session, directly or through other builders, the process
    ///   stops with a message that names both: the `once` IMP would keep an object of a session that has ended.
    ///
    /// Thread-safe. A call takes two locks briefly.
    public static func session<Key>(_ key: Key.Type) -> ApiScope {
        ApiScope { build, site in
            let cell = SessionCell(key: ObjectIdentifier(key), site: site, build: build)
            return { center in cell.value(for: center) }
        }
    }
}

extension ApiCenter {
    /// Ends the current session of `key`: the center releases every IMP with the scope ``ApiScope/session(_:)`` of this
    /// key, and later calls build new ones.
    ///
    /// A caller that has an IMP of the session keeps it. A call that is in progress returns an IMP of the old session,
    /// which is freed with its last user. Inside a scope of overrides, only the session of this scope ends. Does nothing
    /// if no IMP of the session has been requested.
    ///
    /// Thread-safe. IMPs are released on the caller's thread with no lock held, so their `deinit` may use the center.
    public func endSession<Key>(_ key: Key.Type) {
        _ = currentSessions.end(ObjectIdentifier(key))
    }

    /// The sessions of this center's innermost scope in the current task, or of the center itself.
    var currentSessions: Sessions { currentScope?.sessions ?? sessions }
}
