import Foundation
import TestSupport
import Testing

@Suite("The program Host", .serialized)
struct ServeTests {
    @Test(
        "A host prints its address, and exits with 0 on SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
    func stops(signal: Int32) async throws {
        let host = try await ServingHost()
        #expect(host.address.wholeMatch(of: /127\.0\.0\.1:[1-9]\d+/) != nil)
        host.process.kill(signal)
        let end = try await host.process.finished()
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.errors.contains("Pass --database"))
    }

    @Test("A second host at the same address fails with an error that says how to fix it")
    func inUse() async throws {
        let host = try await ServingHost()
        let other = try await Program.host.run("serve", "Gate", "--listen", host.address)
        #expect(other.status == 1)
        #expect(other.output.isEmpty)
        expectFourParts(other, "the address '\(host.address)'", "in use", "--listen")
    }

    @Test(
        "Invalid usage exits with code 2, and the error says where, what, why and how to fix it",
        arguments: [
            (["serve", "gate"], ["the pair 'gate'", "no such pair", "use one of: Gate"]),
            (["serve", "Ride"], ["the pair 'Ride'", "cannot serve", "Scripts/modules remote Ride"]),
            (["serve", "Gate", "--database", ""], ["--database", "is empty", "gate.sqlite"]),
            (
                ["serve", "Gate", "--listen", "0.0.0.0:0"],
                ["'0.0.0.0:0'", "TLS is not configured", "pass a certificate"]
            ),
            (["serve", "Gate", "--listen", "7443"], ["'7443'", "has no port", "write a list"]),
            (
                ["serve", "Gate", "--listen", "127.0.0.1:1,127.0.0.1:2"],
                ["'127.0.0.1:1,127.0.0.1:2'", "one address"]
            ),
            (["serve", "Gate", "--key", "x"], ["--key", "cannot be combined", "pass the three files"]),
            (
                ["serve", "Gate", "--certificate", "/x", "--key", "/y", "--client-ca", "/z"],
                ["certificate '/x'", "read"]
            ),
            (["day", "--remote", "Ride=127.0.0.1:1"], ["the pair 'Ride'", "Scripts/modules remote Ride"]),
            (
                ["day", "--remote", "Gate"],
                ["--remote Gate", "addresses are missing", "--remote Gate=127.0.0.1"]
            ),
            (["day", "--remote", "Gate=127.0.0.1:0"], ["'127.0.0.1:0'", "port 0"]),
            (["day", "--remote", "Gate=a"], ["'a'", "has no port"]),
            (["day", "--remote", "Gate=10.0.0.1:7443"], ["'10.0.0.1:7443'", "TLS is not configured"]),
            (
                ["day", "--remote", "Gate=127.0.0.1:1", "--remote", "Gate=127.0.0.1:2"],
                ["--remote Gate", "twice", "one --remote"]
            ),
            (["day", "--insecure", "--ca", "x"], ["--insecure", "cannot be combined"]),
        ])
    func usage(arguments: [String], parts: [String]) async throws {
        let run = try await Running(Program.host.path, arguments).finished()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        for part in parts { #expect(run.errors.contains(part), "\(run.errors)") }
        expectFourParts(run)
    }

    @Test(
        "Arguments that the parser rejects exit with code 2, and --help exits with code 0",
        arguments: [
            (["serve"], Int32(2), "Missing expected argument '<pairs> ...'"),
            (["day", "--format", "xml"], 2, "The value 'xml' is invalid"),
            (["dance"], 2, "Unexpected argument 'dance'"),
            (["--help"], 0, ""),
        ])
    func parser(arguments: [String], status: Int32, text: String) async throws {
        let run = try await Running(Program.host.path, arguments).finished()
        #expect(run.status == status)
        #expect(status == 0 ? run.output.contains("USAGE: Host") : run.errors.contains(text), "\(run.errors)")
    }

    @Test(
        "A host with invalid options creates no database",
        arguments: [["--listen", "0.0.0.0:0"], ["--listen", "dns:a:1"], ["--key", "x"]])
    func noDatabase(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let arguments = ["serve", "Gate", "--database", folder.file("gate.sqlite").path] + options
        let run = try await Running(Program.host.path, arguments).finished()
        #expect(run.status == 2)
        #expect(try folder.names.isEmpty)
    }

    @Test("A host with an unusable database exits with code 1")
    func database() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "no database ", count: 1000), to: "gate.sqlite")
        let file = folder.file("gate.sqlite").path
        let run = try await Program.host.run("serve", "Gate", "--listen", "127.0.0.1:0", "--database", file)
        #expect(run.status == 1)
        #expect(run.errors.contains("Host: \(file): the ledger is damaged"), "\(run.errors)")
    }
}

/// Expects the last line of standard error to be one of Host's errors, with a place, a problem, a reason and a fix.
func expectFourParts(_ run: Finished, _ parts: String...) {
    let line = run.errors.split(separator: "\n").last.map(String.init) ?? ""
    #expect(line.wholeMatch(of: /Host: .+: .+\. Why: .+\. Fix: .+\./) != nil, "\(run.errors)")
    for part in parts { #expect(line.contains(part), "\(line)") }
}
