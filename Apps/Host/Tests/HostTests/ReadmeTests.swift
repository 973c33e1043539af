import Foundation
import TestSupport
import Testing

/// The commands of the README. Instead of `swift run`, the tests start the executable that was built with them, on a
/// random port.
struct ReadmeCommands {
    private let port = Int.random(in: 20_000..<30_000)

    let blocks: [Readme.Block]

    init() throws { blocks = try Readme().blocks(in: "sh") }

    /// Starts the commands of a block in a folder, in a separate shell.
    func start(_ block: Readme.Block, in folder: TemporaryFolder) throws -> Running {
        let script = """
            set -e
            swift() {
                [ "$1 $2 $3 $4" = "run --package-path Apps/Host Host" ]
                shift 4
                exec "$HOST" "$@"
            }
            \(block.text.replacing("7443", with: "\(port)").replacing("7444", with: "\(port + 1)"))
            """
        return try Running(
            "/usr/bin/env", ["bash", "-c", script], in: folder.url,
            environment: ["HOST": Program.host.path, "GATE": "127.0.0.1"])
    }
}

@Suite("Host's README", .serialized)
struct ReadmeTests {
    @Test("Every command works, in the order of the README", .timeLimit(.minutes(10)))
    func commands() async throws {
        let folder = try TemporaryFolder(), commands = try ReadmeCommands()
        var servers: [Running] = []
        for block in commands.blocks {
            // As the README says, the hosts without TLS stop before the one with TLS starts.
            if block.text.contains("--client-ca") { try await stop(&servers) }
            let running = try commands.start(block, in: folder)
            if block.note == "serves" {
                servers.append(running)
                let line = try await running.line()
                #expect(line?.hasPrefix("Serving Gate at 127.0.0.1:") == true, "\(running.errors)")
            } else {
                let run = try await running.finished()
                #expect(run.status == 0, "\(block.text)\(run.errors)")
                if block.text.contains(" day ") { #expect(run.output.contains(", Gate at 127.0.0.1:")) }
            }
        }
        #expect(try folder.names.contains("gate.sqlite"))
        #expect(commands.blocks.count == 7)
        try await stop(&servers)
    }

    private func stop(_ servers: inout [Running]) async throws {
        for server in servers {
            server.kill(SIGTERM)
            #expect(try await server.finished().status == 0)
        }
        servers = []
    }

    @Test(
        "A call fails without certificates, or if one side has a certificate from another authority",
        .timeLimit(.minutes(10)))
    func authorities() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()], commands = try ReadmeCommands()
        let certificates = try #require(commands.blocks.first { $0.text.contains("openssl") })
        for folder in folders {
            #expect(try await commands.start(certificates, in: folder).finished().status == 0)
        }
        func files(_ name: String, _ folder: Int, trusting other: Int) -> [String] {
            let keys = folders[folder].path + "/keys/"
            return [
                "--certificate", "\(keys)\(name).pem", "--key", "\(keys)\(name).key", "--ca",
                "\(folders[other].path)/keys/ca.pem",
            ]
        }
        let host = try Running(
            Program.host.path, ["serve", "Gate", "--listen", "127.0.0.1:0"] + files("gate", 0, trusting: 0))
        let address = try #require(try await host.line()?.split(separator: " ").last)
        for (options, status) in [
            (files("app", 0, trusting: 0), Int32(0)), (files("app", 0, trusting: 1), 1),
            (files("app", 1, trusting: 0), 1), ([], 1),
        ] {
            let day = ["day", "--remote", "Gate=\(address)"] + options
            let run = try await Running(Program.host.path, day).finished()
            #expect(run.status == status, "\(run.errors)")
            if status == 1 { #expect(run.errors.contains("The first: Gate.code(for:) at \(address): ")) }
        }
    }

    @Test("The README has at most 150 lines, and its links lead to files")
    func links() throws {
        let text = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../README.md"),
            encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        for link in text.matches(of: /\]\(([^)]+)\)/).map(\.1) where !link.hasPrefix("https:") {
            #expect(
                FileManager.default.fileExists(atPath: folder.appending(path: String(link)).path), "\(link)")
        }
    }
}
