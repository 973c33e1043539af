import Foundation
import TestSupport
import Testing

/// The steps of a day, decoded from its JSON report for comparison.
struct PlayedDay: Decodable, Equatable {
    struct Step: Decodable, Equatable {
        let title: String
        var outcomes: [Outcome]
        var calls: [Call]
    }

    struct Outcome: Decodable, Equatable {
        var text: String
        let isRefusal: Bool
    }

    struct Call: Decodable, Hashable {
        let way, name: String
        var callee: String
        var caller, file, error: String?
        var line: Int?
        let isAbsent: Bool
    }

    let steps: [Step]

    /// Decodes a day, and removes the differences between runs: the times in the log, the place where the program
    /// itself opens a link, and the order of calls in a step, which varies because Ride calls Gate in a separate task
    /// after a notification.
    ///
    /// - Parameter gate: The name of Gate in the report, which is replaced by `Gate`.
    init(_ run: Finished, gate: String = "Gate") throws {
        struct Read: Decodable { let steps: [Step] }
        steps = try JSONDecoder().decode(Read.self, from: Data(run.output.utf8)).steps.map { step in
            var step = step
            for index in step.outcomes.indices {
                step.outcomes[index].text.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
            }
            for index in step.calls.indices where step.calls[index].callee == gate {
                step.calls[index].callee = "Gate"
            }
            for index in step.calls.indices where ["Host", "Shell"].contains(step.calls[index].caller) {
                (step.calls[index].caller, step.calls[index].file, step.calls[index].line) = (nil, nil, nil)
            }
            step.calls.sort { "\($0)" < "\($1)" }
            return step
        }
    }
}

@Suite("The sample day, played by Host", .serialized)
struct DayTests {
    @Test("Without remote pairs, the day is the same as in the Shell")
    func inProcess() async throws {
        let run = try await Program.host.run("day", "--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try PlayedDay(run) == PlayedDay(await Program.shell.run("trace", "--json")))
    }

    @Test("A remote Gate changes only Gate's name in the day, even in a second run with stored data")
    func remote() async throws {
        let host = try await ServingHost()
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        for _ in 0..<2 {
            let run = try await Program.host.run(
                "day", "--remote", "Gate=\(host.address)", "--format", "json", "--data", folders[0].path)
            #expect(run.status == 0, "\(run.errors)")
            let name = "Gate at \(host.address)"
            #expect(run.output.contains("\"callee\" : \"\(name)\""))
            #expect(!run.output.contains("\"callee\" : \"Gate\""))
            let local = try await Program.host.run("day", "--format", "json", "--data", folders[1].path)
            #expect(try PlayedDay(run, gate: name) == PlayedDay(local))
        }
    }

    @Test("The text shows the address of a remote Gate")
    func reports() async throws {
        let host = try await ServingHost()
        let text = try await Program.host.run("day", "--remote", "Gate=\(host.address)")
        #expect(text.output.contains("Ride -> GateApi, Gate at \(host.address) (x"))
        #expect(text.output.contains("The gate at Museum opens."))
    }

    @Test(
        "Without a server, the day continues, the passenger reads the reason, and the exit code is 1",
        .timeLimit(.minutes(10)))
    func absent() async throws {
        let run = try await Program.host.run("day", "--remote", "Gate=127.0.0.1:1", "--format", "json")
        #expect(run.status == 1)
        #expect(
            run.errors.contains(
                "remote calls could not be completed. The first: Gate.code(for:) at 127.0.0.1:1: "))
        let day = try PlayedDay(run)
        #expect(day.steps.count == 15)
        let refusals = day.steps.flatMap(\.outcomes).filter(\.isRefusal).map(\.text)
        // The passenger reads a sentence without addresses and gRPC's words, which are in the log.
        #expect(refusals.contains { $0.hasPrefix("The gate does not answer; ") })
        #expect(!refusals.contains { $0.contains("127.0.0.1") || $0.contains("transient") })
        #expect(day.steps.last?.outcomes.isEmpty == false)
    }

    @Test(
        "With three hosts on one database, the day succeeds even if the first host is killed or suspended",
        arguments: [SIGKILL, SIGSTOP])
    func failover(signal: Int32) async throws {
        let folder = try TemporaryFolder(), database = folder.file("gate.sqlite").path
        var hosts: [ServingHost] = []
        for _ in 0..<3 { hosts.append(try await ServingHost("--database", database)) }
        let addresses = hosts.map(\.address).joined(separator: ",")
        hosts[0].process.kill(signal)
        if signal == SIGKILL {
            #expect(try await hosts[0].process.finished().status == 128 + SIGKILL)
        }
        let run = try await Program.host.run("day", "--remote", "Gate=\(addresses)", "--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        let local = try PlayedDay(await Program.host.run("day", "--format", "json"))
        #expect(try PlayedDay(run, gate: "Gate at \(addresses)") == local)
    }

    @Test("No caller or IMP imports the modules that connect pairs in other processes")
    func callers() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
            .standardized
        var count = 0
        for folder in ["Packages/Business", "Packages/Common", "Apps/Demo", "Apps/Shell"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files)
            where file.pathExtension == "swift"
                && !file.pathComponents.contains(where: { $0.hasPrefix(".build") })
            {
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(!text.contains(/import (RemotePairs|GateRemote|GateSQLite|GRPC)/), "\(file.path)")
                count += 1
            }
        }
        #expect(count > 100)
    }
}
