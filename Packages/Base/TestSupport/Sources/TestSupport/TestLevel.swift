import Foundation

/// The level of the test run: whether it includes slow tests.
///
/// Mark a slow test with `.enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep")`.
public enum TestLevel {
    /// Whether the run includes slow tests: true if the environment variable `TEST_DEEP` is `1`.
    public static let isDeep = ProcessInfo.processInfo.environment["TEST_DEEP"] == "1"
}
