import ModuleFixtures
import Testing

@Suite("The rule about code that is linked twice")
struct LinkedOnceTests {
    private static let app = "App/Package.swift", kit = "KitA/Package.swift"
    private static let dynamic = ", type: .dynamic, targets"
    private static let twice = "\(kit):11:46: KitA and KitB each contain a copy of Registry"

    /// An app that links two dynamic libraries, KitA and KitB.
    private static let tree: [Change] =
        ["KitA", "KitB"].flatMap { name -> [Change] in
            let manifest = SmallTree.manifest(name, packages: ["../Registry"], uses: ["Registry"])
            return [.write("\(name)/Package.swift", manifest.replacing(", targets", with: dynamic))]
        } + [
            .write("Registry/Package.swift", SmallTree.manifest("Registry")),
            .write(
                app, SmallTree.manifest("App", packages: ["../KitA", "../KitB"], uses: ["KitA", "KitB"])),
            .edit(app, ".target(", ".executableTarget("),
        ]

    /// A product of a remote package, which the app and KitA link.
    private static func remote(_ name: String) -> [Change] {
        [app, kit].map {
            .edit($0, "dependencies: [\"", "dependencies: [.product(name: \"\(name)\", package: \"far\"), \"")
        }
    }

    static let rows: [(changes: [Change], findings: [String])] = [
        ([], [twice]),
        // The tests of a package link its targets, but not its dynamic product.
        (
            [
                .insert(
                    ".testTarget(name: \"Tests\", dependencies: [\"KitA\"]),", before: "\n    ]\n)", in: kit)
            ], [twice]
        ),
        // In a dynamic library of its own, the target exists once.
        ([.edit("Registry/Package.swift", ", targets", dynamic)], []),
        // A product of a remote package counts as static, unless its name contains Dynamic.
        (remote("Far"), ["App and KitA each contain a copy of Far", "KitA and KitB each contain a copy of"]),
        (remote("FarDynamic"), ["KitA and KitB each contain a copy of"]),
    ]

    @Test("Two dynamic libraries of one process may not contain the same code", arguments: rows)
    func libraries(_ changes: [Change], _ findings: [String]) throws {
        let tree = try TemporaryTree()
        try tree.apply(Self.tree + changes)
        try tree.expect("linked-once", finds: findings)
    }
}
