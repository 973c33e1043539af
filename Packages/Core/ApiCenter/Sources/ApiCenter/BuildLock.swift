/// The lock that a thread holds while it builds a build-once value, and that other threads wait for.
///
/// A lock has an owner, so the system can lend the owner the priority of the threads that wait: on Apple
/// platforms `Mutex` is an `os_unfair_lock`, on Linux a futex with priority inheritance. A semaphore has no
/// owner, so a main thread that waits for a background thread would wait as long as the background thread is
/// kept waiting.
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
