import Synchronization

/// A value guarded by a lock: a `Mutex` that ThreadSanitizer recognises.
///
/// On Linux, `Mutex` waits inside the standard library, where the sanitizer does not see it, so the sanitizer would
/// report a race for every value that a `Mutex` guards. The atomic flag repeats the ordering of the lock in
/// code that the sanitizer does see. The flag costs a plain load and store. (ApiCenter has its own copy of
/// this type, because that package has no dependencies.)
///
/// Thread-safe. To store a function, wrap it in a struct; otherwise, each change would add another reabstraction
/// thunk to the function.
public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let handover = Atomic(false)

    /// Creates a lock that guards `value`.
    @inlinable
    public init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with exclusive access to the value.
    ///
    /// Not recursive: a nested call on the same thread stops the process.
    ///
    /// - Throws: The error that `body` throws.
    // Inlinable, because a read is several times faster when the compiler knows the value's type.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (value) throws(Failure) in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
