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
/// at half of the stack, so a cycle is found if one round of the cycle uses less than a quarter of the stack.
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
        case session(Session)
    }

    struct Frame {
        let builder: ObjectIdentifier
        let api: Any.Type
        /// The lifetime of a build-once value; nil for a plain builder, which keeps nothing.
        var lifetime: Lifetime?

        var session: Session? { if case .session(let session)? = lifetime { session } else { nil } }
    }

    private struct State {
        var frames: [ThreadID: [Frame]] = [:]
        /// For each build-once value that is being built: the thread that builds the value, and its attempt.
        var owners: [ObjectIdentifier: (thread: ThreadID, attempt: BuildAttempt)] = [:]
        /// The build-once value that each thread is waiting for.
        var awaited: [ThreadID: ObjectIdentifier] = [:]

        /// The cycle that `thread` would close by waiting for `builder`; nil if waiting closes no cycle.
        func cycle(from builder: ObjectIdentifier, api: Any.Type, thread: ThreadID) -> [String]? {
            var types: [Any.Type] = []
            var next = builder
            while let owner = owners[next] {
                let frames = frames[owner.thread, default: []]
                types += frames.drop { $0.builder != next }.map(\.api)
                if owner.thread == thread { return Self.names(types + [api]) }
                guard let awaited = awaited[owner.thread] else { return nil }
                next = awaited
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
            if let cycle = state.cycle(from: frame.builder, api: frame.api, thread: thread) {
                return .cycle(cycle)
            }
            state.awaited[thread] = frame.builder
            return .wait(owner.attempt)
        }
    }

    /// Records that the build of a build-once value has ended. The caller then releases its lock, which wakes
    /// the threads that wait for the value.
    static func finish(_ builder: ObjectIdentifier) {
        state.withLock { state in
            state.owners[builder] = nil
            pop(&state)
        }
    }

    /// Records that the calling thread is no longer waiting.
    static func endWait() {
        let thread = currentThread()
        state.withLock { $0.awaited[thread] = nil }
    }

    /// Runs the builder of a plain registration as a link of the calling thread's chain.
    ///
    /// - Parameter isDeep: Whether the thread has used half of its stack. If so, a thread without a
    ///   chain starts one, and a builder that the chain already contains counts as a cycle if the stack is
    ///   nearly used up.
    static func following<T>(_ box: ApiBox<T>, isDeep: Bool, build: () throws -> T) rethrows -> T {
        let thread = currentThread()
        let frame = Frame(builder: ObjectIdentifier(box), api: T.self)
        let isNearEnd = isDeep && ThreadStack.isNearlyUsedUp
        let (isLink, cycle): (Bool, [String]?) = state.withLock { state in
            guard isDeep || state.frames[thread] != nil else { return (false, nil) }
            let outer = state.frames[thread, default: []]
            state.frames[thread, default: []].append(frame)
            guard isNearEnd, let first = outer.lastIndex(where: { $0.builder == frame.builder }) else {
                return (true, nil)
            }
            return (true, State.names(outer[first...].map(\.api) + [T.self]))
        }
        if let cycle { stop(cycle, at: box.site) }
        guard isLink else { return try build() }
        defer { state.withLock { pop(&$0) } }
        return try $isFollowed.withValue(true) { try build() }
    }

    /// The session of `key` in which the calling thread requests an object of the type `api`. If the thread is building
    /// a value of a session of this key, this session, because a value must not be built from two sessions; otherwise
    /// the current one. What the thread is building ends with the session.
    static func session(_ key: ObjectIdentifier, of sessions: Sessions, for api: Any.Type) -> Session {
        guard isFollowed else { return sessions.session(key) }
        let outer = frames().lazy.compactMap(\.session).last {
            $0.end.key == key && $0.end.sessions === sessions
        }
        while true {
            let session = outer ?? sessions.session(key)
            if end(with: [session.end], for: api) || outer != nil { return session }
        }
    }

    /// Makes what the calling thread is building end with sessions, because it requests an object of the type `api` that
    /// ends with them. Stops the process if the thread is building a value that would outlive the sessions.
    ///
    /// - Returns: Whether the sessions' ends will find what is being built. If one of the sessions had ended already, the
    ///   caller should use a newer object. What is being built is then not kept.
    static func end(with ends: [SessionEnd], for api: Any.Type) -> Bool {
        guard !ends.isEmpty, isFollowed else { return true }
        let frames = frames()
        var isInTime = true
        for end in ends {
            outward: for index in frames.indices.reversed() {
                switch frames[index].lifetime {
                // The values outside of this one end with the session already.
                case .session(let session) where session.end === end: break outward
                case .session(let session): isInTime = end.alsoEnds(session.end) && isInTime
                case .holders(let origins): isInTime = origins.add(end) && isInTime
                case .builder(let site): stop(State.names(frames[index...].map(\.api) + [api]), keptAt: site)
                case nil: continue
                }
            }
        }
        return isInTime
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
            None of these builders can ever finish. Ask for one of the Apis later: in the method that needs \
            the Api, not in a builder.
            """, file: site.file, line: site.line)
    }

    private static func pop(_ state: inout State) {
        let thread = currentThread()
        state.frames[thread]?.removeLast()
        if state.frames[thread]?.isEmpty == true { state.frames[thread] = nil }
    }
}
