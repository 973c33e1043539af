import Foundation
import ModuleFixtures
import ModuleTree
import Testing
import ToolFixtures

@Suite("The remote command")
struct RemoteTests {
    private static let door = "Packages/Adapters/RemotePairs/Tests/RemotePairsTests/Door"
    private static let folder = "Packages/Adapters/DoorRemote"
    private static let client = folder + "/Sources/DoorRemote/DoorRemoteClient.swift"
    private static let service = folder + "/Sources/DoorRemote/DoorRemote+Service.swift"
    private static let protocolFile = "Packages/Business/DoorApi/Sources/DoorApi/DoorApiProtocol.swift"

    let tool: Tool

    init() throws { tool = try Tool(Self.pair.get()) }

    /// A tree with a pair Door, whose Api is the one that the tests of RemotePairs call over the network.
    private static let pair = made {
        let tool = try Tool()
        let (library, settings) = (
            "Packages/Adapters/RemotePairs", SharedSettings.end(of: try tool.tree.read("Package.swift"))
        )
        try tool.tree.write(library + "/Package.swift", SmallTree.manifest("RemotePairs") + settings)
        try tool.tree.write(library + "/Sources/RemotePairs/RemotePairs.swift", "")
        let libraries = "\n| Library | Version |\n|---|---|\n| RemotePairs | 1.0.0 |\n"
        try tool.tree.write("VERSIONS.md", tool.tree.read("VERSIONS.md") + libraries)
        try tool.expect("new-module Door")
        let api = try HouseFiles.text(door + "/DoorApi.swift")
        try tool.tree.write(protocolFile, api.replacing(/(?m)^(?=protocol|struct|enum)/, with: "public "))
        try tool.tree.edit(
            "VERSIONS.md", "| Door | 0.1.0 | 0.1.0 | >= 0.1.0 |", "| Door | 1.2.0 | 1.1.0 | >= 1.1.0 |")
        return tool
    }

    /// The same tree with the generated package.
    private static let remote = made {
        let tool = try Tool(pair.get())
        try tool.expect("remote Door")
        return tool
    }

    private static func made(_ make: () throws -> Tool) -> Result<TemporaryTree, any Error> {
        Result {
            let tree = try HouseFiles.copy(of: make().tree)
            HouseFiles.removeAtExit([tree.root])
            return tree
        }
    }

    private static let check = "check remote-current layers registration imports"

    /// The code from a line on, without white space and access control.
    private func code(_ text: String, from start: String) throws -> String {
        let begin = try #require(text.range(of: start)?.lowerBound)
        return text[begin...].replacing("public ", with: "").filter { !$0.isWhitespace }
    }

    @Test("The generated code equals the code with which the tests of RemotePairs call and serve Door")
    func door() throws {
        try tool.expect("remote Door", 0, "\nAdded DoorRemote: \(Self.folder), 0.1.0.\n")
        for (generated, written, start) in [
            (Self.client, "DoorRemoteClient.swift", "func code(for"),
            (Self.service, "DoorRemoteService.swift", "static func service"),
        ] {
            // The written code has an IMP above the floor.
            let expected = try HouseFiles.text("\(Self.door)/\(written)").replacing(
                "(1, 2, 3)", with: "(1, 1, 0)")
            #expect(try code(tool.tree.read(generated), from: start) == code(expected, from: start))
        }
        try tool.expect(Self.check)
        #expect(try tool.tree.read("VERSIONS.md").contains("\n| DoorRemote | 0.1.0 |\n"))
        try tool.tree.run("swift", "format", "lint", "--strict", "--recursive", Self.folder)
    }

