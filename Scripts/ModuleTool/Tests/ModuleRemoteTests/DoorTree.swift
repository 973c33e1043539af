import Foundation
import ModuleFixtures
import ModuleTree
import Testing
import ToolFixtures

/// Trees with a pair Door, and the paths in them.
enum DoorTree {
    static let door = "Packages/Adapters/RemotePairs/Tests/RemotePairsTests/Door"
    static let folder = "Packages/Adapters/DoorRemote"
    static let client = folder + "/Sources/DoorRemote/DoorRemoteClient.swift"
    static let service = folder + "/Sources/DoorRemote/DoorRemote+Service.swift"
    static let protocolFile = "Packages/Business/DoorApi/Sources/DoorApi/DoorApiProtocol.swift"

    /// A tree with a pair Door, whose Api is the one that the tests of RemotePairs call over the network.
    static let pair = made {
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
    static let remote = made {
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

    static let check = "check remote-current layers registration imports"
}
