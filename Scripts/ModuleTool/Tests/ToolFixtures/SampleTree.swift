import Foundation
import ModuleEdits
import ModuleFixtures
import ModuleScaffold

/// A user's tree: the app Shell, the pair Greeting and more pairs, as `init` and `new-module` create them. The pairs have
/// version 1.0.0.
///
/// ModuleC calls ModuleA and ModuleB, ModuleA calls ModuleB, ModuleB calls Logger, Home calls Ride, and Ride calls
/// PayType. PayTypeCashless is an alternative to PayType.
package enum SampleTree {
    private static let pairs = [
        NewModule(name: "Logger", layer: "Common"),
        NewModule(name: "ModuleB", calls: ["Logger"]),
        NewModule(name: "ModuleA", calls: ["ModuleB"]),
        NewModule(name: "ModuleC", calls: ["ModuleA", "ModuleB"]),
        NewModule(name: "PayType"),
        NewModule(name: "PayTypeCashless", alternativeTo: "PayType"),
        NewModule(name: "Ride", calls: ["PayType"]),
        NewModule(name: "Home", calls: ["Ride"]),
    ]

    /// A copy of the tree, in a repository with one commit.
    package static func make() throws -> TemporaryTree { try HouseFiles.copy(of: template.get()) }

    /// The tree to copy. Created once per process.
    package static let template = Result<TemporaryTree, any Error>(catching: {
        let tree = try TemporaryTree()
        HouseFiles.removeAtExit([tree.root, facts])
        let tool = try NewTree.house.get().root + "/Scripts/ModuleTool"
        try tree.write(".swift-format", HouseFiles.text(".swift-format"))
        try make(InitTree(app: "Shell", starter: .copies(tool: tool), checksBuilds: false), in: tree)
        // `new-module` ends each manifest as the root's ends.
        for manifest in ["Package.swift", greeting + "/Package.swift", greeting + "Api/Package.swift"] {
            try tree.write(manifest, tree.read(manifest) + settings)
        }
        for pair in pairs { try make(pair, in: tree) }
        let isCopy = { (path: String) in ["Packages/Base/", "Packages/Core/"].contains(where: path.hasPrefix)
        }
        for (path, text) in try tree.files() where text.contains("0.1.0") && !isCopy(path) {
            try tree.write(path, text.replacing("0.1.0", with: "1.0.0"))
        }
        try tree.commit("Start")
        return tree
    })

    /// The file with the facts of the template's files, because parsing them takes longer than most tests.
    package static let facts = HouseFiles.place.appending(path: "moduletool-sample-\(getpid())").path

    private static let greeting = "Packages/Business/Greeting"
    private static let settings = """

        // The shared settings, identical in every manifest.
        for target in package.targets {
            target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
        }

        """

    private static func make(_ edit: some Edit, in tree: TemporaryTree) throws {
        let plan = try edit.plan(TreeRoot(tree.url, caching: .file(facts)))
        try Transaction(root: tree.url).apply(plan.changes, command: edit.command)
    }
}
