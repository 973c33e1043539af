import Synchronization

/// A value that is built once, exactly, and then stays.
@safe final class OnceCell<T: Sendable>: Sendable {
    private let build: @Sendable (ApiCenter) -> T
    /// Where the value is, once it is there: set by the thread whose turn it is, and never changed again.
    nonisolated(unsafe) private let built = unsafe Atomic<UnsafeMutablePointer<T>?>(nil)

    init(build: @escaping @Sendable (ApiCenter) -> T) {
        self.build = build
    }

    deinit {
        // Nobody can be reading: a reader holds this object.
        guard let value = unsafe built.load(ordering: .acquiring) else { return }
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// The value for whoever asks `center`: in a scope of overrides the scope's own.
    @inline(__always)
    func value(for center: ApiCenter) -> T {
        center.gate.hasOverrides ? valueInScope(center) : value(in: center)
    }

    @inline(never)
    private func valueInScope(_ center: ApiCenter) -> T {
        guard let scope = center.currentScope else { return value(in: center) }
        return scope.twin(of: self) { OnceCell(build: build) }.value(in: center)
    }

    /// The value, built for `center` if need be.
    @inline(__always)
    func value(in center: ApiCenter) -> T {
        // What the pointer points to was written before the pointer was set, and stays.
        if let value = unsafe built.load(ordering: .acquiring) { return unsafe value.pointee }
        return buildOrWait(center)
    }

    @inline(never)
    private func buildOrWait(_ center: ApiCenter) -> T {
        while true {
            switch BuildChain.turn(ObjectIdentifier(self), api: T.self) {
            case .build:
                defer { BuildChain.finish(ObjectIdentifier(self)) }
                // Another thread may have finished between the look at `built` and this turn.
                if let value = unsafe built.load(ordering: .acquiring) { return unsafe value.pointee }
                center.gate.beginChain()
                defer { center.gate.endChain() }
                let value = UnsafeMutablePointer<T>.allocate(capacity: 1)
                unsafe value.initialize(to: build(center))
                unsafe built.store(value, ordering: .releasing)
                return unsafe value.pointee
            case .wait(let done):
                done.wait()
                BuildChain.endWait()
                if let value = unsafe built.load(ordering: .acquiring) { return unsafe value.pointee }
            case .circle(let names):
                BuildChain.stop(names)
            }
        }
    }
}

/// An object that is kept only as long as somebody else holds it.
final class WeakCell<T: Sendable>: Sendable {
    private struct State {
        weak var object: AnyObject?
        /// The build under way, which all who ask meanwhile share.
        var building: OnceCell<T>?
    }

    private let build: @Sendable (ApiCenter) -> T
    private let state = Locked(State())

    init(build: @escaping @Sendable (ApiCenter) -> T) {
        self.build = build
    }

    /// The object for whoever asks `center`: in a scope of overrides the scope's own.
    func value(for center: ApiCenter) -> T {
        guard let scope = center.currentScope else { return value(in: center) }
        return scope.twin(of: self) { WeakCell(build: build) }.value(in: center)
    }

    /// The object that is alive, or a new one.
    private func value(in center: ApiCenter) -> T {
        let (alive, cell): (T?, OnceCell<T>) = state.withLock { state in
            if let alive = state.object as? T { return (alive, OnceCell(build: build)) }
            let cell = state.building ?? OnceCell(build: build)
            state.building = cell
            return (nil, cell)
        }
        if let alive { return alive }
        let value = cell.value(in: center)
        guard Swift.type(of: value as Any) is AnyClass else {
            fatalError(
                """
                weakSingleton built a \(Swift.type(of: value as Any)) for \(String(reflecting: T.self)), which \
                is no object of a class, so nobody could hold it. Make the IMP a class, or use once.
                """)
        }
        state.withLock { state in
            guard state.building === cell else { return }
            state.object = value as AnyObject
            state.building = nil
        }
        return value
    }
}