    @Test("Overloads, keywords and unnamed parameters get usable names")
    func names() throws {
        try tool.tree.write(
            Self.protocolFile,
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
        let client = try tool.tree.read(Self.client)
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
        let service = try tool.tree.read(Self.service)
        #expect(
            service.contains("service.add(passCard) { try await api.pass(card: $0, $1) }"), "\(service)")
        #expect(
            service.contains("service.add(`repeat`) { try await api.`repeat`($0, init: $1) }"), "\(service)")
        #expect(
            try tool.tree.read("\(Self.folder)/Tests/DoorRemoteTests/DoorRemoteTests.swift").contains(
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
            Self.protocolFile, "func reset() async throws", "func reset(_ card: Card) async throws -> [Card]")
        try tool.tree.write(Self.protocolFile, "import Models\n" + tool.tree.read(Self.protocolFile))
        try tool.expect("check import-declared --fix", 0)
        try tool.expect("remote Door")
        let manifest = try tool.tree.read(Self.folder + "/Package.swift")
        #expect(manifest.contains(".package(path: \"../../Base/Models\")"), "\(manifest)")
        #expect(manifest.ranges(of: ", \"Models\"]").count == 2, "\(manifest)")
        let client = try tool.tree.read(Self.client)
        #expect(
            client.contains("\nimport Models\n") && client.contains("func reset(_ card: Card)"), "\(client)")
        try tool.expect(Self.check + " api-alone")
        try tool.tree.edit(Self.protocolFile, "func reset(_ card: Card)", "func reset(_ card: Lock)")
        try tool.expect(
            "remote Door", 1,
            "cannot send the parameter card, `Lock`\n    fix: Add Codable and Sendable to Lock")
    }

    @Test("In a tree without versions, the command neither asks for VERSIONS.md nor writes it")
    func withoutVersions() throws {
        try tool.tree.write(".modules.yml", "versions: none\n" + tool.tree.read(".modules.yml"))
        try tool.tree.remove("VERSIONS.md")
        try tool.expect("remote Door", 0, "\nAdded DoorRemote: \(Self.folder).\n")
        let files = try tool.tree.files().keys.filter { $0.hasPrefix(Self.folder + "/") }
        #expect(files.count == 5 && !files.contains(Self.folder + "/CHANGELOG.md"), "\(files.sorted())")
        #expect(try !tool.tree.files().keys.contains("VERSIONS.md"))
        try tool.expect(Self.check)
        #expect(try tool.expect("remote Door") == "DoorRemote is up to date.\n")
        try tool.tree.edit(Self.protocolFile, "func reset()", "func open()")
        try tool.expect("remote Door", 0, "Wrote ")
        try tool.tree.commit("DoorRemote")
        try tool.expect("remove DoorRemote")
    }

    @Test("A dry run, a second run, or an Api that cannot be called remotely changes nothing")
    func nothing() throws {
        let before = try tool.tree.files()
        try tool.expect("remote Door --dry-run", 0, "+ \(Self.client)\n")
        #expect(try tool.tree.files() == before)
        try tool.expect("remote Door")
        let after = try tool.tree.files()
        #expect(try tool.expect("remote Door") == "DoorRemote is up to date.\n")
        #expect(try tool.tree.files() == after)

        try tool.tree.edit(
            Self.protocolFile, "func reset() async throws", "func reset()\n    var isOpen: Bool { get }")
        let text = try tool.tree.read(Self.protocolFile)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("reset") }) + 1
        let refused = try tool.expect("remote Door", 1)
        #expect(
            refused.hasPrefix(
                """
                error: DoorApi cannot be called in another process:
                  \(Self.protocolFile):\(line):10: reset() is not async throws
                    fix: Add async throws.
                  \(Self.protocolFile):\(line + 1):9: isOpen is not a method
                    fix: Replace it with an async throws method.
                  why:  A call to another process is sent as data, and may fail on the way.
                  fix:  Change the Api
                """), "\(refused)")
        try tool.expect(
            Self.check, 1,
            "\(Self.protocolFile):\(line):10: remote-current: reset() is not async throws; DoorRemote calls it"
        )
        #expect(try tool.tree.read(Self.client) == after[Self.client])
    }

    @Test(
        "A changed Api makes the generated files stale, and `remote` or `check --fix` updates them",
        arguments: ["remote Door", "check remote-current --fix"])
    func stale(command: String) throws {
        let tool = try Tool(Self.remote.get())
        let readme = Self.folder + "/README.md"
        try tool.tree.write(readme, "# Door\n")
        try tool.tree.edit(Self.protocolFile, "func reset()", "func open()")
        let checked = try tool.expect(Self.check, 1, "\n  fix:  Run: Scripts/modules remote Door\n")
        for path in [Self.client, Self.service] {
            #expect(checked.contains("\(path):1:1: remote-current: differs from DoorApi"), "\(checked)")
        }
        try tool.expect(command)
        #expect(try tool.tree.read(Self.service).contains("service.add(open) { try await api.open() }"))
        #expect(try tool.tree.read(readme) == "# Door\n")
        try tool.expect(Self.check)
    }

    @Test("A missing generated file is a finding, and `remote` writes it again")
    func missing() throws {
        let tool = try Tool(Self.remote.get())
        let files = [Self.client, Self.service, Self.folder + "/Tests/DoorRemoteTests/DoorRemoteTests.swift"]
        let before = try tool.tree.files()
        for file in files {
            try tool.tree.remove(file)
            try tool.expect(
                "check remote-current", 1,
                "\(file):1:1: remote-current: is missing from the generated package\n",
                "\n  fix:  Run: Scripts/modules remote Door\n")
            if file != files.last { try tool.tree.write(file, before[file] ?? "") }
        }
        try tool.expect("remote Door")
        #expect(try tool.tree.files() == before)
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

    @Test("The bump command writes the new versions into the generated package, and raises its version")
    func bump() throws {
        let tool = try Tool(Self.remote.get())
        try tool.tree.edit(
            "VERSIONS.md", "| Door | 1.2.0 | 1.1.0 | >= 1.1.0 |", "| Door | 0.1.0 | 0.1.0 | >= 0.1.0 |")
        try tool.expect(Self.check, 1)
        try tool.expect("bump Door minor --note x", 0, "Raised DoorRemote 0.1.0 -> 0.2.0.")
        let client = try tool.tree.read(Self.client)
        #expect(client.contains("public let version = \"0.2.0\""))
        #expect(client.ranges(of: "RemoteVersion(0, 2, 0)").count == 3)
        let notes = try tool.tree.read(Self.folder + "/CHANGELOG.md")
        #expect(notes.contains(/## 0\.2\.0 - [-\d]{10}\n\n- Follows DoorApi 0\.2\.0\.\n/), "\(notes)")
        try tool.expect(Self.check)
    }

    @Test(
        "The remove command refuses a pair that its generated package uses, and keeps handwritten files of that package"
    )
    func remove() throws {
        try tool.tree.commit("Door")
        try tool.expect("remote Door")
        try tool.expect("remove Door", 1, "\n  \(Self.client):")
        try tool.tree.write(Self.folder + "/Sources/DoorRemote/Mine.swift", "import DoorApi\n")
        try tool.expect("remove DoorRemote", 1, "\n  \(Self.folder)/Sources/DoorRemote/Mine.swift\n")
        try tool.tree.commit("DoorRemote")
        try tool.expect("remove DoorRemote")
        #expect(try tool.tree.git("diff", "HEAD~", "--stat") == "")
    }

    @Test("A rule reports a generated package without a pair")
    func unpaired() throws {
        let tool = try Tool(Self.remote.get())
        try tool.tree.commit("Door")
        try tool.tree.run("mv", "Packages/Adapters/DoorRemote", "Packages/Adapters/Remote")
        try tool.tree.run(
            "mv", "Packages/Adapters/Remote/Sources/DoorRemote/DoorRemoteClient.swift",
            "Packages/Adapters/Remote/Sources/DoorRemote/RemoteClient.swift")
        try tool.tree.run(
            "mv", "Packages/Adapters/Remote/Sources/DoorRemote", "Packages/Adapters/Remote/Sources/Remote")
        try tool.expect("check remote-current", 1, "Remote does not belong to any pair")
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
