import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleTestCache

/// A tree whose root runs all tests: the pairs Ride and Gate, and four test targets of the root itself. Ride calls
/// Gate.
final class TestTree {
    let tree: TemporaryTree
    var machine = Machine(
        toolchain: "Swift 6.3 x86_64-linux", platform: "Linux 1",
        environment: ["MODE": "a", "HOME": "/home/a", "SHELL": "sh"])
    var options: [String] = []

    init(_ more: [String: String] = [:]) throws {
        tree = try TemporaryTree(Self.files.merging(more) { $1 })
        for tool in ["bin/mytool", "bin/other", "late/mytool"] {
            try tree.write(".build/\(tool)", tool)
            try tree.run("chmod", "+x", ".build/\(tool)")
        }
        usePath("bin", "late")
    }

    /// Sets `PATH` to folders of the build folder.
    func usePath(_ folders: String...) {
        machine.environment["PATH"] = folders.map { tree.root + "/.build/" + $0 }.joined(separator: ":")
    }

    /// - Parameter focus: The package of a focus whose test targets are wanted instead.
    func targets(focus: FocusedTests? = nil) throws -> [TestTarget] {
        let read = try TreeReader(root: tree.root, caching: .file(HouseFiles.facts)).read()
        let inputs = try TestInputs(read, machine: machine, options: SwiftOptions(options))
        return try inputs.targets(of: #require(read.rootPackage), focus: focus)
    }

    /// What a plan of the root's build is made from.
    func plan() throws -> PlanInputs? {
        let read = try TreeReader(root: tree.root, caching: .file(HouseFiles.facts)).read()
        return try PlanInputs(
            read, of: read.dependencies(of: #require(read.rootPackage)), in: "", machine: machine,
            options: SwiftOptions(options))
    }

    /// The keys of the test targets, by name.
    func keys(focus: FocusedTests? = nil) throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try targets(focus: focus).map { ($0.name, $0.key) })
    }

    func target(_ name: String) throws -> TestTarget? { try targets().first { $0.name == name } }

    static let root = """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "App",
            traits: [.trait(name: "Ride"), .default(enabledTraits: ["Ride"])],
            dependencies: [
                .package(path: "Packages/Gate"),
                .package(path: "Packages/GateApi"),
                .package(path: "Packages/Ride"),
                .package(path: "Packages/RideApi"),
                .package(url: "https://github.com/acme/Kit", from: "1.0.0"),
            ],
            targets: [
                .target(
                    name: "App",
                    dependencies: [
                        .product(name: "Gate", package: "Gate"),
                        .product(name: "Ride", package: "Ride", condition: .when(traits: ["Ride"])),
                    ],
                    path: "Apps/App"),
                .testTarget(name: "AppTests", dependencies: ["App"], path: "Apps/AppTests"),
                .testTarget(
                    name: "KitTests", dependencies: [.product(name: "Kit", package: "Kit")],
                    path: "Apps/KitTests"),
                .testTarget(name: "PlainTests", path: "Apps/PlainTests"),
                .testTarget(name: "ReadsTests", path: "Apps/ReadsTests"),
                .testTarget(
                    name: "RideTests",
                    dependencies: [
                        .product(name: "GateApi", package: "GateApi"), .product(name: "Ride", package: "Ride"),
                    ],
                    path: "Packages/Ride/Tests/RideTests"),
                .testTarget(
                    name: "GateTests", dependencies: [.product(name: "Gate", package: "Gate")],
                    path: "Packages/Gate/Tests/GateTests"),
            ]
        )

        """

    private static func source(_ name: String) -> String { "public struct \(name) {}\n" }

    private static let files = [
        ".modules.yml": """
        layers: []
        reads:
          - targets: [ReadsTests]
            files: [Packages/Gate/Shared]
            environment: [MODE]
            programs: [mytool]

        """,
        "Package.swift": root, "Package.resolved": "{ \"pins\": [1] }\n", "README.md": "# App\n",
        "Apps/App/App.swift": "import Gate\nimport Ride\n",
        "Apps/AppTests/AppTests.swift": "import Testing\nimport App\n",
        "Apps/KitTests/KitTests.swift": "import Kit\nimport Testing\n",
        "Apps/PlainTests/PlainTests.swift": "import Testing\n",
        "Apps/ReadsTests/ReadsTests.swift": "import Testing\nlet file = #filePath\n",
        "Packages/Gate/Package.swift": SmallTree.manifest(
            "Gate", packages: ["../GateApi"], uses: ["GateApi"], tests: ["Gate"]),
        "Packages/Gate/Shared/a.json": "[]", "Packages/Gate/Shared/run": "#!/bin/sh\n",
        "Packages/Gate/Sources/Gate/Gate.swift": source("Gate"),
        "Packages/Gate/Tests/GateTests/GateTests.swift": "import Testing\nimport Gate\n",
        "Packages/GateApi/Package.swift": SmallTree.manifest("GateApi"),
        "Packages/GateApi/README.md": "# GateApi\n",
        "Packages/GateApi/Sources/GateApi/GateApi.swift": source("GateApi"),
        "Packages/Ride/Package.swift": SmallTree.manifest(
            "Ride", packages: ["../RideApi", "../GateApi"], uses: ["RideApi", "GateApi"], tests: ["Ride"]),
        "Packages/Ride/README.md": "# Ride\n", "Packages/Ride/Notes/notes.txt": "A note.\n",
        "Packages/Ride/Sources/Ride/Ride.swift": "import RideApi\nimport GateApi\n" + source("Ride"),
        "Packages/Ride/Sources/Ride/Extra.swift": source("Extra"),
        "Packages/Ride/Sources/Ride/Resources/a.txt": "a",
        "Packages/Ride/Tests/RideTests/RideTests.swift": "import Testing\nimport Ride\n",
        "Packages/Ride/Tests/RideTests/Fixtures/f.json": "{}",
        "Packages/RideApi/Package.swift": SmallTree.manifest("RideApi"),
        "Packages/RideApi/Sources/RideApi/RideApi.swift": source("RideApi"),
    ]
}
