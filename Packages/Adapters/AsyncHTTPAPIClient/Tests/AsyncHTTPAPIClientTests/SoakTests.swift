import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Each soak runs in its own process, so that only the soak's resources are counted and a crash does not end
/// the test run.
@Suite("Soak of the transports", .serialized)
struct SoakTests {
    @Test(
        "Thousands of requests to a faulty server, some of them cancelled, each complete once and leak nothing",
        arguments: Transport.allCases.map { ($0, false) } + [(.asyncHTTPClient, true)])
    func soak(transport: Transport, isHTTP2: Bool) async throws {
        let folder = try TemporaryFolder()
        let requests = ProcessInfo.processInfo.environment["SOAK_REQUESTS"].flatMap { Int($0) } ?? 10_000
        let soak = Soak(
            transport: transport, seed: .random(in: 0 ... .max), requests: isHTTP2 ? requests / 4 : requests,
            certificate: isHTTP2 ? try TestCertificate(in: folder) : nil, report: folder.file("report"))
        print("Soak of \(transport)\(isHTTP2 ? " over HTTP/2" : ""), seed \(soak.seed)")
        // Crashes of URLSession on Linux are a known issue. The report lists all other failures.
        await withKnownIssue("swift-corelibs-foundation#5203", isIntermittent: true) {
            await #expect(processExitsWith: .success, "seed \(soak.seed)") { [soak = soak as Soak] in
                try await soak.run()
            }
        } when: {
            #if os(Linux)
            transport == .urlSession
            #else
            false
            #endif
        }
        guard let data = try? Data(contentsOf: soak.report) else { return }
        let report = try JSONDecoder().decode(Soak.Report.self, from: data)
        print(report)
        #expect(report.violations == [], "seed \(soak.seed)")
        #expect(report.objectsLeft == 0)
        #expect(report.outcomes.values.reduce(0, +) == soak.requests)
        // Every kind of fault and cancellation has occurred.
        #expect(
            Set(report.outcomes.keys).isSuperset(of: ["success", "cancelled", "timed out", "500", "broken"]))
        // After the last client is released, no more descriptors are open than after the first one.
        try #require(report.memory.count == 5)
        #expect(report.descriptors[4] <= report.descriptors[0], "\(report.descriptors)")
        #expect(report.threads[4] <= report.threads[0] + 16, "\(report.threads)")
        // In the second half, memory grows by at most 64 MiB, an amount that heap fragmentation can explain.
        #expect(report.memory[4] <= report.memory[2] + 64, "MiB: \(report.memory)")
    }
}
#endif
