import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite("check --fix")
struct FixTests {
    private func check(_ tree: TemporaryTree, _ arguments: String...) throws -> Command.Output {
        try Command.run([Tool.path(), "check", "--no-cache", "--root", tree.root] + arguments, in: tree.root)
    }

    /// Creates a tree that breaks every rule whose fix is an exact edit. Journey's manifest has a comment, which
    /// the fix must keep.
    private func broken() throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.write("README.md", "# App\n\n```mermaid\n%% Made by: Scripts/modules graph\n```\n")
        let journey = "Packages/Business/Journey/"
        try tree.edit(
            journey + "Package.swift", "dependencies: [\"ApiCenter\"",
            "dependencies: [  // what Journey needs\n                \"ApiCenter\"")
        try tree.write(
            journey + "Sources/Journey/Show.swift", "import Mediator\nimport RideActions\n\nfunc show() {}\n")
        try tree.write(
            "Packages/Common/ErrorCode/Package.swift",
            SmallTree.manifest(
                "ErrorCode", packages: ["../../Base/Mediator", "../RideActions"],
                uses: ["Mediator", "RideActions"]))
        try tree.write("Packages/Common/ErrorCode/Sources/ErrorCode/X.swift", "import ApiCenter\n")
        let versions = try tree.read("VERSIONS.md").replacing("| Mediator | 1.0.0 |\n", with: "").replacing(
            "| Library | Version |\n|---|---|\n",
            with: "| Library | Version |\n|---|---|\n| Mediator | 1.0.0 |\n")
        try tree.write("VERSIONS.md", versions)
        try tree.commit("Broken")
        return tree
    }

    @Test(
        "The option --fix makes all exact edits at once and keeps the rest of each file; a second run changes nothing"
    )
    func everything() throws {
        let tree = try broken()
        let before = try tree.files()
        let dry = try check(tree, "imports", "layers", "version-table", "--fix", "--dry-run")
        #expect(dry.status == 1)
        #expect(
            dry.text.contains("\n    +9:         .package(path: \"../../Base/Mediator\"),\n"), "\(dry.text)")
        #expect(try tree.files() == before)

        let fixed = try check(tree, "imports", "layers", "version-table", "--fix")
        #expect(fixed.status == 0, "\(fixed.text)\(fixed.standardError)")
        #expect(fixed.text.contains("\nFixed 4 files.\nclean: "), "\(fixed.text)")
        let manifest = try tree.read("Packages/Business/Journey/Package.swift")
        #expect(manifest.contains("dependencies: [  // what Journey needs\n                \"ApiCenter\""))
        #expect(
            manifest.contains("\"Lifecycle\", \"Mediator\", \"RideActions\", \"RideApi\"]"), "\(manifest)")
        let errors = try tree.read("Packages/Common/ErrorCode/Package.swift")
        #expect(
            errors
                == SmallTree.manifest("ErrorCode", packages: ["../../Core/ApiCenter"], uses: ["ApiCenter"]))
        #expect(try tree.read("VERSIONS.md") == SmallTree.files["VERSIONS.md"])
        #expect(try tree.read("README.md").contains("    Business ==> Common\n"))

        let after = try tree.files()
        let again = try check(tree, "imports", "layers", "version-table", "--fix")
        #expect(again.text.hasPrefix("No finding has an exact fix.\nclean: "), "\(again.text)")
        #expect(try tree.files() == after)
    }

    @Test(
        "The option --fix names a package by its folder, and skips a manifest whose list of packages is a constant"
    )
    func identities() throws {
        func manifest(_ name: String, _ rest: String) -> String {
            "// swift-tools-version: 6.2\nimport PackageDescription\n\n\(rest)"
        }
        let library = """
            let package = Package(
                name: "Kit",
                products: [.library(name: "Core", targets: ["Core"])],
                targets: [.target(name: "Core")]
            )

            """
        let user = """
            let packages: [Package.Dependency] = []
            let package = Package(
                name: "User",
                dependencies: packages,
                targets: [.target(name: "User", dependencies: [])]
            )

            """
        let tree = try TemporaryTree([
            "core-kit/Package.swift": manifest("Kit", library),
            "core-kit/Sources/Core/Core.swift": "struct Core {}\n",
            "user/Package.swift": manifest("User", user), "user/Sources/User/User.swift": "import Core\n",
        ])
        #expect(try check(tree, "--fix").text.hasPrefix("No finding has an exact fix.\n"))
        #expect(try tree.read("user/Package.swift") == manifest("User", user))
        // If a remote package has the same identity, there is no exact fix.
        let remote = ".package(url: \"https://github.com/acme/core-kit\", from: \"1.0.0\")"
        try tree.edit("user/Package.swift", "dependencies: packages", "dependencies: [\(remote)]")
        #expect(try check(tree, "import-declared", "--fix").text.hasPrefix("No finding has an exact fix.\n"))
        try tree.edit("user/Package.swift", "[\(remote)]", "[]")
        #expect(try check(tree, "--fix").text.contains("\nFixed 1 file.\nclean: "))
        let fixed = try tree.read("user/Package.swift")
        #expect(fixed.contains(".package(path: \"../core-kit\")"))
        #expect(fixed.contains(".product(name: \"Core\", package: \"core-kit\")"))
    }

    @Test(
        "The option --fix declares no dependency that a rule forbids, that closes a cycle, or that is not local"
    )
    func forbidden() throws {
        let tree = try SmallTree.make()
        for (file, module) in [
            ("Core/ApiCenter/Sources/ApiCenter/X.swift", "Mediator"),
            ("Base/Mediator/Sources/Mediator/X.swift", "Ride"),
            ("Common/ErrorCode/Sources/ErrorCode/X.swift", "RideActions"),
            ("Common/RideActions/Sources/RideActions/X.swift", "ErrorCode"),
            ("Business/RideApi/Sources/RideApi/X.swift", "ErrorCode"),
        ] {
            try tree.write("Packages/\(file)", "import \(module)\n")
        }
        let before = try tree.files()
        let output = try check(tree, "import-declared", "--fix")
        #expect(output.status == 1)
        #expect(output.text.hasPrefix("No finding has an exact fix.\n"), "\(output.text)")
        #expect(output.text.contains("5 findings"))
        #expect(try tree.files() == before)
    }

    @Test("The option --fix skips computed manifests, symbolic links and known findings")
    func leftAlone() throws {
        let tree = try SmallTree.make()
        let actions = "Packages/Common/RideActions"
        try tree.write(actions + "/Sources/RideActions/X.swift", "import ErrorCode\n")
        let manifest = try tree.read(actions + "/Package.swift")
        let computed = manifest.replacing("\"RideActions\", dep", with: "[\"RideActions\"][0], dep")
        for (text, link, message) in [(computed, false, "finding"), (manifest, true, "finding")] {
            try tree.write(actions + "/Package.swift", text)
            if link {
                try tree.run(
                    "sh", "-c", "cd \(actions) && mv Package.swift Real.txt && ln -s Real.txt Package.swift")
            }
            let before = try tree.files()
            let output = try check(tree, "imports", "--fix")
            #expect(
                output.status == 1 && output.text.contains(message) && !output.text.contains("check --fix"),
                "\(output.text)\(output.standardError)")
            #expect(try tree.files() == before)
        }
        _ = try Command.run([Tool.path(), "baseline", "imports", "--no-cache", "--root", tree.root], in: "/")
        let before = try tree.files()
        #expect(try check(tree, "imports", "--fix").status == 0)
        #expect(try tree.files() == before)
    }

    @Test("The option --fix works in a tree that has no pairs, and whose packages have several targets")
    func foreign() throws {
        let tree = try TemporaryTree([
            "Package.swift": """
            // swift-tools-version: 5.9
            import PackageDescription
            let package = Package(
              name: "app",
              targets: [
                .target(name: "Core"),
                .target(name: "Feature", path: "Sources/Feature"),
                .testTarget(name: "FeatureTests", dependencies: ["Core", "Feature"]),
              ]
            )

            """,
            "Sources/Core/Core.swift": "public let core = 1\n",
            "Sources/Feature/Feature.swift": "import Core\nimport Kit\n",
            "Tests/FeatureTests/Tests.swift": "@testable import Feature\n",
            "Kits/Package.swift": SmallTree.manifest("Kits").replacing(
                "name: \"Kits\", targets: [\"Kits\"]", with: "name: \"Both\", targets: [\"Kit\"]"
            ).replacing(".target(name: \"Kits\"", with: ".target(name: \"Kit\""),
            "Kits/Sources/Kit/Kit.swift": "public let kit = 1\n",
        ])
        let output = try check(tree, "imports", "--fix")
        #expect(output.status == 0, "\(output.text)\(output.standardError)")
        let manifest = try tree.read("Package.swift")
        #expect(
            manifest.contains(
                """
                  dependencies: [.package(path: "Kits")],
                  targets: [
                    .target(name: "Core"),
                    .target(name: "Feature", dependencies: [.product(name: "Both", package: "Kits"), "Core"], path: "Sources/Feature"),
                    .testTarget(name: "FeatureTests", dependencies: ["Feature"]),
                """), "\(manifest)")
        #expect(try tree.run("swift", "package", "describe", "--type", "json").contains("\"Both\""))
    }

    @Test(
        "The check command suggests --fix once, and only if it helps; --fix keeps a dependency that has a comment"
    )
    func hints() throws {
        let tree = try broken()
        let hint = "\n\nScripts/modules check --fix may fix some of these findings.\n"
        let text = try check(tree, "imports").text
        #expect(text.contains(hint) && text.ranges(of: "check --fix").count == 1, "\(text)")
        #expect(try !check(tree, "layers").text.contains(hint))
        // A person must decide what to do with the comment.
        try tree.edit(
            "Packages/Common/ErrorCode/Package.swift", "\"Mediator\"", "\"Mediator\" /* for later */")
        let fixed = try check(tree, "imports", "--fix").text
        #expect(fixed.contains("declares Mediator but never imports it\n"), "\(fixed)")
    }
}
