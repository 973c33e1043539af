import Synchronization

/// One session: the period from the first use of a key until ``ApiCenter/endSession(_:)``.
///
/// The center, or the scope of overrides, holds the session until it ends, and every running call and builder that uses
/// the session holds it until the call returns. The objects of the session are freed with it.
final class Session: Sendable {
    let end: SessionEnd
    private let cleanUps = Locked<[@Sendable () -> Void]>([])

    init(key: ObjectIdentifier, in sessions: Sessions) { end = SessionEnd(key: key, in: sessions) }

    deinit {
        // A session ends with its center, too.
        SessionEnd.happen { end }
        for cleanUp in cleanUps.withLock({ $0 }) { cleanUp() }
    }

    /// Adds a closure that runs when the last user of this session has left it.
    func atEnd(_ cleanUp: @escaping @Sendable () -> Void) { cleanUps.withLock { $0.append(cleanUp) } }
}

/// The end of one session. What was built from an object of the session holds the end instead of the session, whose
/// objects it would keep alive.
final class SessionEnd: Sendable {
    let key: ObjectIdentifier
    weak let sessions: Sessions?
    /// Set once, under the lock of `dependents`. A load without that lock may miss an end that is happening at the same
    /// time. It does not miss an end whose call returned before.
    private let isOver = Atomic(false)
    /// The ends of the sessions that contain objects built from an object of this session.
    private let dependents = Locked<[SessionEnd]>([])
    /// Held while sessions end, of any center. No code of the app runs under it.
    private static let ending = Locked<Void>(())

    init(key: ObjectIdentifier, in sessions: Sessions) { (self.key, self.sessions) = (key, sessions) }

    var hasHappened: Bool { isOver.load(ordering: .acquiring) }

    /// Ends the session that `find` returns, and the sessions that were built from its objects. The end is in force when
    /// the call returns, even if another call has begun it. The caller must hold no lock.
    static func happen(to find: () -> SessionEnd?) {
        // All ends are in force before the first object is released, whose deinit may use the center.
        _ = ending.withLock { _ -> [(Sessions, Session?)?] in
            var ends = [find()].compactMap(\.self), ended: [(Sessions, Session?)?] = []
            while let end = ends.popLast() {
                // First, so that whoever finds that the session is over gets another one.
                ended.append(end.sessions.map { ($0, $0.remove(end)) })
                ends += end.dependents.withLock { dependents in
                    end.isOver.store(true, ordering: .releasing)
                    defer { dependents = [] }
                    return dependents
                }
            }
            return ended
        }
    }

    /// Makes another session end with this one. Returns false if this session has ended; the other one then goes on.
    func alsoEnds(_ other: SessionEnd) -> Bool {
        dependents.withLock { dependents in
            guard !hasHappened else { return false }
            if !dependents.contains(where: { $0 === other }) {
                // Only sessions that still run stay in the list, so that it does not grow with their number.
                dependents.removeAll(where: \.hasHappened)
                dependents.append(other)
            }
            return true
        }
    }
}

/// The sessions that an object was built from. An object of a session ends with the other sessions that it was built
/// from, so these are listed only if they had ended before: such an object is for the ended sessions' builders alone.
final class Origins: Sendable {
    private let sessions = Locked<[SessionEnd]>([])

    var ends: [SessionEnd] { sessions.withLock { $0 } }

    /// Adds a session. If the session has ended and `evenIfEnded` is false, changes nothing and returns false.
    func add(_ end: SessionEnd, evenIfEnded: Bool) -> Bool {
        sessions.withLock { sessions in
            guard evenIfEnded || !end.hasHappened else { return false }
            if !sessions.contains(where: { $0 === end }) { sessions.append(end) }
            return true
        }
    }

    /// Forgets the sessions that a failed attempt to build the object used.
    func clear() { sessions.withLock { $0 = [] } }
}

/// The current sessions of a center, or of one scope of overrides.
final class Sessions: Sendable {
    private let current = Locked<[ObjectIdentifier: Session]>([:])

    /// The current session of `key`. If the key has no session, one begins.
    func session(_ key: ObjectIdentifier) -> Session {
        current.withLock { sessions in
            let session = sessions[key] ?? Session(key: key, in: self)
            sessions[key] = session
            return session
        }
    }

    /// The end of the current session of `key`, if any.
    func end(_ key: ObjectIdentifier) -> SessionEnd? { current.withLock { $0[key]?.end } }

