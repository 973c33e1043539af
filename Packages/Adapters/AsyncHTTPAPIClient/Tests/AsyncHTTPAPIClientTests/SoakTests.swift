import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// In a process of its own, so that what is counted is the soak's, and a transport that crashes is told of.
@Suite("A soak", .serialized)
struct SoakTests {
    @Test(
        "very many requests, a hundred at once, with faults and cancels: each completes once, nothing is left",
        arguments: Transport.allCases.map { ($0, false) } + [(.asyncHTTPClient, true)])
    func soak(transport: Transport, isHTTP2: Bool) async throws {
        let folder = try TemporaryFolder()
        let requests = ProcessInfo.processInfo.environment["SOAK_REQUESTS"].flatMap { Int($0) } ?? 10_000
        let soak = Soak(
            transport: transport, seed: .random(in: 0 ... .max), requests: isHTTP2 ? requests / 4 : requests,
            certificate: isHTTP2 ? try TestCertificate(in: folder) : nil, account: folder.file("account"))
        print("A soak of \(transport)\(isHTTP2 ? " over HTTP/2" : ""), seed \(soak.seed)")
        // URLSession's own crashes on Linux are known; all else that goes wrong is in the account.
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
        guard let data = try? Data(contentsOf: soak.account) else { return }
        let account = try JSONDecoder().decode(Soak.Account.self, from: data)
        print(account)
        #expect(account.violations == [], "seed \(soak.seed)")
        #expect(account.objectsLeft == 0)
        #expect(account.outcomes.values.reduce(0, +) == soak.requests)
        // Every fault and every cancel has been met.
        #expect(
            Set(account.outcomes.keys).isSuperset(of: ["success", "cancelled", "timed out", "500", "broken"]))
        // What is open at the end, when the client has gone, was open when the first one had gone.
        try #require(account.memory.count == 5)
        #expect(account.descriptors[4] <= account.descriptors[0], "\(account.descriptors)")
        #expect(account.threads[4] <= account.threads[0] + 16, "\(account.threads)")
        // The second half leaves no more behind than the heap's own ways explain.
        #expect(account.memory[4] <= account.memory[2] + 64, "MB: \(account.memory)")
    }
}
#endif
