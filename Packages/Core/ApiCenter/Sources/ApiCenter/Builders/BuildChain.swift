import Synchronization

/// Records the builders that each thread is running, outermost first, to detect dependency cycles between
/// builders. A cycle stops the process with a message instead of causing a stack overflow or a deadlock.
///
/// A chain is recorded only while a build-once builder runs, or when nested builders have used half of their
/// thread's stack, so the normal path has no overhead. One process-wide lock guards all chains; no builder runs
/// while this lock is held. A builder is synchronous, so its chain belongs to a thread; a task that a builder
/// starts is not part of the chain.
///
/// A build-once value that needs itself can never be built, so such a cycle is reported immediately. A plain builder
/// may request its own Api and still return, if its result depends on changing state. So a chain of plain builders
/// counts as a cycle only if it contains a builder twice and has used three quarters of the stack. Recording starts
/// below half of the stack, at the first call whose slot (see ``Readers``) an outer call has taken, which is the second
/// or third call there if each builder uses less than 64 KB. One round of the cycle must fit into the rest of the stack.
enum BuildChain {
    /// The next step of a thread that requests a build-once value.
    enum Turn {
        /// Build the value, then call ``finish(_:)``.
        case build
        /// Another thread is building the value: wait for its attempt, call ``endWait()``, and look for the value
        /// again.
        case wait(BuildAttempt)
        /// The value can never be built, because it depends on itself. The associated value lists the Apis in the
        /// cycle, with the first name repeated at the end.
        case cycle([String])
    }

    /// How long a build-once value is kept.
    enum Lifetime {
        /// As long as the builder, which is registered at the given place.
        case builder(CallSite)
        /// As long as a caller holds the value.
        case holders(Origins)
        /// Until the session ends. The origins are the ended sessions that the value was built from nevertheless, by a
        /// thread that was building a value of them.
        case session(Session, Origins)
    }

    struct Frame {
        let builder: ObjectIdentifier
        let api: Any.Type
        /// The lifetime of a build-once value; nil for a plain builder, which keeps nothing.
        var lifetime: Lifetime?

        var session: Session? { if case .session(let session, _)? = lifetime { session } else { nil } }
    }

    private struct State {
        var frames: [ThreadID: [Frame]] = [:]
        /// For each build-once value that is being built: the thread that builds the value, and its attempt.
        var owners: [ObjectIdentifier: (thread: ThreadID, attempt: BuildAttempt)] = [:]
        /// The build-once value that each thread is waiting for, and the attempt to build the value.
        var awaited: [ThreadID: (builder: ObjectIdentifier, attempt: BuildAttempt)] = [:]

        /// The cycle that `thread` would close by waiting for `builder`; nil if waiting closes no cycle.
        func cycle(from builder: ObjectIdentifier, api: Any.Type, _ thread: ThreadID) -> [String]? {
            var types: [Any.Type] = []
            var next = builder
            while let owner = owners[next] {
                let frames = frames[owner.thread, default: []]
                types += frames.drop { $0.builder != next }.map(\.api)
                if owner.thread == thread { return Self.names(types + [api]) }
                // If the attempt has ended, the thread is about to notice, and waits for nothing.
                guard let awaited = awaited[owner.thread],
                    owners[awaited.builder]?.attempt === awaited.attempt
                else { return nil }
                next = awaited.builder
            }
            return nil
        }

        /// The names of the Apis along a cycle, with the first name repeated at the end. A registration and its
        /// build-once value are adjacent and have the same name, which is listed only once.
        static func names(_ types: [Any.Type]) -> [String] {
            let names = types.map { String(reflecting: $0) }
            let different = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
            return different.count == 1 ? different + different : different
        }
    }

    /// Whether the current task may be running inside a recorded chain. This is only a hint, because a task that a
    /// builder starts inherits the value. A thread has a chain only if `frames` contains the thread.
    @TaskLocal static var isFollowed = false

    private static let state = Locked(State())

    /// Decides what the calling thread must do to get the build-once value that `frame` describes.
    ///
    /// - Parameter attempt: The attempt that other threads wait for if this thread builds the value. The caller
    ///   already holds its lock, so no other thread can acquire the lock before the attempt ends.
    static func turn(_ frame: Frame, in attempt: BuildAttempt) -> Turn {
        let thread = currentThread()
        return state.withLock { state in
            guard let owner = state.owners[frame.builder] else {
                state.owners[frame.builder] = (thread, attempt)
                state.frames[thread, default: []].append(frame)
                return .build
            }
            if let cycle = state.cycle(from: frame.builder, api: frame.api, thread) { return .cycle(cycle) }
            state.awaited[thread] = (frame.builder, owner.attempt)
            return .wait(owner.attempt)
        }
    }

