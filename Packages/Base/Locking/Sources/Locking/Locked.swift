import Synchronization

/// A value that is only reached under a lock: a `Mutex` that ThreadSanitizer can see.
///
/// On Linux the sanitizer does not know `Mutex`, whose waiting happens inside the standard library, and
/// would report a race for every value that one guards. The atomic repeats, in code that the sanitizer does
/// see, the order that the lock has already made. It costs a plain load and store. (ApiCenter, which depends
/// on nothing, has one of its own.)
///
/// Safe from every thread. A function belongs into a struct first: a bare one in a generic place is wrapped
/// once more each time the value is changed.
public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let handover = Atomic(false)

    /// A lock around `value`.
    @inlinable
    public init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with the value; nobody else has it meanwhile.
    ///
    /// Must not be entered twice by one thread: it would wait for itself.
    ///
    /// - Throws: What `body` throws.
    // Inlinable: in its caller's module the value's type is known, which makes a read several times faster.
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
