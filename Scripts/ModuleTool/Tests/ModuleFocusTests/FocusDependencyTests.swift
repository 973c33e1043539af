import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("The dependencies and traits of a focus")
struct FocusDependencyTests {
    /// A package that uses the product Net of a package with this requirement.
    private func user(_ name: String, _ requirement: String) -> String {
        MergedTree.library(
            name, dependencies: ".package(url: \"https://example.com/acme/Net\", \(requirement))",
            target: "dependencies: [.product(name: \"Net\", package: \"Net\")]")
    }

    @Test("Versions of a remote package are those that all packages accept")
    func versions() throws {
        for (first, second, both) in [
            ("from: \"1.2.0\"", "from: \"1.4.0\"", "from: \"1.4.0\""),
            ("from: \"1.2.0\"", "exact: \"1.3.0\"", "exact: \"1.3.0\""),
            ("\"1.0.0\"..<\"1.5.0\"", "from: \"1.2.0\"", "\"1.2.0\"..<\"1.5.0\""),
            ("branch: \"main\"", "from: \"1.2.0\"", "branch: \"main\""),
        ] {
            let merged = try MergedTree(["One": user("One", first), "Two": user("Two", second)])
            try merged.tool.expect("focus --all")
            let text = try merged.text
            #expect(
                text.contains("        .package(url: \"https://example.com/acme/Net\", \(both)),\n"),
                "\(text)")
            #expect(try merged.target("One").contains(".product(name: \"Net\", package: \"Net\")"))
        }
        for (first, second) in [
            ("from: \"1.2.0\"", "from: \"2.0.0\""), ("from: \"1.2.0\"", "exact: \"1.0.0\""),
            ("branch: \"main\"", "branch: \"next\""),
        ] {
            let merged = try MergedTree(["One": user("One", first), "Two": user("Two", second)])
            try merged.tool.expect(
                "focus --all", 2, "accepts no version of Net that Packages/Base/One/Package.swift accepts")
        }
    }

    @Test("A focus starts with the pins and the mirrors of the app, and removes them with those of the app")
    func pins() throws {
        let merged = try MergedTree(["One": user("One", "from: \"1.2.0\"")])
        let files = ["Package.resolved", ".swiftpm/configuration/mirrors.json"]
        func copies() -> [String?] { files.map { try? merged.tree.read(".modules/in-focus/" + $0) } }
        for text in ["first", "second"] {
            for file in files { try merged.tree.write(file, text) }
            try merged.tool.expect("focus --all")
            #expect(copies() == [text, text])
        }
        for file in files { try merged.tree.remove(file) }
        try merged.tree.remove(".swiftpm")
        try merged.tool.expect("focus")
        #expect(copies() == [nil, nil])
        // SwiftPM has found these versions itself.
        try merged.tree.write(".modules/in-focus/Package.resolved", "own")
        try merged.tool.expect("focus")
        #expect(copies() == ["own", nil])
    }

    @Test("A package outside the tree keeps its selected traits, and a local one replaces a remote one")
    func outside() throws {
        let outside = try TemporaryTree([
            "Net/Package.swift": MergedTree.library("Net", traits: "\"Fast\", \"Log\"")
        ])
        func local(_ name: String, _ traits: String) -> String {
            user(name, "from: \"1.0.0\"").replacing(
                "url: \"https://example.com/acme/Net\", from: \"1.0.0\"",
                with: "path: \"\(outside.root)/Net\"\(traits)")
        }
        func code(_ traits: String) -> String {
            let name = PathText.split(outside.root).name
            return ".package(path: \"../../../\(name)/Net\"\(traits)),\n"
        }
        for (first, second, both) in [
            ("", "", ""), (", traits: [\"Fast\"]", ", traits: [\"Log\"]", ", traits: [\"Fast\", \"Log\"]"),
            (", traits: []", ", traits: []", ", traits: []"),
            (", traits: [\"Fast\"]", "", ", traits: [\"Fast\", .defaults]"),
        ] {
            let merged = try MergedTree(["One": local("One", first), "Two": local("Two", second)])
            try merged.tool.expect("focus --all")
            #expect(try merged.text.contains(code(both)))
        }
        let merged = try MergedTree(["One": user("One", "from: \"1.0.0\""), "Two": local("Two", "")])
        try merged.tool.expect("focus --all")
        #expect(try merged.text.contains(code("")) && !merged.text.contains("example.com"))
    }

    @Test("A package of the tree replaces a remote package with its identity if the app depends on it")
    func replaced() throws {
        let net = MergedTree.library("Net", traits: "\"Fast\"")
        let one = user("One", "from: \"1.0.0\", traits: [\"Fast\"]")
        let merged = try MergedTree(["Net": net, "One": one])
        try merged.tool.expect("focus --all")
        #expect(try !merged.text.contains("example.com"))
        #expect(try merged.target("One").contains("dependencies: [\"Net\", \"FocusIsCurrent\"]"))
        #expect(try merged.target("Net").contains("swiftSettings: [.define(\"Fast\")]"))
        // A package that stays needs its dependencies as packages.
        try merged.tree.edit(
            "Packages/Base/One/Package.swift", "One\", targets", "One\", type: .dynamic, targets")
        try merged.tree.edit(
            "Package.swift", "            dependencies: [\n",
            "            dependencies: [\n                .product(name: \"One\", package: \"One\"),\n")
        try merged.tool.expect(
            "focus --all", 0, "Base/Net stays a package of its own: One, which is not merged,")
        #expect(try merged.text.contains(".package(path: \"../../Packages/Base/Net\", traits: [\"Fast\"])"))
        // The app of another tree in the same repository may use the remote package.
        let other = try MergedTree(["Net": net, "One": one])
        try other.tree.edit("Package.swift", "        .package(path: \"Packages/Base/Net\"),\n", "")
        try other.tool.expect("focus --all")
        #expect(try other.target("One").contains(".product(name: \"Net\", package: \"Net\")"))
        #expect(try other.text.contains("https://example.com/acme/Net"))
    }

    @Test("Traits that packages select become defines and enable dependencies and settings")
    func traits() throws {
        let kit = """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "Kit",
                products: [.library(name: "Kit", targets: ["Kit"])],
                traits: [
                    .trait(name: "Fast", enabledTraits: ["Small"]), .trait(name: "Small"), .trait(name: "Log"),
                    .trait(name: "Usual"), .default(enabledTraits: ["Usual"]),
                ],
                dependencies: [.package(path: "../Extra"), .package(path: "../Other")],
                targets: [
                    .target(
                        name: "Kit",
                        dependencies: [
                            .product(name: "Extra", package: "Extra", condition: .when(traits: ["Small"])),
                            .product(name: "Other", package: "Other", condition: .when(traits: ["Usual"])),
                        ],
                        swiftSettings: [
                            .define("QUICK", .when(traits: ["Fast"])), .define("LOUD", .when(traits: ["Log"])),
                        ])
                ]
            )

            """
        for (selection, defines, uses) in [
            (
                ", traits: [\"Fast\"]",
                "        swiftSettings: [.define(\"Fast\"), .define(\"Small\"), .define(\"QUICK\")])",
                "        dependencies: [\"Extra\"],\n"
            ),
            ("", "        swiftSettings: [.define(\"Usual\")])", "        dependencies: [\"Other\"],\n"),
            (
                ", traits: [.defaults, \"Log\"]",
                "        swiftSettings: [.define(\"Log\"), .define(\"Usual\"), .define(\"LOUD\")])",
                "        dependencies: [\"Other\"],\n"
            ),
            (", traits: []", nil, ""),
        ] as [(String, String?, String)] {
            let merged = try MergedTree([
                "Kit": kit,
                "User": MergedTree.library(
                    "User", dependencies: ".package(path: \"../Kit\"\(selection))",
                    target: "dependencies: [\"Kit\"]"),
                "Extra": MergedTree.library("Extra"), "Other": MergedTree.library("Other"),
            ])
            // The app itself depends on User alone.
            try merged.tree.edit("Package.swift", "        .package(path: \"Packages/Base/Kit\"),\n", "")
            try merged.tool.expect("focus --all")
            let settings = defines.map { ",\n" + $0 } ?? ")"
            #expect(
                try merged.target("Kit") == """
                        .target(
                            name: "Kit",
                    \(uses)        path: "Packages/Base/Kit/Sources/Kit"\(settings)
                    """)
        }
    }

    @Test("Callers that the app does not declare select traits too")
    func callers() throws {
        func library(_ name: String, type: String = "") -> String {
            MergedTree.library(
                name, products: ".library(name: \"\(name)\",\(type) targets: [\"\(name)\"])",
                traits: "\"Fast\", \"Usual\", .default(enabledTraits: [\"Usual\"])",
                target: "swiftSettings: [.define(\"NORMAL\", .when(traits: [\"Usual\"]))]")
        }
        let selected = ".package(path: \"../Kit\", traits: [.defaults, \"Fast\"])"
        let merged = try MergedTree([
            "Kit": library("Kit"), "Odd": library("Odd", type: " type: .dynamic,"),
            // Journey uses no target of this package.
            "Unused": MergedTree.library("Unused", dependencies: selected),
        ])
        let tree = merged.tree
        for name in ["Base/Kit", "Base/Odd", "Base/Unused", "Business/Journey"] {
            try tree.edit("Package.swift", "        .package(path: \"Packages/\(name)\"),\n", "")
        }
        let manifest = "Packages/Business/Journey/Package.swift"
        let packages = ["Kit", "Odd", "Unused"].map { "        .package(path: \"../../Base/\($0)\"),\n" }
        try tree.edit(manifest, "    dependencies: [\n", "    dependencies: [\n" + packages.joined())
        try tree.edit(manifest, "[\"ApiCenter\", ", "[\"ApiCenter\", \"Kit\", \"Odd\", ")
        try merged.tool.expect("focus Ride --callers", 0, "with the app and Journey, Ride.\n")
        let settings = "[.define(\"Fast\"), .define(\"Usual\"), .define(\"NORMAL\")]"
        #expect(try merged.target("Kit").contains("swiftSettings: \(settings)"))
        #expect(try merged.text.contains(".package(path: \"../../Packages/Base/Odd\", traits: [\"Usual\"])"))
        let check = try tree.read(".modules/in-focus/FocusIsCurrent/check.cpp")
        #expect(check.contains("Packages/Base/Unused/Package.swift"))
    }

    @Test("A package may select traits of the package around it")
    func around() throws {
        let inner = MergedTree.library(
            "Inner", dependencies: ".package(path: \"..\", traits: [\"Fast\"])",
            target: "dependencies: [.product(name: \"Kit\", package: \"Kit\")]")
        let merged = try MergedTree(["Kit": MergedTree.library("Kit", traits: "\"Fast\""), "Inner": inner])
        try merged.tree.run("mv", "Packages/Base/Inner", "Packages/Base/Kit/Inner")
        try merged.tree.edit("Package.swift", "Packages/Base/Inner", "Packages/Base/Kit/Inner")
        try merged.tree.edit("Package.swift", "        .package(path: \"Packages/Base/Kit\"),\n", "")
        try merged.tool.expect("focus --all")
        #expect(try merged.target("Kit").contains("swiftSettings: [.define(\"Fast\")]"))
    }
}
