import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import RemotePairs

// Compares calls of this package with the same calls made with grpc-swift alone, on loopback, both without encryption
// and with mutual TLS. All servers run in this process, and rounds of calls alternate, so that both kinds of calls see
// the same machine load. Each number is the median of all rounds.

struct Question: Codable, Sendable {
    var passenger = "Mia"
    var station = "Zoo"
    var key = UUID()
}

struct Passage: Codable, Sendable {
    let number: Int
    let question: Question
}

protocol Gate: Sendable {
    func pass(_ question: Question) async throws -> Passage
}

struct LocalGate: Gate {
    func pass(_ question: Question) async throws -> Passage { Passage(number: 1, question: question) }
}

typealias Call = @Sendable () async throws -> Void

/// Makes calls from `callers` tasks at the same time. Returns the total time divided by the number of calls, in
/// microseconds.
func round(_ callers: Int, _ call: @escaping Call) async throws -> Double {
    let calls = callers == 1 ? 300 : 2048 / callers
    let began = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<callers { group.addTask { for _ in 0..<calls { try await call() } } }
        try await group.waitForAll()
    }
    return began.duration(to: .now) / .microseconds(calls * callers)
}

func median(_ values: [Double]) -> String { String(format: "%.2f", values.sorted()[values.count / 2]) }

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 31
let certificates = try Certificates()
var isOverLimit = false
for (name, security) in [("plaintext", RemoteSecurity.loopback), ("mutual TLS", certificates.security)] {
    let bare = try await bareCall(certificates, isPlain: security == .loopback)
    let once = try await remoteCall(.once, security)
    let repeatable = try await remoteCall(.repeatable, security)
    for (callers, kind, call) in [
        (1, "one call at a time", once), (1, "one repeatable call at a time", repeatable),
        (64, "64 calls at a time", once),
    ] {
        for _ in 0..<3 { _ = (try await round(callers, bare), try await round(callers, call)) }
        var (bares, ours, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            bares.append(try await round(callers, bare))
            ours.append(try await round(callers, call))
            ratios.append(ours[ours.count - 1] / bares[bares.count - 1])
        }
        // A single call may take at most 1.10 times as long as with grpc-swift alone. Concurrent calls must reach at
        // least 0.9 of grpc-swift's throughput.
        let limit = callers == 1 ? 1.10 : 1 / 0.9
        if ratios.sorted()[ratios.count / 2] > limit { isOverLimit = true }
        print(
            "\(name), \(kind): ratio \(median(ratios)) (limit \(median([limit])), \(median(ours)) us, "
                + "grpc-swift alone \(median(bares)) us)")
    }
}

let gate: any Gate = LocalGate()
let local = try await round(1) { for _ in 0..<1000 { _ = try await gate.pass(Question()) } }
print(String(format: "in the process: %.2f us", local / 1000))
try certificates.remove()
if isOverLimit { exit(1) }
