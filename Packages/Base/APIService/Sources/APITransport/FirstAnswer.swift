import Locking

/// A one-time result. Only the first result is kept, and only one task may wait for it.
///
/// All operations are thread-safe.
package struct FirstAnswer<T: Sendable>: Sendable {
    /// Not generic, because the runtime would look up the type of a generic lock at each use. In a measurement, these
    /// lookups took a tenth of the time of a small request.
    private let race = Race()

    package init() {}

    /// Sets the result. Returns whether it is the first one.
    @discardableResult
    package func give(_ value: T) -> Bool { race.end(value) }

    /// Whether there is no result yet.
    package var isOpen: Bool { race.isOpen }

    /// Waits for the result. Must be called at most once.
    package nonisolated(nonsending) func value() async -> T {
        guard let value = await race.value() as? T else {
            preconditionFailure("The result is not a \(T.self).")
        }
        return value
    }
}

/// A one-time result of any type.
private final class Race: Sendable {
    private struct State {
        var value: (any Sendable)?
        var waiter: CheckedContinuation<any Sendable, Never>?
    }

    private let state = Locked(State())

    var isOpen: Bool { state.withLock { $0.value == nil } }

    func end(_ value: any Sendable) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard state.value == nil else { return (false, CheckedContinuation<any Sendable, Never>?.none) }
            state.value = value
            return (true, state.waiter)
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    nonisolated(nonsending) func value() async -> any Sendable {
        if let value = state.withLock({ $0.value }) { return value }
        return await withCheckedContinuation { waiter in
            let value = state.withLock { state in
                if state.value == nil { state.waiter = waiter }
                return state.value
            }
            if let value { waiter.resume(returning: value) }
        }
    }
}
