import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("check --fix")
struct FixTests {
    private static let checks = "check imports layers version-table"
    private static let nothing = "No finding has an exact fix.\n"

    /// Creates a tree that breaks every rule whose fix is an exact edit. Journey's manifest has a comment, which
    /// the fix must keep.
    private func broken() throws -> Tool {
        let tree = try SmallTree.make()
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
        return try Tool(in: tree)
    }

    @Test(
        "The option --fix makes all exact edits at once and keeps the rest of each file; a second run changes nothing"
    )
    func everything() throws {
        let tool = try broken()
        let tree = tool.tree
        let before = try tree.files()
        try tool.expect(
            Self.checks + " --fix --dry-run", 1,
            "\n    +9:         .package(path: \"../../Base/Mediator\"),\n")
        #expect(try tree.files() == before)

        try tool.expect(Self.checks + " --fix", 0, "\nFixed 3 files.\nclean: ")
        let manifest = try tree.read("Packages/Business/Journey/Package.swift")
        #expect(manifest.contains("dependencies: [  // what Journey needs\n                \"ApiCenter\""))
        #expect(
            manifest.contains("\"Lifecycle\", \"Mediator\", \"RideActions\", \"RideApi\"]"), "\(manifest)")
        #expect(
            try tree.read("Packages/Common/ErrorCode/Package.swift")
                == SmallTree.manifest("ErrorCode", packages: ["../../Core/ApiCenter"], uses: ["ApiCenter"]))
        #expect(try tree.read("VERSIONS.md") == SmallTree.files["VERSIONS.md"])

        let after = try tree.files()
        try tool.expect(Self.checks + " --fix", 0, "There is nothing to fix.\nclean: ")
        #expect(try tree.files() == after)
    }

    @Test("A pair whose entry in the list was deleted is added again, and nothing else changes")
    func unlisted() throws {
        let tool = try Tool()
        let fix =
            "Add Pair(\"Business/ModuleB\"), to the pairs in Package.swift. Then run: Scripts/modules registrations"
        try tool.tree.edit("Package.swift", "    Pair(\"Business/ModuleB\"),\n", "")
        // Callers of ModuleB and the list of modules give no advice of their own.
        try tool.expect(
            "check", 1, ": app-list: ", "\n  fix:  \(fix)\n",
            "\nScripts/modules check --fix fixes 1 of 1 finding.\n1 finding: ")
        try tool.expect("check registration-missing", 1, "\n  fix:  \(fix)\n")
        try tool.expect("baseline", 0, "5 findings recorded as known")
        try tool.expect("check", 0, "clean: ", "5 known findings")
        try tool.tree.remove("modules-baseline.json")
        // If the missing entry is a warning, what follows from it still fails the check.
        try tool.tree.write(
            ".modules.yml",
            tool.tree.read(".modules.yml")
                + "rules:\n  - {rule: app-list, severity: warning, reason: later}\n")
        try tool.expect("check", 1, ": warning: app-list: ", ": registration-missing: ", fix)
        try tool.tree.git("checkout", ".modules.yml")
        try tool.expect("check --fix", 0, "Fixed 1 file.\nclean: ")
        #expect(try tool.tree.git("status", "--porcelain") == "")
        let cashless = "    Pair(\"Business/PayTypeCashless\", alternativeTo: \"PayType\"),\n"
        try tool.tree.edit("Package.swift", cashless, "")
        try tool.expect("check --fix", 0, "Fixed 1 file.\nclean: ")
        #expect(try tool.tree.git("status", "--porcelain") == "")
    }

    @Test(
        "If the tests of another pair need an entry that was deleted, one line of advice says which one and where"
    )
    func unlistedButTested() throws {
        let tool = try Tool()
        let tests = "Packages/Business/Ride/Tests/RideTests/RideTests.swift"
        try tool.tree.edit(tests, "import Testing\n", "import ModuleBApiFakes\nimport Testing\n")
        try tool.expect("check --fix", 0, "clean: ")
        try tool.tree.commit("Fakes")
        try tool.tree.edit("Package.swift", "    Pair(\"Business/ModuleB\"),\n", "")
        let advice = "Add Pair(\"Business/ModuleB\"), to the pairs in Package.swift.\n"
        for (line, status) in [("check", 1), ("registrations", 2)] as [(String, Int32)] {
            let text = try tool.expect(
                line, status, "Package.swift:6:", "cannot be read: unknown package 'ModuleBApi'",
                "\n  fix:  \(advice)")
            #expect(!text.contains("exclude") && !text.contains("'modulea' (from"), "\(text)")
            #expect(text.components(separatedBy: advice).count == 2, "\(text)")
        }
        try tool.expect("check --fix", 0, "clean: ")
        #expect(try tool.tree.git("status", "--porcelain") == "")
    }

    @Test("The option --fix names a package by its folder, also in a list of packages that is a constant")
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
        let tool = try Tool(in: tree)
        try tool.expect("check --fix", 0, "\nFixed 1 file.\nclean: ")
        #expect(
            try tree.read("user/Package.swift").contains(
                "let packages: [Package.Dependency] = [.package(path: \"../core-kit\")]\n"))
        try tree.write("user/Package.swift", manifest("User", user))
        // If a remote package has the same identity, there is no exact fix.
        let remote = ".package(url: \"https://github.com/acme/core-kit\", from: \"1.0.0\")"
        try tree.edit("user/Package.swift", "dependencies: packages", "dependencies: [\(remote)]")
        try tool.expect("check import-declared --fix", 1, Self.nothing)
        try tree.edit("user/Package.swift", "[\(remote)]", "[]")
        try tool.expect("check --fix", 0, "\nFixed 1 file.\nclean: ")
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
            ("Common/ErrorCode/Sources/ErrorCode/X.swift", "Codes"),
            ("Common/Codes/Sources/Codes/X.swift", "ErrorCode"),
            ("Business/RideApi/Sources/RideApi/X.swift", "ErrorCode"),
        ] {
            try tree.write("Packages/\(file)", "import \(module)\n")
        }
        try tree.write("Packages/Common/Codes/Package.swift", SmallTree.manifest("Codes"))
        let before = try tree.files()
        try Tool(in: tree).expect("check import-declared --fix", 1, Self.nothing, "5 findings")
        #expect(try tree.files() == before)
    }

    @Test("The option --fix skips computed manifests, symbolic links and known findings")
    func leftAlone() throws {
        let tree = try SmallTree.make()
        let actions = "Packages/Common/RideActions"
        try tree.write(actions + "/Sources/RideActions/X.swift", "import ErrorCode\n")
        let manifest = try tree.read(actions + "/Package.swift")
        let computed = manifest.replacing("\"RideActions\", dep", with: "[\"RideActions\"][0], dep")
        let tool = try Tool(in: tree)
        for (text, isLink) in [(computed, false), (manifest, true)] {
            try tree.write(actions + "/Package.swift", text)
            if isLink {
                try tree.run(
                    "sh", "-c", "cd \(actions) && mv Package.swift Real.txt && ln -s Real.txt Package.swift")
            }
            let before = try tree.files()
            #expect(try !tool.expect("check imports --fix", 1, "finding").contains("check --fix"))
            #expect(try tree.files() == before)
        }
        try tool.expect("baseline imports")
        let before = try tree.files()
        try tool.expect("check imports --fix")
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
        try Tool(in: tree).expect("check imports --fix")
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
        "The check command says how many findings --fix fixes; --fix keeps a dependency that has a comment"
    )
    func hints() throws {
        let tool = try broken()
        func hint(_ counts: String) -> String {
            "\n\nScripts/modules check --fix fixes \(counts) findings.\n"
        }
        let text = try tool.expect("check imports", 1, hint("5 of 5"))
        #expect(text.ranges(of: "check --fix").count == 1, "\(text)")
        try tool.tree.write("Packages/Business/Journey/Sources/Journey/Hidden.swift", "import Ride\n")
        try tool.expect("check imports layers", 1, hint("5 of 6"))
        #expect(try !tool.expect("check imp-hidden", 1).contains("check --fix"))
        // A person must decide what to do with the comment.
        try tool.tree.edit(
            "Packages/Common/ErrorCode/Package.swift", "\"Mediator\"", "\"Mediator\" /* for later */")
        try tool.expect("check imports --fix", 1, "declares Mediator but never imports it\n")
    }
}
