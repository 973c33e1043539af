import Foundation

/// Which tests a run includes.
package enum TestLevel {
    /// Whether the run includes the suites whose types are named `…DeepTests`. True if the environment variable
    /// `TEST_DEEP` is `1`, as in `Scripts/test --deep` and `--third-party`.
    package static let isDeep = ProcessInfo.processInfo.environment["TEST_DEEP"] == "1"
}
