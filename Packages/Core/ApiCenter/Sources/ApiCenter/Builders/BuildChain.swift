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
        /// Another thread is building the value: wait for its lock, call ``endWait()``, and look for the value
        /// again.
        case wait(BuildLock)
        /// The value can never be built, because it depends on itself. The associated value lists the Apis in the
        /// cycle, with the first name repeated at the end.
        case cycle([String])
    }

    private struct Frame {
        let builder: ObjectIdentifier
        let api: Any.Type
    }

    private struct State {
        var frames: [ThreadID: [Frame]] = [:]
        /// For each build-once value that is being built: the thread that builds the value, and the lock that
        /// the thread holds.
        var owners: [ObjectIdentifier: (thread: ThreadID, lock: BuildLock)] = [:]
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

    /// Decides what the calling thread must do to get the build-once value that `builder` identifies.
    ///
    /// - Parameter lock: The lock that other threads wait for if this thread builds the value. The caller
    ///   already holds the lock, so no other thread can acquire the lock before the value is built.
    static func turn(_ builder: ObjectIdentifier, api: Any.Type, holding lock: BuildLock) -> Turn {
        let thread = currentThread()
        return state.withLock { state in
            guard let owner = state.owners[builder] else {
                state.owners[builder] = (thread, lock)
                state.frames[thread, default: []].append(Frame(builder: builder, api: api))
                return .build
            }
            if let cycle = state.cycle(from: builder, api: api, thread: thread) { return .cycle(cycle) }
            state.awaited[thread] = builder
            return .wait(owner.lock)
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
    /// - Parameter isDeep: Whether the thread may have used half of its stack. If so, a thread without a
    ///   chain starts one, and a builder that the chain already contains counts as a cycle if the stack is
    ///   nearly used up.
    static func following<T>(_ box: ApiBox<T>, isDeep: Bool, build: () -> T) -> T {
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
        guard isLink else { return build() }
        defer { state.withLock { pop(&$0) } }
        return $isFollowed.withValue(true) { build() }
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
