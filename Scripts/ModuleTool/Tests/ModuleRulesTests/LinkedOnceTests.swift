import ModuleFixtures
import Testing

@testable import ModuleRules

@Suite("The rule about code that is linked twice")
struct LinkedOnceTests {
    /// An app that links two dynamic libraries, KitA and KitB.
    private let tree: TemporaryTree

    init() throws {
        func manifest(_ name: String, _ uses: String) -> String {
            SmallTree.manifest(name, packages: ["../Registry"], uses: [uses])
                .replacing(".library(name: \"\(name)\",", with: ".library(name: \"\(name)\", type: .dynamic,")
        }
        tree = try TemporaryTree([
            "App/Package.swift": SmallTree.manifest(
                "App", packages: ["../KitA", "../KitB"], uses: ["KitA", "KitB"]
            )
            .replacing(".target(", with: ".executableTarget("),
            "KitA/Package.swift": manifest("KitA", "Registry"),
            "KitB/Package.swift": manifest("KitB", "Registry"),
            "Registry/Package.swift": SmallTree.manifest("Registry"),
        ])
    }

    private var found: [String] {
        get throws { try tree.findings("linked-once").map { "\($0.place): \($0.what)" } }
    }

    @Test("Two dynamic libraries of one process may not contain the same target")
    func libraries() throws {
        #expect(try found == ["KitA/Package.swift:11:46: KitA and KitB each contain a copy of Registry"])
        // The tests of a package link its targets, but not its dynamic product.
        try tree.edit(
            "KitA/Package.swift", "    targets: [",
            "    targets: [.testTarget(name: \"Tests\", dependencies: [\"KitA\", \"Registry\"]),")
        #expect(try found.count == 1)
        // In a dynamic library of its own, the target exists once.
        try tree.edit(
            "Registry/Package.swift", ".library(name: \"Registry\",",
            ".library(name: \"Registry\", type: .dynamic,")
        #expect(try found == [])
    }

    @Test("A product of a remote package counts as static, unless its name contains Dynamic")
    func remote() throws {
        for path in ["App/Package.swift", "KitA/Package.swift"] {
            try tree.edit(
                path, "dependencies: [\"", "dependencies: [.product(name: \"Far\", package: \"far\"), \"")
        }
        #expect(try found.contains { $0.hasSuffix(": App and KitA each contain a copy of Far") })
        try tree.edit("App/Package.swift", "\"Far\"", "\"FarDynamic\"")
        try tree.edit("KitA/Package.swift", "\"Far\"", "\"FarDynamic\"")
        #expect(try !found.contains { $0.contains("Far") })
    }
}
