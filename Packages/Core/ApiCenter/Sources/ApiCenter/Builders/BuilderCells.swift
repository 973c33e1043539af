import Synchronization

/// A value that is built exactly once and then kept.
@safe final class OnceCell<T: Sendable>: Sendable {
    private let site: CallSite
    private let build: @Sendable (ApiCenter) -> T
    /// The pointer to the value; nil until the value is built. Set once, by the thread that builds the value.
    nonisolated(unsafe) private let built = unsafe Atomic<UnsafeMutablePointer<T>?>(nil)

    init(site: CallSite, build: @escaping @Sendable (ApiCenter) -> T) {
        self.site = site
        self.build = build
    }

    deinit {
        // No thread can still read the value, because every reader retains this object.
        guard let value = unsafe built.load(ordering: .acquiring) else { return }
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// The value for a caller of `center`. Each scope of overrides has its own value.
    @inline(__always)
    func value(for center: ApiCenter) -> T {
        center.gate.hasOverrides ? valueInScope(center) : value(in: center)
    }

    @inline(never)
    private func valueInScope(_ center: ApiCenter) -> T {
        guard let scope = center.currentScope else { return value(in: center) }
        return scope.twin(of: self) { OnceCell(site: site, build: build) }.value(in: center)
    }

    /// The value, built with `center` if it does not exist yet.
    ///
    /// - Parameter lifetime: How long the owner of this cell keeps the value; nil stands for as long as the builder.
    @inline(__always)
    func value(in center: ApiCenter, lifetime: BuildChain.Lifetime? = nil) -> T {
        // The value was written before the pointer was set, and neither changes afterwards.
        if let value = unsafe built.load(ordering: .acquiring) { return unsafe value.pointee }
        return buildOrWait(center, lifetime ?? .builder(site))
    }

    @inline(never)
    private func buildOrWait(_ center: ApiCenter, _ lifetime: BuildChain.Lifetime) -> T {
        while true {
            let lock = BuildLock()
            let other: BuildLock? = lock.hold {
                let frame = BuildChain.Frame(
                    builder: ObjectIdentifier(self), api: T.self, lifetime: lifetime)
                switch BuildChain.turn(frame, holding: lock) {
                case .build:
                    buildValue(center)
                    return nil
                case .wait(let other): return other
                case .cycle(let names): BuildChain.stop(names, at: site)
                }
            }
            if let other {
                other.wait()
                BuildChain.endWait()
            }
            if let value = unsafe built.load(ordering: .acquiring) { return unsafe value.pointee }
        }
    }

    /// Builds the value unless it exists, and reports to ``BuildChain`` that the build has ended.
    private func buildValue(_ center: ApiCenter) {
        defer { BuildChain.finish(ObjectIdentifier(self)) }
        // Another thread may have built the value since this thread last read `built`.
        guard unsafe built.load(ordering: .acquiring) == nil else { return }
        center.gate.beginChain()
        defer { center.gate.endChain() }
        let value = UnsafeMutablePointer<T>.allocate(capacity: 1)
        unsafe value.initialize(to: BuildChain.$isFollowed.withValue(true) { build(center) })
        unsafe built.store(value, ordering: .releasing)
    }
}

/// A cell that holds its object weakly, so the object lives only as long as a caller holds it.
final class WeakCell<T: Sendable>: Sendable {
    private struct State {
        weak var object: AnyObject?
        /// The build in progress, shared by all concurrent callers.
        var building: OnceCell<T>?
    }

    private let site: CallSite
    private let build: @Sendable (ApiCenter) -> T
    private let state = Locked(State())

    init(site: CallSite, build: @escaping @Sendable (ApiCenter) -> T) {
        self.site = site
        self.build = build
    }

    /// The object for a caller of `center`. Each scope of overrides has its own object.
    func value(for center: ApiCenter) -> T {
        guard let scope = center.currentScope else { return value(in: center) }
        return scope.twin(of: self) { WeakCell(site: site, build: build) }.value(in: center)
    }

    /// The object if it is still alive, otherwise a new one.
    private func value(in center: ApiCenter) -> T {
        let found: (alive: T?, cell: OnceCell<T>?) = state.withLock { state in
            if let alive = state.object as? T { return (alive, nil) }
            let cell = state.building ?? OnceCell(site: site, build: build)
            state.building = cell
            return (nil, cell)
        }
        if let alive = found.alive { return alive }
        guard let cell = found.cell else {
            preconditionFailure("the cell holds neither an object nor a build in progress")
        }
        let value = cell.value(in: center, lifetime: .holders)
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
        return value
    }
}

/// The lock that a thread holds while it builds a build-once value, and that other threads wait for.
///
/// A lock has an owner, so the system can lend the owner the priority of the waiting threads: `Mutex` is an
/// `os_unfair_lock` on Apple platforms, and a futex with priority inheritance on Linux. A semaphore has no owner:
/// while the main thread waits for a background thread, threads of intermediate priority could keep the
/// background thread from running.
///
/// All operations are thread-safe.
final class BuildLock: Sendable {
    private let lock = Locked(())

    /// Runs `body` while the calling thread holds the lock.
    func hold<Result>(_ body: () throws -> sending Result) rethrows -> sending Result {
        try lock.withLock { _ in try body() }
    }

    /// Waits until no thread holds the lock.
    func wait() { lock.withLock { _ in } }
}
