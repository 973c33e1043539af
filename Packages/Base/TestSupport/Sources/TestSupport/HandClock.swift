import Foundation

/// A clock that only the test advances.
///
/// Unchecked: the state is accessed only while the lock is held.
public final class HandClock: Clock, @unchecked Sendable {
    /// A time since the clock was created.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration = .zero

        public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        public func duration(to other: Self) -> Duration { other.offset - offset }
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let lock = NSLock()
    private var time = Instant()
    private var sleepers: [(deadline: Instant, wake: CheckedContinuation<Void, Never>)] = []
    private let slept = AsyncStream<Void>.makeStream()

    /// Creates a clock at zero.
    public init() {}

    public var now: Instant { lock.withLock { time } }
    public var minimumResolution: Duration { .zero }
    /// The number of sleeping tasks.
    public var sleeperCount: Int { lock.withLock { sleepers.count } }

    /// Advances the time and wakes the tasks whose deadline has passed.
    public func advance(by duration: Duration) {
        let woken = lock.withLock {
            time = time.advanced(by: duration)
            defer { sleepers.removeAll { $0.deadline <= time } }
            return sleepers.filter { $0.deadline <= time }
        }
        for sleeper in woken { sleeper.wake.resume() }
    }

    /// Waits until as many more tasks have gone to sleep.
    public func untilAsleep(_ count: Int = 1) async {
        var count = count
        for await _ in slept.stream {
            count -= 1
            if count == 0 { break }
        }
    }

    /// Ignores cancellation: only ``advance(by:)`` wakes a sleeping task.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { wake in
            lock.withLock { sleepers.append((deadline, wake)) }
            slept.continuation.yield()
        }
        try Task.checkCancellation()
    }
}
