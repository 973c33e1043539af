import ApiCenter
import Foundation
import Lifecycle

struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// What happened, in order, from whichever thread.
///
/// Unchecked: the list is touched under the lock only.
final class Journal: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    func note(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

/// A module that notes what it is told, and does what a test gives it to do.
struct Recorder: Module {
    let name: String
    let version = "1.0.0"
    var after: [String] = []
    let journal: Journal
    var onRegister: @Sendable (ApiCenter) throws -> Void = { _ in }
    var onEvent: @Sendable (LifecycleEvent) async throws -> Void = { _ in }

    func register(in center: ApiCenter) throws {
        journal.note("\(name) register")
        try onRegister(center)
    }

    func handle(_ event: LifecycleEvent) async throws {
        journal.note("\(name) \(event)")
        try await onEvent(event)
    }
}

/// A clock on which time stands still, and a wait is over at once or never.
struct StillClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    let waitsEnd: Bool
    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if !waitsEnd { try await untilCancelled() }
    }
}

/// A clock on which time passes only as a test says.
///
/// Unchecked: the state is touched under the lock only.
final class HandClock: Clock, @unchecked Sendable {
    typealias Instant = StillClock.Instant

    private let lock = NSLock()
    private var time = Instant()
    private var sleepers: [(deadline: Instant, wake: CheckedContinuation<Void, Never>)] = []
    private let slept = AsyncStream<Void>.makeStream()

    var now: Instant { lock.withLock { time } }
    var minimumResolution: Duration { .zero }
    /// How many are asleep.
    var sleeperCount: Int { lock.withLock { sleepers.count } }

    /// Wakes those whose time has come.
    func advance(by duration: Duration) {
        let woken = lock.withLock {
            time = time.advanced(by: duration)
            defer { sleepers.removeAll { $0.deadline <= time } }
            return sleepers.filter { $0.deadline <= time }
        }
        for sleeper in woken { sleeper.wake.resume() }
    }

    /// Returns when one more has gone to sleep.
    func untilAsleep() async {
        for await _ in slept.stream { break }
    }

    /// Heeds no cancellation: who sleeps here is woken by ``advance(by:)`` alone.
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { wake in
            lock.withLock { sleepers.append((deadline, wake)) }
            slept.continuation.yield()
        }
        try Task.checkCancellation()
    }
}

/// Suspends until the task is cancelled.
func untilCancelled() async throws {
    let (never, _) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    try Task.checkCancellation()
}
