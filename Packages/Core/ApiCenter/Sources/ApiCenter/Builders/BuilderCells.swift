import Synchronization

/// A value that is built exactly once and then kept. If its builder throws, the next caller builds it again.
@safe final class OnceCell<T: Sendable>: Sendable {
    /// A value, and whether the call that returns the value has built it.
    typealias Found = (value: T, isNew: Bool)

    private let site: CallSite
    private let build: ApiScope<T>.Builder
    /// The sessions that the value, or the attempt in progress, is built from.
    let origins = Origins()
    /// The pointer to the value; nil until the value is built. Set once, by the thread that builds the value.
    nonisolated(unsafe) private let built = unsafe Atomic<UnsafeMutablePointer<T>?>(nil)

    init(site: CallSite, build: @escaping ApiScope<T>.Builder) { (self.site, self.build) = (site, build) }

    deinit {
        // No thread can still read the value, because every reader retains this object.
        guard let value = unsafe built.load(ordering: .acquiring) else { return }
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// The value for a caller of `center`. Each scope of overrides has its own value.
    @inline(__always)
    func value(for center: ApiCenter) throws -> T {
        try center.gate.hasOverrides ? valueInScope(center) : value(in: center).value
    }

    @inline(never)
    private func valueInScope(_ center: ApiCenter) throws -> T {
        guard let scope = center.currentScope else { return try value(in: center).value }
        return try scope.twin(of: self) { OnceCell(site: site, build: build) }.value(in: center).value
    }

    /// The value, built with `center` if it does not exist yet.
    ///
    /// - Parameter lifetime: How long the owner of this cell keeps the value; nil stands for as long as the builder.
    @inline(__always)
    func value(in center: ApiCenter, lifetime: BuildChain.Lifetime? = nil) throws -> Found {
        // The value was written before the pointer was set, and neither changes afterwards.
        if let value = unsafe built.load(ordering: .acquiring) { return unsafe (value.pointee, false) }
        return try buildOrWait(center, lifetime ?? .builder(site))
    }

    @inline(never)
    private func buildOrWait(_ center: ApiCenter, _ lifetime: BuildChain.Lifetime) throws -> Found {
        var isNew = false
        let frame = BuildChain.Frame(builder: ObjectIdentifier(self), api: T.self, lifetime: lifetime)
        while true {
            let attempt = BuildAttempt()
            let other: BuildAttempt? = try attempt.run {
                switch BuildChain.turn(frame, in: attempt) {
                case .build:
                    isNew = try buildValue(center)
                    return nil
                case .wait(let other): return other
                case .cycle(let names): BuildChain.stop(names, at: site)
                }
            }
            let failure = other?.wait()
            BuildChain.endWait()
            if let value = unsafe built.load(ordering: .acquiring) { return unsafe (value.pointee, isNew) }
            if let failure { throw failure }
        }
    }

    /// Builds the value unless it exists, and reports to ``BuildChain`` that the build has ended. Returns whether it has
    /// built the value.
    private func buildValue(_ center: ApiCenter) throws -> Bool {
        defer { BuildChain.finish(ObjectIdentifier(self)) }
        // Another thread may have built the value since this thread last read `built`.
        guard unsafe built.load(ordering: .acquiring) == nil else { return false }
        // A failed attempt may have left some.
        origins.clear()
        center.gate.beginChain()
        defer { center.gate.endChain() }
        let result = try BuildChain.$isFollowed.withValue(true) { try build(center) }
        let value = UnsafeMutablePointer<T>.allocate(capacity: 1)
        unsafe value.initialize(to: result)
        unsafe built.store(value, ordering: .releasing)
        return true
    }
}

/// A cell that holds its object weakly, so the object lives only as long as a caller holds it. An object that was built
/// from an object of a session is not returned after the end of this session.
final class WeakCell<T: Sendable>: Sendable {
    private struct State {
        weak var object: AnyObject?
        /// The build in progress, shared by all concurrent callers.
        var building: OnceCell<T>?
        /// The origins of the object, or of the build in progress.
        var origins = Origins()
    }

    private let site: CallSite
    private let build: ApiScope<T>.Builder
    private let state = Locked(State())

    init(site: CallSite, build: @escaping ApiScope<T>.Builder) { (self.site, self.build) = (site, build) }

    /// The object for a caller of `center`. Each scope of overrides has its own object.
    func value(for center: ApiCenter) throws -> T {
        guard let scope = center.currentScope else { return try value(in: center) }
        return try scope.twin(of: self) { WeakCell(site: site, build: build) }.value(in: center)
    }

    /// The object if it is still alive, otherwise a new one.
    private func value(in center: ApiCenter) throws -> T {
        while true {
            let (alive, cell, origins): (T?, OnceCell<T>?, Origins) = state.withLock { state in
                if let alive = state.object as? T { return (alive, nil, state.origins) }
                let cell = state.building ?? OnceCell(site: site, build: build)
                state = State(building: cell, origins: cell.origins)
                return (nil, cell, cell.origins)
            }
            let found = try alive.map { ($0, false) } ?? cell.map { try built(by: $0, center) }
            guard let (value, isNew) = found else { continue }
            // What the thread is building ends with the same sessions.
            if isNew || BuildChain.end(with: origins.ends, for: T.self) { return value }
            // One of the sessions has ended, such as while another thread built the object.
            state.withLock { if $0.origins === origins { $0 = State() } }
        }
    }

    /// The object that `cell` builds or has built. This cell then holds it weakly.
    private func built(by cell: OnceCell<T>, _ center: ApiCenter) throws -> OnceCell<T>.Found {
        let (value, isNew) = try cell.value(in: center, lifetime: .holders(cell.origins))
        guard Swift.type(of: value as Any) is AnyClass else {
            fatalError(
                """
                weakSingleton built a \(Swift.type(of: value as Any)) for \(String(reflecting: T.self)). Only \
                an instance of a class can be held weakly. Make the IMP a class, or use `once`.
                """, file: site.file, line: site.line)
        }
        state.withLock { state in
            guard state.building === cell else { return }
            state.object = value as AnyObject
            state.building = nil
        }
        return (value, isNew)
    }
}

/// One attempt to build a build-once value: the lock that the building thread holds, and that other threads wait for.
///
/// A lock has an owner, so the system can lend the owner the priority of the waiting threads: `Mutex` is an
/// `os_unfair_lock` on Apple platforms, and a futex with priority inheritance on Linux. A semaphore has no owner:
/// while the main thread waits for a background thread, threads of intermediate priority could keep the
/// background thread from running.
///
/// All operations are thread-safe.
final class BuildAttempt: Sendable {
    /// The error that ended the attempt.
    private let failure = Locked<(any Error)?>(nil)

    /// Runs `body` while the calling thread holds the lock.
    func run<Result>(_ body: () throws -> sending Result) throws -> sending Result {
        try failure.withLock { failure in
            do { return try body() } catch {
                failure = error
                throw error
            }
        }
    }

    /// Waits until no thread holds the lock, and returns the error that ended the attempt, if any.
    func wait() -> (any Error)? { failure.withLock { $0 } }
}
