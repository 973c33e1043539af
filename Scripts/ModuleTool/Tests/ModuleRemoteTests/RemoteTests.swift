import Foundation
import ModuleFixtures
import ModuleTree
import Testing
import ToolFixtures

@Suite("The remote command")
struct RemoteTests {
    let tool: Tool

    init() throws { tool = try Tool(DoorTree.pair.get()) }

    /// The code from a line on, without white space and access control.
    private func code(_ text: String, from start: String) throws -> String {
        let begin = try #require(text.range(of: start)?.lowerBound)
        return text[begin...].replacing("public ", with: "").filter { !$0.isWhitespace }
    }

    @Test("The generated code equals the code with which the tests of RemotePairs call and serve Door")
    func door() throws {
        try tool.expect("remote Door", 0, "\nAdded DoorRemote: \(DoorTree.folder), 0.1.0.\n")
        for (generated, written, start) in [
            (DoorTree.client, "DoorRemoteClient.swift", "func code(for"),
            (DoorTree.service, "DoorRemoteService.swift", "static func service"),
        ] {
            // The written code has an IMP above the floor.
            let expected = try HouseFiles.text("\(DoorTree.door)/\(written)").replacing(
                "(1, 2, 3)", with: "(1, 1, 0)")
            #expect(try code(tool.tree.read(generated), from: start) == code(expected, from: start))
        }
        try tool.expect(DoorTree.check)
        #expect(try tool.tree.read("VERSIONS.md").contains("\n| DoorRemote | 0.1.0 |\n"))
        try tool.tree.run("swift", "format", "lint", "--strict", "--recursive", DoorTree.folder)
    }

