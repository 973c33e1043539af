import Foundation
import ModuleFixtures
import ModuleTree
import Testing
import ToolFixtures

@Suite("Generated packages that follow their pair")
struct RemoteUpdateTests {
    let tool: Tool

    init() throws { tool = try Tool(DoorTree.pair.get()) }

    @Test(
        "A changed Api makes the generated files stale, and `remote` or `check --fix` updates them",
        arguments: ["remote Door", "check remote-current --fix"])
    func stale(command: String) throws {
        let tool = try Tool(DoorTree.remote.get())
        let readme = DoorTree.folder + "/README.md"
        try tool.tree.write(readme, "# Door\n")
        try tool.tree.edit(DoorTree.protocolFile, "func reset()", "func open()")
        let checked = try tool.expect(DoorTree.check, 1, "\n  fix:  Run: Scripts/modules remote Door\n")
        for path in [DoorTree.client, DoorTree.service] {
            #expect(checked.contains("\(path):1:1: remote-current: differs from DoorApi"), "\(checked)")
        }
        try tool.expect(command)
        #expect(try tool.tree.read(DoorTree.service).contains("service.add(open) { try await api.open() }"))
        #expect(try tool.tree.read(readme) == "# Door\n")
        try tool.expect(DoorTree.check)
    }

    @Test("A missing generated file is a finding, and `remote` writes it again")
    func missing() throws {
        let tool = try Tool(DoorTree.remote.get())
        let files = [
            DoorTree.client, DoorTree.service,
            DoorTree.folder + "/Tests/DoorRemoteTests/DoorRemoteTests.swift",
        ]
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

    @Test("The bump command writes the new versions into the generated package, and raises its version")
    func bump() throws {
        let tool = try Tool(DoorTree.remote.get())
        try tool.tree.edit(
            "VERSIONS.md", "| Door | 1.2.0 | 1.1.0 | >= 1.1.0 |", "| Door | 0.1.0 | 0.1.0 | >= 0.1.0 |")
        try tool.expect(DoorTree.check, 1)
        try tool.expect("bump Door minor --note x", 0, "Raised DoorRemote 0.1.0 -> 0.2.0.")
        let client = try tool.tree.read(DoorTree.client)
        #expect(client.contains("public let version = \"0.2.0\""))
        #expect(client.ranges(of: "RemoteVersion(0, 2, 0)").count == 3)
        let notes = try tool.tree.read(DoorTree.folder + "/CHANGELOG.md")
        #expect(notes.contains(/## 0\.2\.0 - [-\d]{10}\n\n- Follows DoorApi 0\.2\.0\.\n/), "\(notes)")
        try tool.expect(DoorTree.check)
    }

    @Test(
        "The remove command refuses a pair that its generated package uses, and keeps handwritten files of that package"
    )
    func remove() throws {
        try tool.tree.commit("Door")
        try tool.expect("remote Door")
        try tool.expect("remove Door", 1, "\n  \(DoorTree.client):")
        try tool.tree.write(DoorTree.folder + "/Sources/DoorRemote/Mine.swift", "import DoorApi\n")
        try tool.expect("remove DoorRemote", 1, "\n  \(DoorTree.folder)/Sources/DoorRemote/Mine.swift\n")
        try tool.tree.commit("DoorRemote")
        try tool.expect("remove DoorRemote")
        #expect(try tool.tree.git("diff", "HEAD~", "--stat") == "")
    }

    @Test("A rule reports a generated package without a pair")
    func unpaired() throws {
        let tool = try Tool(DoorTree.remote.get())
        try tool.tree.commit("Door")
        try tool.tree.run("mv", "Packages/Adapters/DoorRemote", "Packages/Adapters/Remote")
        try tool.tree.run(
            "mv", "Packages/Adapters/Remote/Sources/DoorRemote/DoorRemoteClient.swift",
            "Packages/Adapters/Remote/Sources/DoorRemote/RemoteClient.swift")
        try tool.tree.run(
            "mv", "Packages/Adapters/Remote/Sources/DoorRemote", "Packages/Adapters/Remote/Sources/Remote")
        try tool.expect("check remote-current", 1, "Remote does not belong to any pair")
    }
}