    /// Records that the calling thread's innermost builder has ended. If it built a build-once value, the caller then
    /// releases its lock, which wakes the threads that wait for the value.
    static func finish(_ builder: ObjectIdentifier) {
        let thread = currentThread()
        state.withLock { state in
            state.owners[builder] = nil
            state.frames[thread]?.removeLast()
            if state.frames[thread]?.isEmpty == true { state.frames[thread] = nil }
        }
    }

    /// Records that the calling thread is no longer waiting.
    static func endWait() { state.withLock { $0.awaited[currentThread()] = nil } }

    /// Runs the builder of a plain registration as a link of the calling thread's chain.
    ///
    /// - Parameter isDeep: Whether the thread has used half of its stack. If so, a thread without a
    ///   chain starts one, and a builder that the chain already contains counts as a cycle if the stack is
    ///   nearly used up.
    static func following<T>(_ box: ApiBox<T>, isDeep: Bool, build: () throws -> T) rethrows -> T {
        let thread = currentThread()
        let frame = Frame(builder: ObjectIdentifier(box), api: T.self)
        let isNearEnd = ThreadStack.isHalfUsed && ThreadStack.isNearlyUsedUp
        let (isLink, cycle): (Bool, [String]?) = state.withLock { state in
            guard isDeep || state.frames[thread] != nil else { return (false, nil) }
            let outer = state.frames[thread, default: []]
            state.frames[thread, default: []].append(frame)
            let first = isNearEnd ? outer.lastIndex { $0.builder == frame.builder } : nil
            return (true, first.map { State.names(outer[$0...].map(\.api) + [T.self]) })
        }
        if let cycle { stop(cycle, at: box.site) }
        guard isLink else { return try build() }
        defer { finish(frame.builder) }
        return try $isFollowed.withValue(true) { try build() }
    }

    /// The session of `key` in which the calling thread requests an object of the type `api`. If the thread is building
    /// a value of a session of this key, this session, because a value must not be built from two sessions; otherwise
    /// the current one. What the thread is building ends with the session.
    static func session(_ key: ObjectIdentifier, of sessions: Sessions, for api: Any.Type) -> Session {
        guard isFollowed else { return sessions.session(key) }
        let outer = frames().compactMap(\.session).last { $0.end.key == key && $0.end.sessions === sessions }
        while true {
            let session = outer ?? sessions.session(key)
            if end(with: [session.end], for: api) { return session }
        }
    }

    /// Makes what the calling thread is building end with sessions, because it requests an object of the type `api` that
    /// ends with them. Stops the process if the thread is building a value that would outlive the sessions.
    ///
    /// - Returns: False if one of the sessions has ended: the caller must use a newer object. But if the thread is building
    ///   a value of that session, it continues with the session's objects; what it builds of other sessions is not kept.
    static func end(with ends: [SessionEnd], for api: Any.Type) -> Bool {
        let frames = isFollowed && !ends.isEmpty ? frames() : []
        return ends.allSatisfy { end in
            let isOwn = frames.contains { $0.session?.end === end }
            guard isOwn || !end.hasHappened else { return false }
            for index in frames.indices.reversed() {
                switch frames[index].lifetime {
                // The values outside of this one end with the session already.
                case .session(let session, _) where session.end === end: return true
                case .session(let session, let origins):
                    guard end.alsoEnds(session.end) || origins.add(end, evenIfEnded: isOwn) else {
                        return false
                    }
                case .holders(let origins): guard origins.add(end, evenIfEnded: isOwn) else { return false }
                case .builder(let site): stop(State.names(frames[index...].map(\.api) + [api]), keptAt: site)
                case nil: continue
                }
            }
            return true
        }
    }

    /// The frames of the calling thread, outermost first.
    private static func frames() -> [Frame] { state.withLock { $0.frames[currentThread(), default: []] } }

    /// Stops the process with a message that shows how a build-once value reaches an object of a session.
    private static func stop(_ chain: [String], keptAt site: CallSite) -> Never {
        fatalError(
            """
            \(chain[0]) is built once, and its builder requests an object of a session: \
            \(chain.joined(separator: " -> ")). The object would be kept after its session has ended. (An object \
            that was built from one of a session belongs to that session, too.) Register \
            \(chain[0]) with the scope of the same session, or ask for the object later: in the method that \
            needs it.
            """, file: site.file, line: site.line)
    }

    /// Stops the process with a message that shows the cycle and points to the builder that closes the cycle.
    static func stop(_ cycle: [String], at site: CallSite) -> Never {
        fatalError(
            """
            the builders of these Apis depend on each other in a cycle: \(cycle.joined(separator: " -> ")). \
            A builder cannot finish while it waits for itself. Ask for one of the Apis later: in the method \
            that needs the Api, not in a builder.
            """, file: site.file, line: site.line)
    }
}
