import Foundation
import ModuleFixtures
import ModuleKit
import ModuleTree
import Testing

@testable import ModuleTestCache

/// Builds with a fake `swift build`, which plans as SwiftPM does: always with `--disable-build-manifest-caching`, and
/// otherwise never. In this folder, SwiftPM could miss all edits.
@Suite("The plan that SwiftPM keeps")
struct KeptPlanTests {
    private let tree: TestTree
    private var files: TemporaryTree { tree.tree }
    private static let program = "Apps/Program/Program.swift"

    init() throws {
        tree = try TestTree([
            Self.program: "print(1)\n", "Snippets/Short.swift": "print(2)\n",
            ".swiftpm/configuration/mirrors.json": "{}\n",
            ".build/checkouts/Kit/Package.swift": SmallTree.manifest("Kit"),
            ".build/checkouts/Kit/Sources/Kit/Kit.swift": "",
            ".build/debug/Ride.build/module.modulemap": "",
            ".build/bin/swift": """
            #!/bin/sh
            printf %s $$ >.build/.lock
            [ ! -e .build/modules-plan-of-debug ] || exit 1
            case " $* " in
            *" --disable-build-manifest-caching "*)
                mkdir -p .build/debug
                echo "$*" | tee .build/debug.yaml >.build/debug/description.json
                echo planned >.build/done ;;
            *) echo kept >.build/done ;;
            esac
            [ ! -e .build/during ] || . ./.build/during

            """,
        ])
        try files.run("chmod", "+x", ".build/bin/swift")
        try files.run("ln", "-s", "../../../../.build/late.swift", "Packages/Gate/Sources/Gate/Late.swift")
        try files.edit(
            "Package.swift", "        .testTarget(name: \"PlainTests\"",
            "        .executableTarget(name: \"Program\", path: \"Apps/Program\"),\n"
                + "        .testTarget(name: \"PlainTests\"")
    }

    /// Builds, and returns whether SwiftPM has planned or kept its plan.
    private func build(_ names: [String] = [], _ variables: [String: String] = [:], status: Int32 = 0) throws
        -> String
    {
        let folder = try BuildFolder(of: "App", in: files.root, SwiftOptions(tree.options)) { _ in }
        let all = try tree.targets()
        let environment = Command.environment.merging(variables) { $1 }
        let path = "\(files.root)/.build/bin:" + environment["PATH", default: ""]
        let found = try folder.build(
            all.filter { names.isEmpty || names.contains($0.name) }, of: all, from: tree.plan(),
            environment: environment.merging(["PATH": path]) { $1 })
        #expect(found == status)
        return try files.read(".build/done").trimmingCharacters(in: .newlines)
    }

