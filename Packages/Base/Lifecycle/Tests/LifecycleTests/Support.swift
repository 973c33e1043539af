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

/// Suspends until the task is cancelled.
func untilCancelled() async throws {
    let (never, _) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    try Task.checkCancellation()
}
