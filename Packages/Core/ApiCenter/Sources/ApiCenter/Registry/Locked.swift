import Synchronization

/// A value guarded by a lock: a `Mutex` that ThreadSanitizer recognises.
///
/// On Linux, `Mutex` waits inside the standard library, where the sanitizer does not see it, so the sanitizer would
/// report a race for every value that a `Mutex` guards. The atomic flag repeats the ordering of the lock in
/// code that the sanitizer does see. The flag costs a plain load and store.
struct Locked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let handover = Atomic(false)

    init(_ value: sending Value) { mutex = Mutex(value) }

    /// Runs `body` with exclusive access to the value. A nested call on the same thread stops the process.
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
