import Foundation
import Testing

/// Ends the process of the tests if a test does not end, because it waits for ever or blocks its thread. The last lines of
/// the output name the test.
///
/// A `.timeLimit` is a task. It never fires while tests block all threads of the pool, and a test that ignores its
/// cancellation continues. So this limit is watched by a thread of its own. The thread counts the seconds for which it has
/// slept itself, so a machine that sleeps, or is too busy to run the process, does not use up the limit.
///
/// The limit is 15 minutes, more than the ten of a `.timeLimit`, or the number of seconds in the environment variable
/// `TEST_WAIT_LIMIT`.
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

    /// Ends this process, too, after the limit. For the body of an exit test that may wait: its process does not have
    /// the test's traits, and does not end with the process of the tests.
    public static func startInExitTest(fileID: String = #fileID, line: Int = #line) {
        _ = watch.add("process (\(fileID):\(line))")
    }

    /// The names of the running tests that have this limit.
    static var names: [String] { watch.names }

    /// The limit without the environment variable, in seconds.
    static let usual: TimeInterval = 900

    private static let watch = Watch(
        limit: ProcessInfo.processInfo.environment["TEST_WAIT_LIMIT"].flatMap(Double.init) ?? usual)

    /// The running tests.
    ///
    /// Unchecked: the state is accessed only while the lock is held.
    final class Watch: @unchecked Sendable {
        private let lock = NSLock()
        private let limit: TimeInterval
        private var count = 0
        private var tests: [Int: (name: String, seconds: TimeInterval)] = [:]

        init(limit: TimeInterval) {
            self.limit = limit
            Thread.detachNewThread { [self] in
                let pause = limit / 100
                while true {
                    Thread.sleep(forTimeInterval: pause)
                    count(pause)
                }
            }
        }

        var names: [String] { lock.withLock { tests.values.map(\.name) } }

        func add(_ name: String) -> Int {
            lock.withLock {
                count += 1
                tests[count] = (name, 0)
                return count
            }
        }

        func remove(_ key: Int) { lock.withLock { tests[key] = nil } }

        private func count(_ seconds: TimeInterval) {
            let late = lock.withLock {
                for key in tests.keys { tests[key]?.seconds += seconds }
                return tests.values.filter { $0.seconds > limit }
            }
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
