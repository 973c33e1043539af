import Foundation
import GateApi
import GateSQLite
import RemotePairs
import TestSupport
import Testing

@Suite("Three hosts on one database", .serialized)
struct ClusterTests {
    @Test(
        "While hosts are killed and stopped, every code opens one gate once, and no passage is lost",
        .timeLimit(.minutes(10)))
    func passages() async throws {
        let (callers, passes) = (50, TestLevel.isDeep ? 200 : 20)
        let folder = try TemporaryFolder(), database = folder.file("gate.sqlite")
        var hosts: [ServingHost] = []
        for _ in 0..<3 {
            hosts.append(try await ServingHost("--database", database.path, "--log-level", "error"))
        }
        var options = RemoteConnection.Options()
        options.balancing = .roundRobin
        let steady = hosts[2].process.id
        let progress = Progress()
        let attempts = try await calling(hosts.map(\.address).joined(separator: ","), options: options) {
            gate in
            try await withThrowingTaskGroup(of: [Attempt].self) { group in
                for caller in 0..<callers {
                    group.addTask {
                        try await passGates(gate, passenger: "passenger \(caller)", times: passes) {
                            progress.note()
                        }
                    }
                }
                let total = callers * passes
                await progress.reach(total / 5)
                let before = try Resources(of: steady)
                hosts[0].process.kill(SIGKILL)
                _ = try await hosts[0].process.finished()
                await progress.reach(total * 2 / 5)
                hosts[0] = try await ServingHost(
                    "--database", database.path, "--log-level", "error", on: hosts[0].address)
                await progress.reach(total * 3 / 5)
                #expect(try await hosts[1].stop().status == 0)
                let attempts = try await group.reduce(into: []) { $0 += $1 }
                try before.expectFlat(Resources(of: steady))
                return attempts
            }
        }
        #expect(attempts.count == callers * passes)
        #expect(Set(attempts.map(\.code)).count == attempts.count)
        let ledger = try SQLiteLedger(file: database)
        let ends = try await ledger.transaction { ledger in
            try attempts.map { try ledger.record($0.code)?.end }
        }
        for (attempt, end) in zip(attempts, ends) { #expect(end == .used(attempt.passage)) }
        #expect(attempts.allSatisfy { $0.passage.key == $0.key })
    }
}

/// A code, and the attempt that opened a gate with it.
private struct Attempt: Sendable {
    let code: String
    let key: String
    let passage: GatePassage
}

/// Repeatedly gets a code, and shows it to two gates concurrently. Retries each call with the same key until a host
/// responds.
private func passGates(
    _ gate: any GateApiProtocol, passenger: String, times: Int, _ note: () -> Void
) async throws -> [Attempt] {
    var attempts: [Attempt] = []
    for number in 0..<times {
        let code = try await answer { () async throws(GateApiError) in
            try await gate.code(for: passenger).text
        }
        /// Returns the passage; nil if the code has opened the other gate.
        @Sendable func attempt(_ key: String) async throws -> Attempt? {
            do {
                let passage = try await answer { () async throws(GateApiError) in
                    try await gate.pass(code: code, passenger: passenger, station: "Zoo", key: key)
                }
                return Attempt(code: code, key: key, passage: passage)
            } catch GateApiError.codeUsed {
                return nil
            }
        }
        async let first = attempt("\(passenger), \(number), first gate")
        async let second = attempt("\(passenger), \(number), second gate")
        attempts += try await [first, second].compactMap(\.self)
        note()
    }
    return attempts
}

/// Retries a call until a host responds.
private func answer<Value: Sendable>(_ call: () async throws(GateApiError) -> Value) async throws -> Value {
    while true {
        do throws(GateApiError) { return try await call() } catch {
            guard case .unreachable = error else { throw error }
            try Task.checkCancellation()
        }
    }
}

/// Counts passages, and lets one task at a time wait for a count. Thread-safe.
private final class Progress: Sendable {
    private struct State {
        var count = 0
        var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Shared(State())

    func note() {
        state.update { state in
            state.count += 1
            guard let waiter = state.waiter, waiter.count <= state.count else { return }
            state.waiter = nil
            waiter.continuation.resume()
        }
    }

    func reach(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.update { state in
                if state.count >= count { return continuation.resume() }
                state.waiter = (count, continuation)
            }
        }
    }
}

/// The memory and file descriptors that a process uses; always 0 except on Linux.
private struct Resources {
    var kilobytes = 0
    var descriptors = 0

    init(of process: Int32) throws {
        #if os(Linux)
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        kilobytes = Int(status.firstMatch(of: /VmRSS:\s+(\d+) kB/)?.1 ?? "") ?? 0
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        #endif
    }

    func expectFlat(_ later: Resources) {
        #expect(later.kilobytes < kilobytes + 16_384)
        #expect(later.descriptors <= descriptors + 4)
        #if os(Linux)
        #expect(kilobytes > 0 && descriptors > 0)
        #endif
    }
}
