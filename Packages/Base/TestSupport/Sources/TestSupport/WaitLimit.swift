import Foundation
import Testing

/// Ends the process of the tests if a test does not end, and names this test: one that waits for ever, or that blocks its
/// thread, also fails.
///
/// A `.timeLimit` is a task. It never fires while tests block all threads of the pool, and a test that ignores its
/// cancellation continues. So this limit is watched by a thread of its own.
///
/// The limit is ten minutes, or the number of seconds in the environment variable `TEST_WAIT_LIMIT`.
public struct WaitLimit: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let place = test.sourceLocation
        let key = Self.watch.add("\"\(test.displayName ?? test.name)\" (\(place.fileID):\(place.line))")
        defer { Self.watch.remove(key) }
        try await function()
    }

    /// The names of the running tests that have this limit.
    static var names: [String] { watch.names }

    private static let watch = Watch(
        limit: ProcessInfo.processInfo.environment["TEST_WAIT_LIMIT"].flatMap(Double.init) ?? 600)

    /// The running tests.
    ///
    /// Unchecked: the state is accessed only while the lock is held.
    final class Watch: @unchecked Sendable {
        private let lock = NSLock()
        private let limit: TimeInterval
        private var count = 0
        private var tests: [Int: (name: String, start: ContinuousClock.Instant)] = [:]

        init(limit: TimeInterval) {
            self.limit = limit
            Thread.detachNewThread { [self] in
                while true {
                    Thread.sleep(forTimeInterval: min(1, limit))
                    endIfLate()
                }
            }
        }

        var names: [String] { lock.withLock { tests.values.map(\.name) } }

        func add(_ name: String) -> Int {
            lock.withLock {
                count += 1
                tests[count] = (name, .now)
                return count
            }
        }

        func remove(_ key: Int) { lock.withLock { tests[key] = nil } }

        private func endIfLate() {
            let late = lock.withLock { tests.values.filter { $0.start.duration(to: .now) > .seconds(limit) } }
            guard !late.isEmpty else { return }
            let lines = late.map { "The test \($0.name) has not ended after \(limit) seconds.\n" }.sorted()
            FileHandle.standardError.write(Data(lines.joined().utf8))
            // No functions registered with `atexit` run, because they may wait for the test.
            _exit(EXIT_FAILURE)
        }
    }
}

extension Trait where Self == WaitLimit {
    /// Ends the process of the tests if a test of this suite does not end (see ``WaitLimit``).
    public static var waitLimit: Self { WaitLimit() }
}
