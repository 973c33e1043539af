import Foundation
import GateApi
import GateApiFakes
import GateRemote
import Logging
import Metrics
import MetricsTestKit
import RemotePairs
import TestSupport
import Testing

@testable import Host

@Suite("Logs and metrics of remote calls", .serialized)
struct TraceTests {
    @Test("Both sides log the calls of a day with the same trace")
    func trace() async throws {
        let host = try await ServingHost("--log-level", "debug")
        let day = try await Program.host.run(
            "day", "--remote", "Gate=\(host.address)", "--log-level", "debug")
        let other = try await Program.host.run(
            "day", "--remote", "Gate=\(host.address)", "--log-level", "debug")
        let served = try await host.stop()
        let traces = try [day, other].map { run in
            let calls = run.errors.split(separator: "\n").filter { $0.contains("Gate.pass(code:") }
            #expect(calls.count > 1)
            let traces = Set(calls.compactMap { $0.firstMatch(of: /trace=([0-9a-f]{32})/)?.1 })
            return try #require(traces.count == 1 ? traces.first : nil, "\(run.errors)")
        }
        #expect(traces[0] != traces[1])
        for (trace, run) in zip(traces, [day, other]) {
            let calls = run.errors.split(separator: "\n").filter { $0.contains("Gate.") }
            let mine = served.errors.split(separator: "\n").filter { $0.contains("trace=\(trace)") }
            #expect(mine.count == calls.count)
            #expect(mine.contains { $0.contains("Gate.pass(code:") && $0.contains("outcome=value") })
        }
    }

    @Test("Each call is logged and counted, and its duration is recorded", .timeLimit(.minutes(10)))
    func metrics() async throws {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        let lines = Shared<[String]>([])
        let log = CallLog(Logger(label: "test") { _ in LineHandler(lines: lines) })
        var options = RemoteConnection.Options()
        options.onCall = log.note
        let fake = FakeGate()
        let code = try await fake.code(for: "ann").text
        let server = try RemoteServer([GateRemote.service(fake)], on: RemoteAddresses("127.0.0.1:0"))
        try await running(server.run, stop: server.stop) {
            try await calling(server.address, options: options) { gate in
                for code in [code, code, "OTHER"] {
                    _ = try? await gate.pass(code: code, passenger: "ann", station: "Zoo", key: "k")
                }
            }
        }
        try await calling("127.0.0.1:1", options: options) { gate in
            _ = try? await gate.pass(code: code, passenger: "ann", station: "Zoo", key: "k")
        }
        for (outcome, count) in [("value", 2), ("error", 1), ("failed", 1)] {
            let labels = [
                ("pair", "Gate"), ("method", "pass(code:passenger:station:key:)"), ("outcome", outcome),
            ]
            #expect(try metrics.expectCounter("remote_calls", labels).values.count == count)
            #expect(try metrics.expectTimer("remote_call_duration", labels).values.count == count)
        }
        let failures =
            "1 remote call could not be completed. The first: Gate.pass(code:passenger:station:key:) at 127.0.0.1:1:"
        #expect(log.failures?.hasPrefix(failures) == true)
        #expect(lines.value.count == 4)
        #expect(lines.value[2].hasPrefix("debug Gate.pass(code:"))
        #expect(lines.value[2].contains("codeUnknown"))
        #expect(lines.value[3].hasPrefix("info Gate.pass(code:"))
    }

    @Test(
        "A W3C traceparent header is parsed and formatted",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("", false),
        ])
    func header(text: String, isValid: Bool) {
        let context = TraceContext(text)
        #expect((context != nil) == isValid)
        if let context { #expect(text.dropFirst(2).hasPrefix("\(context)".dropFirst(2))) }
    }

    @Test("A new trace has a unique, valid header")
    func new() {
        let (one, other) = (TraceContext(), TraceContext())
        #expect(TraceContext("\(one)") == one)
        #expect(one.trace != other.trace)
    }
}

/// Collects the lines of a log.
private struct LineHandler: LogHandler {
    let lines: Shared<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.update { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}
