import Dispatch
import Synchronization

/// What each thread is building now, outermost first, so that builders that need each other in a circle end
/// in a message instead of a stack overflow or a deadlock.
///
/// Chains are followed only while a build-once builder runs, or when builders are nested deeper than
/// ``Readers/slotCount``: the normal path pays nothing for them. One process-wide lock guards all chains; no
/// builder runs under it. A builder is synchronous, so what it holds on to is a thread: a task that it
/// starts does not belong to its chain.
enum BuildChain {
    /// What the one who asked for a build-once value has to do.
    enum Turn {
        /// Build it, then call ``finish(_:)``.
        case build
        /// Another thread builds it: wait for the semaphore, then call ``endWait()`` and look again.
        case wait(DispatchSemaphore)
        /// It can never be built; the names of the Apis in the circle, the first one again at the end.
        case circle([String])
    }

    private struct Frame {
        let builder: ObjectIdentifier
        let api: Any.Type
    }

    private struct State {
        var frames: [ThreadID: [Frame]] = [:]
        /// Which thread builds a build-once value.
        var owners: [ObjectIdentifier: ThreadID] = [:]
        /// Which build-once value a thread waits for.
        var awaited: [ThreadID: ObjectIdentifier] = [:]
        var waiters: [ObjectIdentifier: [DispatchSemaphore]] = [:]

        /// The circle that closes when `thread` needs `builder`, if one does.
        func circle(from builder: ObjectIdentifier, api: Any.Type, thread: ThreadID) -> [String]? {
            var types: [Any.Type] = []
            var next = builder
            while let owner = owners[next] {
                let frames = frames[owner, default: []]
                types += frames.drop { $0.builder != next }.map(\.api)
                if owner == thread { return Self.names(types + [api]) }
                guard let awaited = awaited[owner] else { return nil }
                next = awaited
            }
            return nil
        }

        /// The names along the circle, the first one again at the end. A registration and its build-once
        /// value follow each other under one name, which is said once.
        static func names(_ types: [Any.Type]) -> [String] {
            let names = types.map { String(reflecting: $0) }
            let different = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
            return different.count == 1 ? different + different : different
        }
    }

    /// Whether a chain may be followed here. A hint, for a task that a builder starts has it too; only a
    /// thread that is in `frames` has a chain.
    @TaskLocal static var isFollowed = false

    /// How often a builder may be nested in itself, beyond the reader slots, before that is taken for a
    /// circle. A stack of 512 KB holds some circles of that size.
    private static let mostRepeats = 64

    private static let state = Locked(State())

    /// A thread's turn with a build-once value, known by the identity of `builder`.
    static func turn(_ builder: ObjectIdentifier, api: Any.Type) -> Turn {
        let thread = currentThread()
        return state.withLock { state in
            guard state.owners[builder] != nil else {
                state.owners[builder] = thread
                state.frames[thread, default: []].append(Frame(builder: builder, api: api))
                return .build
            }
            if let circle = state.circle(from: builder, api: api, thread: thread) { return .circle(circle) }
            let done = DispatchSemaphore(value: 0)
            state.waiters[builder, default: []].append(done)
            state.awaited[thread] = builder
            return .wait(done)
        }
    }

    /// The build-once value is there: those who wait for it go on.
    static func finish(_ builder: ObjectIdentifier) {
        let waiters = state.withLock { state in
            state.owners[builder] = nil
            pop(&state)
            return state.waiters.removeValue(forKey: builder) ?? []
        }
        for waiter in waiters { waiter.signal() }
    }

    /// The calling thread has waited.
    static func endWait() {
        let thread = currentThread()
        state.withLock { $0.awaited[thread] = nil }
    }

    /// Runs the builder of a plain registration as a link of the calling thread's chain.
    ///
    /// - Parameter isDeep: Whether so many builders are nested that the same one twice means a circle. A
    ///   thread without a chain starts one then.
    static func following<T>(_ box: ApiBox<T>, isDeep: Bool, build: () -> T) -> T {
        let thread = currentThread()
        let builder = ObjectIdentifier(box)
        let (isLink, circle): (Bool, [String]?) = state.withLock { state in
            guard isDeep || state.frames[thread] != nil else { return (false, nil) }
            state.frames[thread, default: []].append(Frame(builder: builder, api: T.self))
            guard isDeep else { return (true, nil) }
            let frames = state.frames[thread, default: []]
            let places = frames.indices.filter { frames[$0].builder == builder }
            guard places.count > mostRepeats else { return (true, nil) }
            return (true, State.names(frames[places[places.count - 2]...].map(\.api)))
        }
        if let circle { stop(circle, at: box.site) }
        guard isLink else { return build() }
        defer { state.withLock { pop(&$0) } }
        return $isFollowed.withValue(true) { build() }
    }

    /// Stops the process with the circle in the message, at the builder that closes it.
    static func stop(_ circle: [String], at site: CallSite) -> Never {
        fatalError(
            """
            the builders of these Apis need each other in a circle: \(circle.joined(separator: " -> ")). None \
            of them can ever be finished. Ask for one of them later: in the method that needs it, not while \
            the IMP is being made.
            """, file: site.file, line: site.line)
    }

    private static func pop(_ state: inout State) {
        let thread = currentThread()
        state.frames[thread]?.removeLast()
        if state.frames[thread]?.isEmpty == true { state.frames[thread] = nil }
    }
}
