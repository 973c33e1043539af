#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import Dispatch
import Foundation
import Testing

@Suite("The waits of these tests", .timeLimit(.minutes(10)))
struct SupportTests {
    enum Wait: String, Codable, CaseIterable {
        case condition, signal, group

        func start() {
            switch self {
            case .condition: Thread.wait(for: rawValue) { false }
            case .signal: DispatchSemaphore(value: 0).wait(for: rawValue)
            case .group:
                let group = DispatchGroup()
                group.enter()
                group.wait(for: rawValue)
            }
        }
    }

    @Test(
        "A wait that does not end stops the process at the limit, and says what it waited for",
        arguments: Wait.allCases)
    func limit(wait: Wait) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [wait] in
            unsafe setenv("TEST_WAIT_LIMIT", "0.1", 1)
            wait.start()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("a test has waited 0.1 seconds for \(wait.rawValue)"), "\(text.prefix(2000))")
    }
}
#endif
