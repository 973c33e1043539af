#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import Foundation
import TestSupport
import Testing

@Suite("The level of a test run")
struct TestLevelTests {
    @Test("Only TEST_DEEP=1 includes slow tests", arguments: ["", "0", "1"])
    func level(value: String) async {
        // The level is read once in a process.
        await #expect(processExitsWith: .success) { [value] in
            unsafe setenv("TEST_DEEP", value, 1)
            #expect(TestLevel.isDeep == (value == "1"))
        }
    }
}
#endif
