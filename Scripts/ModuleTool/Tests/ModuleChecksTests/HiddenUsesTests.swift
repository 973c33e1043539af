import ModuleFixtures
import Testing

/// Dependencies that are needed although no file imports a module of their name.
@Suite("Uses that no import shows")
struct HiddenUsesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let tree: [String: String]

        /// - Parameters:
        ///   - app: The arguments of the target `App` after its name.
        ///   - others: The other targets.
        ///   - dependencies: The dependencies of the package.
        ///   - files: Files that are added or replaced; an empty text removes a file.
        init(
            _ name: String, app: String = "dependencies: [\"Kit\"]",
            others: String = ".target(name: \"Kit\")",
            dependencies: String = "", _ files: [String: String] = [:]
        ) {
            testDescription = name
            let usual = [
                "Package.swift": Row.manifest(
                    "App", "dependencies: [\(dependencies)]",
                    "\n        .target(name: \"App\", \(app)),\n        \(others),\n    "),
                "Sources/App/App.swift": "struct App {}\n", "Sources/Kit/Kit.swift": "public struct Kit {}\n",
            ]
            tree = usual.merging(files) { $1 }.filter { !$0.value.isEmpty }
        }

        init(_ name: String, kit: String) { self.init(name, ["Sources/Kit/Kit.swift": kit]) }
        init(_ name: String, code: String) { self.init(name, ["Sources/App/App.swift": code]) }

        static func manifest(_ name: String, _ arguments: String, _ targets: String) -> String {
            """
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "\(name)",
                \(arguments),
                targets: [\(targets)]
            )

            """
        }
    }

    private static let kits = [
        "Kits/Package.swift": SmallTree.manifest("Kits"), "Kits/Sources/Kits/Kits.swift": "struct A {}\n",
    ]

    private static func url(_ name: String) -> String {
        ".package(url: \"https://github.com/acme/\(name)\", from: \"1.0.0\")"
    }

    static let needed = [
        Row(
            "a plugin generates code that imports the dependency",
            app: "dependencies: [\"Kit\"], plugins: [\"Make\"]",
            others: ".target(name: \"Kit\"), .plugin(name: \"Make\", capability: .buildTool())",
            ["Plugins/Make/Make.swift": "import PackagePlugin\n"]),
        Row(
            "a plugin of a remote package generates code",
            app: "dependencies: [\"Kit\"], plugins: [.plugin(name: \"Make\", package: \"make\")]",
            dependencies: url("make")),
        Row(
            "a plugin runs a tool of a remote package", app: "dependencies: []",
            others:
                ".plugin(name: \"Make\", capability: .buildTool(), dependencies: [.product(name: \"maker\", package: \"make\")])",
            dependencies: url("make"), ["Plugins/Make/Make.swift": "import PackagePlugin\n"]),
        Row(
            "moduleAliases may name the module differently",
            app:
                "dependencies: [.product(name: \"Kits\", package: \"Kits\", moduleAliases: [\"Kits\": \"Other\"])]",
            others: ".target(name: \"Main\", dependencies: [\"App\"])",
            dependencies: ".package(path: \"Kits\")",
            kits.merging([
                "Sources/App/App.swift": "import Other\n", "Sources/Main/Main.swift": "import App\n",
            ]) {
                $1
            }),
        Row(
            "-module-alias names the module differently",
            app:
                "dependencies: [\"Kit\"], swiftSettings: [.unsafeFlags([\"-module-alias\", \"Short=Kit\"])]",
            ["Sources/App/App.swift": "import Short\n"]),
        Row(
            "-import-module imports the module",
            app: """
                dependencies: ["Kit"],
                        swiftSettings: [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "Kit"])]
                """),
        Row(
            "a module map gives a C target's module another name",
            [
                "Sources/App/App.swift": "import Things\n", "Sources/Kit/Kit.swift": "",
                "Sources/Kit/kit.c": "int kit;\n", "Sources/Kit/include/kit.h": "extern int kit;\n",
                "Sources/Kit/include/module.modulemap": "module Things { header \"kit.h\" export * }\n",
            ]),
        Row(
            "the dependency has resources",
            others: ".target(name: \"Kit\", resources: [.copy(\"words.txt\")])",
            ["Sources/Kit/words.txt": "words\n"]),
        Row(
            "the dependency has resources that SwiftPM finds by itself",
            ["Sources/Kit/Images.xcassets/Contents.json": "{}\n"]),
        Row("the dependency exports a C symbol", kit: "@_cdecl(\"kit\") public func kit() {}\n"),
        Row("the dependency exports a C symbol as in Swift 6.3", kit: "@c public func kit() {}\n"),
        Row(
            "the dependency replaces a function of another module",
            kit: "@_dynamicReplacement(for: a()) public func b() {}\n"),
        Row(
            "the dependency has classes that Objective-C finds by name",
            kit: "@objc(Kit) public final class Kit: NSObject {}\n"),
        Row("the target calls a symbol that it does not import", code: "@_silgen_name(\"kit\") func kit()\n"),
        Row(
            "the target finds types by name",
            code: "import Foundation\nlet kit: AnyClass? = NSClassFromString(\"Kit.K\")\n"),
        Row(
            "the target tests whether it can import the module",
            code: "#if canImport(Kit)\nlet hasKit = true\n#endif\n"),
        Row(
            ".modules.yml excludes files of the target",
            [
                ".modules.yml": "exclude: [Sources/App/Generated]\n",
                "Sources/App/Generated/Made.swift": "import Kit\n",
            ]),
        Row(
            "a command plugin needs only the package", app: "dependencies: []",
            dependencies: ".package(path: \"Format\")",
            [
                "Format/Package.swift": Row.manifest(
                    "Format", "products: [.plugin(name: \"Format\", targets: [\"Format\"])]",
                    """
                    .plugin(
                        name: "Format", capability: .command(intent: .custom(verb: "a", description: "b")))
                    """), "Format/Plugins/Format/Format.swift": "import PackagePlugin\n",
            ]),
        Row(
            "the declaration selects traits of a package that others use", app: "dependencies: []",
            dependencies: ".package(path: \"Kits\", traits: [\"Fast\"])", kits),
        Row(
            "a local package replaces a remote one of the same identity", app: "dependencies: []",
            others: ".target(name: \"Main\", dependencies: [.product(name: \"Users\", package: \"Users\")])",
            dependencies: ".package(path: \"Kits\"), .package(path: \"Users\")",
            kits.merging([
                "Sources/Main/Main.swift": "import Users\n",
                "Users/Sources/Users/Users.swift": "import Kits\n",
                "Users/Package.swift": Row.manifest(
                    "Users",
                    "products: [.library(name: \"Users\", targets: [\"Users\"])], dependencies: [\(url("kits"))]",
                    ".target(name: \"Users\", dependencies: [.product(name: \"Kits\", package: \"kits\")])"),
            ]) { $1 }),
    ]

    @Test("A dependency that may be used without an import is not reported", arguments: needed)
    func silence(_ row: Row) throws {
        #expect(try TemporaryTree(row.tree).findings("imports") == [])
    }

    static let unproven = [
        Row(
            "a product of a remote package may contain anything",
            app: "dependencies: [.product(name: \"Kit\", package: \"kits\")]",
            others: ".target(name: \"Main\")",
            dependencies: url("kits"), ["Sources/Main/Main.swift": "struct Main {}\n"]),
        Row(
            "the dependency links a product of a remote package",
            others: ".target(name: \"Kit\", dependencies: [.product(name: \"Far\", package: \"far\")])",
            dependencies: url("far"), ["Sources/Kit/Kit.swift": "import Far\n"]),
        Row(
            "the dependency links a target with resources",
            others: ".target(name: \"Kit\", dependencies: [\"Words\"]), .target(name: \"Words\")",
            [
                "Sources/Kit/Kit.swift": "import Words\n", "Sources/Words/Words.swift": "struct Words {}\n",
                "Sources/Words/words.txt": "words\n",
            ]),
        Row(
            "another target gets the module through the dependency alone",
            others: ".target(name: \"Kit\"), .target(name: \"Main\", dependencies: [\"App\"])",
            ["Sources/Main/Main.swift": "import App\nimport Kit\n"]),
    ]

    @Test("A dependency that only a build can prove unused is reported without a fix", arguments: unproven)
    func caution(_ row: Row) throws {
        let findings = try TemporaryTree(row.tree).findings("dependency-used")
        #expect(findings.map(\.repair) == [nil], "\(findings)")
        #expect(findings.allSatisfy { $0.fix.hasSuffix(" if everything builds without it.") }, "\(findings)")
    }

    @Test("A dependency that provably no target needs can be removed")
    func proven() throws {
        let row = Row(
            "", others: ".target(name: \"Kit\"), .target(name: \"Main\", dependencies: [\"App\", \"Kit\"])",
            ["Sources/Main/Main.swift": "import App\nimport Kit\n"])
        #expect(try TemporaryTree(row.tree).findings("dependency-used").map(\.repair) == [.remove])
    }

    @Test("A product of a remote package may explain an import of an unknown module, but none of a known one")
    func remoteProduct() throws {
        for (module, isFound) in [("Foundation", true), ("Unknown", false)] {
            let row = Row(
                "", app: "dependencies: [.product(name: \"Far\", package: \"far\")]",
                dependencies: Self.url("far"),
                ["Sources/App/App.swift": "import \(module)\nstruct App {}\n"])
            let findings = try TemporaryTree(row.tree).findings("dependency-used")
            #expect(findings.map { $0.what.contains("Far") } == (isFound ? [true] : []), "\(findings)")
        }
    }

    @Test(
        "An unused local package has the repair `remove`, unless the manifest also declares remote packages")
    func unusedPackage() throws {
        for others in ["", ", " + Self.url("far")] {
            let row = Row(
                "", app: "dependencies: []", dependencies: ".package(path: \"Kits\")" + others, Self.kits)
            let findings = try TemporaryTree(row.tree).findings("dependency-used")
            #expect(
                findings.map(\.what) == ["App declares the package Kits, but no target uses it"],
                "\(findings)")
            #expect(findings.map(\.repair) == (others.isEmpty ? [.remove] : [nil]), "\(findings)")
        }
    }
}
