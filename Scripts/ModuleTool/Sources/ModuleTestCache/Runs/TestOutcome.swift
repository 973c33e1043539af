/// What happened to the tests of a test target in one run.
package struct TestOutcome: Sendable, Hashable {
    /// The tests that the target has.
    var found: Set<String> = []
    var passed: Set<String> = []
    var failed: Set<String> = []
    var skipped: Set<String> = []
    var seconds: Double = 0
    /// Whether the process ran to its end, and each failure belongs to a test.
    var isWhole = true

    /// The tests that have not run to their end and passed, for example because they are disabled or were cancelled.
    ///
    /// - Parameter maySkip: Whether tests may be disabled or skipped, as long as one has passed.
    func missing(maySkip: Bool = false) -> Set<String> {
        found.subtracting(passed).subtracting(maySkip && !passed.isEmpty ? skipped : [])
    }

    func isComplete(maySkip: Bool = false) -> Bool {
        isWhole && !found.isEmpty && missing(maySkip: maySkip).isEmpty && failed.isEmpty
    }

    /// This outcome and that of more tests.
    func joined(_ more: Self) -> Self {
        TestOutcome(
            found: found.union(more.found), passed: passed.union(more.passed),
            failed: failed.union(more.failed), skipped: skipped.union(more.skipped),
            seconds: seconds + more.seconds, isWhole: isWhole && more.isWhole)
    }
}
