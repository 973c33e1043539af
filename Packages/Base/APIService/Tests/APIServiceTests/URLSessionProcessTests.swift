import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    @Suite("URLSessionAPIClient in a process of its own", .timeLimit(.minutes(10)))
    struct URLSessionProcessTests {
        @Test(
            "URLSessionAPIClient passes the conformance checks that measure or stall the process",
            arguments: APIClientConformance.isolated.indices)
        func isolated(index: Int) async {
            let check = "\(APIClientConformance.isolated[index])"
            await withKnownIssue("On Linux, a session keeps a timer for each piece", isIntermittent: true) {
                await #expect(processExitsWith: .success, "\(check)") { [index = index as Int] in
                    do {
                        try await APIClientConformance.isolated[index].run(URLSessionAPIClient())
                        exit(EXIT_SUCCESS)
                    } catch {
                        Issue.record(error)
                        exit(EXIT_FAILURE)
                    }
                }
            } when: {
                check.contains("one-byte chunks") || check.contains("event stream")
            }
        }
    }
}
#endif