    /// Builds until SwiftPM keeps its plan.
    private func prepare() throws {
        #expect(try build() == "planned")
        for _ in 1...2 { #expect(try build() == "kept") }
    }

    @Test("SwiftPM builds with its plan after edits of sources and of documents")
    func sources() throws {
        try prepare()
        try files.write("Packages/Ride/Sources/Ride/Ride.swift", "import RideApi\n")
        try files.write("Packages/Ride/Tests/RideTests/RideTests.swift", "import Testing\n")
        try files.write("README.md", "# An app\n")
        try files.write(Self.program, "print(2)\n")
        #expect(try build() == "kept")
    }

    /// Edits after which SwiftPM plans the build.
    private static let edits: [(name: String, edit: @Sendable (TestTree) throws -> Void)] = [
        ("a new file of a dependency", { try $0.tree.write("Packages/Gate/Sources/Gate/New.swift", "") }),
        ("a deleted file of a dependency", { try $0.tree.remove("Packages/Ride/Sources/Ride/Extra.swift") }),
        (
            "a renamed file",
            {
                let folder = "Packages/Ride/Sources/Ride/"
                try $0.tree.run("mv", folder + "Extra.swift", folder + "More.swift")
            }
        ),
        ("a new test file", { try $0.tree.write("Packages/Ride/Tests/RideTests/New.swift", "") }),
        ("a new resource", { try $0.tree.write("Packages/Ride/Sources/Ride/Resources/b.txt", "") }),
        (
            "a folder behind a new link",
            { try $0.tree.run("ln", "-s", "../../../GateApi/Sources", "Packages/Gate/Sources/Gate/More") }
        ),
        ("a file behind a link that led nowhere", { try $0.tree.write(".build/late.swift", "") }),
        ("a deleted folder of a target's build", { try $0.tree.remove(".build/debug/Ride.build") }),
        ("an edited manifest", { try $0.tree.edit("Package.swift", "\"App\"", "\"Apps\"") }),
        (
            "an edited manifest of a dependency",
            { try $0.tree.edit("Packages/Gate/Package.swift", "import", "// Edited\nimport") }
        ),
        (
            "another set of traits in a dependency's manifest",
            {
                try $0.tree.edit(
                    "Packages/Gate/Package.swift", "    dependencies:",
                    "    traits: [.trait(name: \"Fast\")],\n    dependencies:")
            }
        ),
        (
            "a new manifest for a version",
            {
                try $0.tree.write("Packages/Gate/Package@swift-6.swift", SmallTree.manifest("Gate"))
            }
        ),
        ("moved pins", { try $0.tree.write("Package.resolved", "{ \"pins\": [2] }\n") }),
        ("other mirrors", { try $0.tree.write(".swiftpm/configuration/mirrors.json", "{ }\n") }),
        ("a new file of a checkout", { try $0.tree.write(".build/checkouts/Kit/Sources/Kit/New.swift", "") }),
        ("`@main` in a program", { try $0.tree.write(program, "@main struct Program {}\n") }),
        ("`@main` in a snippet", { try $0.tree.write("Snippets/Short.swift", "@main struct Short {}\n") }),
        ("another toolchain", { $0.machine.toolchain = "Swift 6.4" }),
        ("options", { $0.options = ["-Xswiftc", "-DFAST"] }),
        ("traits", { $0.options = ["--disable-default-traits"] }),
        ("another build with other options", { try $0.tree.write(".build/debug.yaml", "") }),
        ("another build of other files", { try $0.tree.write(".build/debug/description.json", "") }),
        ("deleted products", { try $0.tree.remove(".build/debug") }),
    ]

    @Test(
        "SwiftPM plans again after each other change, and then keeps the new plan", arguments: 0..<edits.count
    )
    func changes(index: Int) throws {
        let change = Self.edits[index]
        try prepare()
        try change.edit(tree)
        #expect(try build() == "planned", "\(change.name)")
        #expect(try build() == "kept", "\(change.name)")
    }

    @Test("A build that may have used the plan of another one is made again with a plan of its own")
    func replaced() throws {
        try prepare()
        try files.write(".build/during", "grep -q planned .build/done || echo other >.build/debug.yaml")
        #expect(try build() == "planned")
        #expect(try build() == "kept")
        try files.write("Packages/Ride/Sources/Ride/New.swift", "")
        #expect(try build() == "planned")
        // SwiftPM itself plans once more in the build after a plan.
        #expect(try build() == "kept")
        #expect(try build() == "planned")
        try files.remove(".build/during")
        #expect(try build() == "kept")
    }

    @Test("SwiftPM plans again for other tests, and in another environment")
    func environment() throws {
        #expect(try build(["RideTests"]) == "planned")
        #expect(try build(["RideTests"]) == "kept")
        #expect(try build(["GateTests"]) == "planned")
        #expect(try build(["GateTests"], ["MODE": "fast"]) == "planned")
        #expect(try build(["GateTests"], ["MODE": "fast"]) == "kept")
    }

    @Test("Changes during a build, failed builds and other builds beside it leave no plan that counts")
    func during() throws {
        let file = "Packages/Ride/Sources/Ride/Extra.swift"
        for (script, status) in [
            // The plan may lack the file, which is back after the build.
            ("mv \(file) .build/moved; mv .build/moved \(file)", Int32(0)),
            ("echo >Packages/Ride/Sources/Ride/During.swift", 0),
            ("cp Package.swift .build/copy; cp .build/copy Package.swift", 0), ("exit 1", 1),
            ("kill -9 $$", 9), ("printf 1 >.build/.lock", 0), ("rm .build/.lock", 0),
        ] {
            try prepare()
            try files.write(".build/during", script)
            _ = try build(status: status)
            try files.remove(".build/during")
            #expect(try build() == "planned", "\(script)")
            try files.write("Packages/Ride/\(UUID().uuidString)", "")
        }
    }

    @Test("SwiftPM always plans if a plan depends on more than the tree")
    func unknown() throws {
        #expect(try tree.plan() != nil)
        let end = "path: \"Apps/PlainTests\")"
        for (old, new) in [
            (end, end + ", .plugin(name: \"Lint\", capability: .buildTool())"),
            (end, String(end.dropLast()) + ", plugins: [.plugin(name: \"Kit\", package: \"Kit\")])"),
            (end, end + ", .systemLibrary(name: \"CLibrary\", path: \"Apps/CLibrary\")"),
            (end, end + ", .target(name: \"Hidden\", path: \".hidden\")"),
            (end, end + ", .target(name: \"Whole\", path: \".\", sources: [\"Whole\"])"),
            (
                ".package(path: \"Packages/Gate\")",
                ".package(path: \"Packages/Gate\"), .package(path: \"/Gone\")"
            ),
        ] {
            let text = try files.read("Package.swift")
            try files.edit("Package.swift", old, new)
            #expect(try tree.plan() == nil, "\(new)")
            try files.write("Package.swift", text)
        }
        tree.options = ["-Xswiftc", "-I\(files.root)/Apps"]
        #expect(try tree.plan() == nil)
        tree.options = []
        #expect(try tree.plan() != nil)
    }
}
