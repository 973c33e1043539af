import ModuleFixtures

/// A copy of this repository's app and packages, without the sources of the tool.
enum WholeTree {
    static func make() throws -> TemporaryTree { try HouseFiles.copy(of: template.get()) }

    /// The tree to copy, in a repository with one commit. Created once per process.
    static let template = Result<TemporaryTree, any Error>(catching: {
        let tree = try TemporaryTree()
        HouseFiles.removeAtExit([tree.root])
        let tool = [
            "Scripts/ModuleTool/Package.swift", "Scripts/ModuleTool/CHANGELOG.md", "Scripts/ModuleCheck",
        ]
        let files = [".modules.yml", "Package.swift", "VERSIONS.md", ".gitignore", ".swift-format"]
        try HouseFiles.copy(files + tool + ["Scripts/modules", "Apps", "Packages"], to: tree)
        // The copy has a history of its own, and lacks files that tests read.
        let configuration = try tree.read(".modules.yml").replacing(/(?m)^releases-after:.*\n/, with: "")
        try tree.write(".modules.yml", configuration.replacing(/(?ms)^reads:.*/, with: ""))
        // An export refuses changes that no release contains.
        for (path, text) in try tree.files() where path.hasSuffix("/CHANGELOG.md") {
            try tree.write(path, text.replacing(/(?ms)^## Unreleased\n.*?^(?=## )/, with: ""))
        }
        try tree.commit("Start")
        try tree.git("gc", "-q")
        return tree
    })
}