    /// Removes and returns the session that ends, unless another one is current.
    func remove(_ end: SessionEnd) -> Session? {
        current.withLock { $0[end.key]?.end === end ? $0.removeValue(forKey: end.key) : nil }
    }
}

/// A cell that holds one value for each session of a key.
final class SessionCell<T: Sendable>: Sendable {
    private let key: ObjectIdentifier
    private let site: CallSite
    private let build: ApiScope<T>.Builder
    /// The values, by the identity of their session. A session removes its value before its identity is free.
    private let values = Locked<[ObjectIdentifier: OnceCell<T>]>([:])

    init(key: ObjectIdentifier, site: CallSite, build: @escaping ApiScope<T>.Builder) {
        (self.key, self.site, self.build) = (key, site, build)
    }

    /// The value for a caller of `center`, which is built if the session has none yet.
    func value(for center: ApiCenter) throws -> T {
        while true {
            let session = BuildChain.session(key, of: center.currentSessions, for: T.self)
            let id = ObjectIdentifier(session)
            let cell = values.withLock { values in
                if let cell = values[id] { return cell }
                let cell = OnceCell(site: site, build: build)
                values[id] = cell
                session.atEnd { [weak self] in self?.remove(id) { _ in true } }
                return cell
            }
            // Keeps the session until all locks are released: its last user frees its objects.
            let (value, isNew) = try withExtendedLifetime(session) {
                try cell.value(in: center, lifetime: .session(session, cell.origins))
            }
            // The session may have ended while another thread built the value, and another user may have logged in.
            if isNew || BuildChain.end(with: cell.origins.ends + [session.end], for: T.self) { return value }
            // The value contains an object of an ended session. Without the removal, this loop would find the value again.
            if cell.origins.ends.contains(where: \.hasHappened) { remove(id) { $0 === cell } }
        }
    }

    private func remove(_ id: ObjectIdentifier, if matches: (OnceCell<T>) -> Bool) {
        // The closure returns the value instead of releasing it, so that no deinit runs under the lock.
        _ = values.withLock { $0[id].map(matches) == true ? $0.removeValue(forKey: id) : nil }
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
    ///   all IMPs of this session that the builder requests still belong to the old session. An IMP of another scope that
    ///   exists already may belong to the new session.
    /// - What is built from an object of a session ends with it. If the builder of an IMP of another session requests an
    ///   IMP of this session, directly or through other builders, that other session ends with this one; an IMP of the
    ///   scope ``weak`` is built anew. If the builder of a `once` IMP does, the process stops with a message that names
    ///   both: the `once` IMP would keep an object of a session that has ended.
    /// - The center sees only what a builder requests while it runs, on its own thread. It does not see an object that a
    ///   method requests and stores, or that a task of the builder requests: such code must let go of the object itself.
    ///
    /// Thread-safe. A call that finds an existing IMP takes three locks briefly.
    public static func session<Key>(_ key: Key.Type) -> ApiScope {
        ApiScope { SessionCell(key: ObjectIdentifier(key), site: $1, build: $0).value(for:) }
    }
}

extension ApiCenter {
    /// Ends the current session of `key`: the center releases every IMP with the scope ``ApiScope/session(_:)`` of this
    /// key, and later calls build new ones.
    ///
    /// Sessions that were built from an object of this session end with it (see ``ApiScope/session(_:)``).
    ///
    /// A caller that has an IMP of the session keeps it. A call that is in progress may return an IMP of the old session,
    /// which is freed with its last user. A call that begins after this one has returned does not, unless a builder of
    /// the old session makes the call. Inside a scope of overrides, only the sessions of this scope end. Does nothing
    /// if no IMP of the session has been requested.
    ///
    /// Thread-safe. When several threads end a session, the end is in force when any of their calls returns. The center
    /// holds no lock of its own while it releases IMPs, so their `deinit` may use the center, where the session has ended
    /// already. If a `once` builder releases an IMP, for example by ending the session, the IMP's `deinit` runs inside
    /// this builder, and must not request the value that is being built.
    public func endSession<Key>(_ key: Key.Type) {
        SessionEnd.happen { [sessions = currentSessions] in sessions.end(ObjectIdentifier(key)) }
    }

    /// The sessions of this center's innermost scope in the current task, or of the center itself.
    var currentSessions: Sessions { currentScope?.sessions ?? sessions }
}
