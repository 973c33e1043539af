import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("Which packages a focus merges")
struct FocusPackageTests {
    /// A package that cannot be merged, and the reason that the command prints.
    private static let refused: [(String, String)] = [
        (", type: .dynamic", "its product Odd is a dynamic library"),
        (",\n    cLanguageStandard: .c99", "its C standard is c99, and that of First is the default"),
        (",\n    cxxLanguageStandard: .cxx14", "its C++ standard is cxx14, and that of First is the default"),
    ]

    @Test(
        "A package that cannot be merged stays, with its dependencies, and the command says why",
        arguments: [0, 1, 2])
    func staying(index: Int) throws {
        let (change, reason) = Self.refused[index]
        let merged = try MergedTree([
            "First": MergedTree.library("First", target: "path: \"C\""),
            "Odd": MergedTree.library(
                "Odd", index > 0 ? change : "",
                products: index == 0 ? ".library(name: \"Odd\"\(change), targets: [\"Odd\"])" : nil,
                dependencies: ".package(path: \"../Under\")", target: "dependencies: [\"Under\"], path: \"C\""
            ),
            "Under": MergedTree.library("Under"),
            "User": MergedTree.library(
                "User", dependencies: ".package(path: \"../Odd\"), .package(path: \"../Under\")",
                target: "dependencies: [\"Odd\", \"Under\"]"),
        ])
        for name in ["First", "Odd"] {
            try merged.tree.remove("Packages/Base/\(name)/Sources")
            try merged.tree.write("Packages/Base/\(name)/C/code.c", "")
        }
        try merged.tool.expect(
            "focus --all", 0, "\nPackages/Base/Odd stays a package of its own: \(reason).\n",
            "\nPackages/Base/Under stays a package of its own: Odd, which is not merged, depends on it.\n")
        let text = try merged.text
        #expect(
            text.contains(
                """
                    dependencies: [
                        .package(path: "../../Packages/Base/Odd"),
                        .package(path: "../../Packages/Base/Under"),
                    ]
                """))
        #expect(!text.contains("name: \"Under\",\n") && !text.contains("name: \"Odd\",\n"))
        #expect(
            try merged.target("User").contains(
                """
                        dependencies: [
                            .product(name: "Odd", package: "Odd"), .product(name: "Under", package: "Under"),
                            "FocusIsCurrent",
                        ],
                """))
    }

    @Test("A package with a plugin, a binary or an equal name stays; so does one for an old SwiftPM")
    func otherReasons() throws {
        func user(of name: String, _ use: String) -> String {
            MergedTree.library(
                "Use" + name, dependencies: ".package(path: \"../\(name)\")", target: use)
        }
        let merged = try MergedTree([
            "Tools": MergedTree.library("Tools", products: ".plugin(name: \"Lint\", targets: [\"Lint\"])")
                .replacing(
                    ".target(name: \"Tools\")", with: ".plugin(name: \"Lint\", capability: .buildTool())"),
            "UseTools": user(of: "Tools", "plugins: [.plugin(name: \"Lint\", package: \"Tools\")]"),
            "Binary": MergedTree.library(
                "Binary", target: "dependencies: [\"X\"]",
                targets: ".binaryTarget(name: \"X\", path: \"X.zip\")"),
            "UseBinary": user(of: "Binary", "dependencies: [\"Binary\"]"),
            "Old": MergedTree.library("Old", version: "5.3"),
            "UseOld": user(of: "Old", "dependencies: [\"Old\"]"),
            "Same": MergedTree.library("Same", targets: ".target(name: \"Ride\")"),
            "UseSame": user(of: "Same", "dependencies: [\"Same\"]"),
        ])
        try merged.tool.expect(
            "focus --all", 0, "Tools stays a package of its own: its target Lint is a plugin.\n",
            "Binary stays a package of its own: its target X is a binary.\n",
            "Old stays a package of its own: its tools version is older than 5.4.\n",
            "Ride stays a package of its own: Same has a target with the name Ride, too.\n")
        #expect(
            try merged.target("UseTools").contains(
                "        plugins: [.plugin(name: \"Lint\", package: \"Tools\")]"))
    }

    /// A package whose build would differ in the merged package, and the reason that the command prints.
    @Test(
        "A package stays if the merged package would compile other files or with other options",
        arguments: [
            (
                MergedTree.library("Odd", target: "path: \".\", sources: [\"Sources\"]"),
                "the folder of its target Odd is its own folder"
            ),
            (
                MergedTree.library("Odd", targets: ".target(name: \"FocusIsCurrent\")"),
                "its target FocusIsCurrent has the name or the folder of the focus's FocusIsCurrent"
            ),
            (
                MergedTree.library(
                    "Odd", ",\n    swiftLanguageModes: [.v5]",
                    target: "swiftSettings: [.swiftLanguageMode(.v6, .when(platforms: [.linux]))]"),
                "its target Odd has a language mode on some platforms or configurations only"
            ),
            (
                MergedTree.library(
                    "Odd", ",\n    cxxLanguageStandard: .cxx17",
                    target: "swiftSettings: [.interoperabilityMode(.Cxx)]"),
                "its C++ standard is cxx17, and that of First is cxx20"
            ),
            (
                MergedTree.library("Odd").replacing(
                    "    products",
                    with: "    platforms: [.custom(\"plan9\", versionString: \"4.0\")],\n    products"),
                "its manifest contains the platform plan9, which cannot be copied"
            ),
        ])
    func differences(manifest: String, reason: String) throws {
        let merged = try MergedTree([
            "First": MergedTree.library(
                "First", ",\n    cxxLanguageStandard: .cxx20",
                target: "swiftSettings: [.interoperabilityMode(.Cxx)]"),
            "Odd": manifest,
            "User": MergedTree.library(
                "User", dependencies: ".package(path: \"../Odd\")", target: "dependencies: [\"Odd\"]"),
        ])
        try merged.tool.expect("focus --all", 0, "Packages/Base/Odd stays a package of its own: \(reason).\n")
        #expect(try merged.text.contains(".package(path: \"../../Packages/Base/Odd\")"))
    }

    @Test("A package whose manifest cannot be copied stays with its enabled traits")
    func unknownWithTraits() throws {
        let merged = try MergedTree([
            "Odd": MergedTree.library("Odd", traits: "\"Fast\", \"Slow\"").replacing(
                "    products",
                with: "    platforms: [.custom(\"plan9\", versionString: \"4.0\")],\n    products"),
            "User": MergedTree.library(
                "User", dependencies: ".package(path: \"../Odd\", traits: [\"Fast\"])",
                target: "dependencies: [\"Odd\"]"),
        ])
        try merged.tool.expect("focus --all", 0, "Odd stays a package of its own: its manifest contains")
        #expect(try merged.text.contains(".package(path: \"../../Packages/Base/Odd\", traits: [\"Fast\"])"))
    }

    @Test("A folder FocusIsCurrent in the root stays untouched")
    func takenFolder() throws {
        let merged = try MergedTree(["Kit": MergedTree.library("Kit", target: "path: \"Code\"")])
        try merged.tree.write("Packages/Base/Kit/Code/Kit.swift", "")
        try merged.tree.run("mv", "Packages/Base/Kit", "FocusIsCurrent")
        try merged.tree.edit("Package.swift", "Packages/Base/Kit", "FocusIsCurrent")
        try merged.tree.edit("FocusIsCurrent/Package.swift", "\"Kit\"", "\"FocusIsCurrent\"")
        try merged.tool.expect("focus --all")
        #expect(try merged.tree.names(in: "FocusIsCurrent").contains("Package.swift"))
        #expect(try !merged.tree.names(in: "FocusIsCurrent").contains("check.cpp"))
    }
}
