import Synchronization

/// A value that is built once, exactly, and then stays.
final class OnceCell<T: Sendable>: Sendable {
    private let build: @Sendable (ApiCenter) -> T
    private let isDone = Atomic(false)
    // Written once, by the thread whose turn it is, before isDone is set with release; read only by those
    // who have seen isDone with acquire.
    nonisolated(unsafe) private var built: T?

    init(build: @escaping @Sendable (ApiCenter) -> T) {
        self.build = build
    }

    /// The value, built for `center` if need be.
    @inline(__always)
    func value(in center: ApiCenter) -> T {
        if isDone.load(ordering: .acquiring), let built = unsafe built { return built }
        return buildOrWait(center)
    }

    @inline(never)
    private func buildOrWait(_ center: ApiCenter) -> T {
        while true {
            switch BuildChain.turn(ObjectIdentifier(self), api: T.self) {
            case .build:
                defer { BuildChain.finish(ObjectIdentifier(self)) }
                // Another thread may have finished between the look at isDone and this turn.
                if isDone.load(ordering: .acquiring), let built = unsafe built { return built }
                center.gate.beginChain()
                defer { center.gate.endChain() }
                let value = build(center)
                unsafe built = value
                isDone.store(true, ordering: .releasing)
                return value
            case .wait(let done):
                done.wait()
                BuildChain.endWait()
                if isDone.load(ordering: .acquiring), let built = unsafe built { return built }
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

    /// The object that is alive, or a new one.
    func value(in center: ApiCenter) -> T {
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
