import ApiCenter
import Foundation
import Lifecycle
import TestSupport

struct Failure: Error, CustomStringConvertible {
    let description: String
}

/// A list of lines that any thread may append to, in order.
///
/// Unchecked: the list is accessed only while the lock is held.
final class Journal: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    func note(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

/// A module that records its calls and runs the closures that a test provides.
struct Recorder: Module {
    let name: String
    let version = "1.0.0"
    var after: [String] = []
    let journal: Journal
    var onRegister: @Sendable (ApiCenter) throws -> Void = { _ in }
    var onPrepare: @Sendable (ApiCenter) async throws -> Void = { _ in }
    var onEvent: @Sendable (LifecycleEvent) async throws -> Void = { _ in }

    func register(in center: ApiCenter) throws {
        journal.note("\(name) register")
        try onRegister(center)
    }

    func prepare(in center: ApiCenter) async throws {
        journal.note("\(name) prepare")
        try await onPrepare(center)
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        journal.note("\(name) \(event)")
        try await onEvent(event)
    }
}

/// A stopped clock, on which a sleep ends either immediately or never.
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

extension HandClock {
    /// Prepares the host's modules, and ends the sleep of each module's time limit.
    func passPreparation(of host: ModuleHost) async {
        await host.prepare()
        for _ in host.modules { await untilAsleep() }
        advance(by: .seconds(10))
    }
}

/// Suspends until the task is cancelled, then throws.
func untilCancelled() async throws {
    let (never, _) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    try Task.checkCancellation()
}