    @Test("Overloads, keywords and unnamed parameters get usable names")
    func names() throws {
        try tool.tree.write(
            DoorTree.protocolFile,
            """
            internal import struct Foundation.Date

            public protocol DoorApiProtocol: Sendable {
                func pass(code: String) async throws -> Date
                func pass(card: Date, _ in: Int) async throws
                func `repeat`(_: [String], `init` b: Int) async throws
                func pair(connection: Int?, for: Int) async throws
            }

            """)
        try tool.expect("remote Door")
        let client = try tool.tree.read(DoorTree.client)
        for line in [
            "import Foundation\n", "static let passCode = ", "static let passCard = ",
            "static let `repeat` = ",
            "static let pairConnectionFor = ", "func pass(card: Date, _ `in`: Int) async throws {",
            "call(DoorRemote.passCard, card, `in`)",
            "func `repeat`(_ argument1: [String], init b: Int) async throws {",
            "func pair(connection: Int?, for: Int) async throws {",
            "try await remoteConnection.call(DoorRemote.pairConnectionFor, connection, `for`)",
            "init(connection: RemoteConnection) { remoteConnection = connection }",
        ] {
            #expect(client.contains(line), "\(line)\n\(client)")
        }
        let service = try tool.tree.read(DoorTree.service)
        #expect(
            service.contains("service.add(passCard) { try await api.pass(card: $0, $1) }"), "\(service)")
        #expect(
            service.contains("service.add(`repeat`) { try await api.`repeat`($0, init: $1) }"), "\(service)")
        #expect(
            try tool.tree.read("\(DoorTree.folder)/Tests/DoorRemoteTests/DoorRemoteTests.swift").contains(
                "await expectError { try await api.pass(card: Date(), 0) }"))
    }

    @Test(
        "The generated package depends on a library whose types the Api shows, and refuses types that cannot be sent"
    )
    func library() throws {
        let models = "Packages/Base/Models"
        try tool.tree.write(
            models + "/Package.swift",
            SmallTree.manifest("Models") + SharedSettings.end(of: tool.tree.read("Package.swift")))
        try tool.tree.write(
            models + "/Sources/Models/Card.swift",
            "public struct Card: Codable, Sendable {}\npublic struct Lock: Sendable {}\n")
        try tool.tree.write(".modules.yml", "api-imports: [Models]\n" + tool.tree.read(".modules.yml"))
        try tool.tree.edit(
            DoorTree.protocolFile, "func reset() async throws",
            "func reset(_ card: Card) async throws -> [Card]")
        try tool.tree.write(DoorTree.protocolFile, "import Models\n" + tool.tree.read(DoorTree.protocolFile))
        try tool.expect("check import-declared --fix", 0)
        try tool.expect("remote Door")
        let manifest = try tool.tree.read(DoorTree.folder + "/Package.swift")
        #expect(manifest.contains(".package(path: \"../../Base/Models\")"), "\(manifest)")
        #expect(manifest.ranges(of: ", \"Models\"]").count == 2, "\(manifest)")
        let client = try tool.tree.read(DoorTree.client)
        #expect(
            client.contains("\nimport Models\n") && client.contains("func reset(_ card: Card)"), "\(client)")
        try tool.expect(DoorTree.check + " api-alone")
        try tool.tree.edit(DoorTree.protocolFile, "func reset(_ card: Card)", "func reset(_ card: Lock)")
        try tool.expect(
            "remote Door", 1,
            "cannot send the parameter card, `Lock`\n    fix: Add Codable and Sendable to Lock")
    }

    @Test("In a tree without versions, the command neither asks for VERSIONS.md nor writes it")
    func withoutVersions() throws {
        try tool.tree.write(".modules.yml", "versions: none\n" + tool.tree.read(".modules.yml"))
        try tool.tree.remove("VERSIONS.md")
        try tool.expect("remote Door", 0, "\nAdded DoorRemote: \(DoorTree.folder).\n")
        let files = try tool.tree.files().keys.filter { $0.hasPrefix(DoorTree.folder + "/") }
        #expect(files.count == 5 && !files.contains(DoorTree.folder + "/CHANGELOG.md"), "\(files.sorted())")
        #expect(try !tool.tree.files().keys.contains("VERSIONS.md"))
        try tool.expect(DoorTree.check)
        #expect(try tool.expect("remote Door") == "DoorRemote is up to date.\n")
        try tool.tree.edit(DoorTree.protocolFile, "func reset()", "func open()")
        try tool.expect("remote Door", 0, "Wrote ")
        try tool.tree.commit("DoorRemote")
        try tool.expect("remove DoorRemote")
    }

    @Test("A dry run, a second run, or an Api that cannot be called remotely changes nothing")
    func nothing() throws {
        let before = try tool.tree.files()
        try tool.expect("remote Door --dry-run", 0, "+ \(DoorTree.client)\n")
        #expect(try tool.tree.files() == before)
        try tool.expect("remote Door")
        let after = try tool.tree.files()
        #expect(try tool.expect("remote Door") == "DoorRemote is up to date.\n")
        #expect(try tool.tree.files() == after)

        try tool.tree.edit(
            DoorTree.protocolFile, "func reset() async throws", "func reset()\n    var isOpen: Bool { get }")
        let text = try tool.tree.read(DoorTree.protocolFile)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("reset") }) + 1
        let refused = try tool.expect("remote Door", 1)
        #expect(
            refused.hasPrefix(
                """
                error: DoorApi cannot be called in another process:
                  \(DoorTree.protocolFile):\(line):10: reset() is not async throws
                    fix: Add async throws.
                  \(DoorTree.protocolFile):\(line + 1):9: isOpen is not a method
                    fix: Replace it with an async throws method.
                  why:  A call to another process is sent as data, and may fail on the way.
                  fix:  Change the Api
                """), "\(refused)")
        try tool.expect(
            DoorTree.check, 1,
            "\(DoorTree.protocolFile):\(line):10: remote-current: reset() is not async throws; DoorRemote calls it"
        )
        #expect(try tool.tree.read(DoorTree.client) == after[DoorTree.client])
    }

    @Test("An Api that declares names used by the generated code is rejected")
    func reserved() throws {
        let names = ["DoorRemote", "DoorRemoteClient", "DoorRemoteModule", "RemoteCall"]
        try tool.tree.write(
            "Packages/Business/DoorApi/Sources/DoorApi/Other.swift",
            names.map { "public struct \($0) {}\n" }.joined())
        let refused = try tool.expect("remote Door", 1)
        for name in names {
            #expect(
                refused.contains(
                    "is in a module with a type named \(name), and the generated code uses this name"),
                "\(refused)")
        }
    }

    @Test(
        "The remote command needs the package RemotePairs, and a library layer that may use third-party packages"
    )
    func layer() throws {
        let layers = """
            layers:
              - {name: Base, folders: [Packages/Base]}
              - {name: Adapters, folders: [Packages/Adapters], pairs: optional, allow: [third-party]}
              - {name: Rest, folders: [Packages/Business, Packages/Common], pairs: optional}
              - {name: Apps, folders: [Apps], apps: true, allow: [third-party]}
            deny: [{use: third-party, reason: downloads}]

            """
        let configuration = try tool.tree.read(".modules.yml")
        try tool.tree.write(".modules.yml", layers)
        try tool.expect("remote Door", 2, "no layer of libraries may use third-party packages.")
        try tool.tree.write(".modules.yml", configuration)
        try tool.tree.remove("Packages/Adapters/RemotePairs")
        try tool.expect("remote Door", 2, "error: the layers contain no package named RemotePairs.")
    }

    @Test(
        "The remote command needs a pair with its own Api, and an unused name",
        arguments: [
            ("Nobody", "Choose one of: "), ("PayTypeCashless", "Scripts/modules remote PayType"),
            ("ModuleA", "'ModuleARemote' cannot be added"),
        ])
    func refused(name: String, message: String) throws {
        try tool.tree.edit(
            "Packages/Business/ModuleAApi/Sources/ModuleAApi/ModuleAApiProtocol.swift", ") ->",
            ") async throws ->")
        try tool.tree.write("Packages/Adapters/ModuleARemote/notes.txt", "x")
        try tool.expect("remote \(name)", 2, message)
    }
}
