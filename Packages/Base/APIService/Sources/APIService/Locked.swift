import Synchronization

/// A value that is only reached under a lock: a `Mutex` that ThreadSanitizer can see.
///
/// On Linux the sanitizer does not know `Mutex`, whose waiting happens inside the standard library, and
/// would report a race for every value that one guards. The atomic repeats, in code that the sanitizer does
/// see, the order that the lock has already made. It costs a plain load and store.
struct Locked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let handover = Atomic(false)

    init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with the value; nobody else has it meanwhile. Must not be entered twice by one thread.
    func withLock<Result>(
        _ body: (inout sending Value) throws -> sending Result
    ) rethrows -> sending Result {
        try mutex.withLock { value in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
