import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    @Suite("URLSessionAPIClient in a process of its own", .timeLimit(.minutes(10)), .waitLimit)
    struct URLSessionProcessTests {
        /// On Linux, a session keeps a timer for each piece of a body, until libcurl returns: see the guide Transports. libcurl
        /// reads about 270,000 pieces of one byte before it does.
        private static var checks: [APIClientConformance.Check] {
            #if os(Linux)
            APIClientConformance.isolated(smallPieces: 104 << 20)
            #else
            APIClientConformance.isolated()
            #endif
        }

        @Test(
            "URLSessionAPIClient passes the conformance checks that measure or stall the process",
            arguments: checks.indices)
        func isolated(index: Int) async {
            await #expect(processExitsWith: .success, "\(Self.checks[index])") { [index = index as Int] in
                do {
                    try await Self.checks[index].run(URLSessionAPIClient())
                    exit(EXIT_SUCCESS)
                } catch {
                    Issue.record(error)
                    exit(EXIT_FAILURE)
                }
            }
        }

        @Test("The checks of the memory report a client whose process grows by more than it may")
        func growth() async {
            await #expect(processExitsWith: .success) {
                let check = APIClientConformance.isolated(smallPieces: -1)
                    .first { $0.description.hasPrefix("a body of one-byte chunks") }
                let violation = await #expect(throws: APIClientConformance.Violation.self) {
                    try await check?.run(URLSessionAPIClient())
                }
                let isReported = violation?.description.hasPrefix("memory grew by") == true
                exit(isReported ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
    }
}
#endif
