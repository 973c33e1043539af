import ModuleFixtures
import ModuleTree
import Testing

/// Dependencies that are needed although no file imports a module of their name.
@Suite("Uses that no import shows")
struct HiddenUsesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The arguments of the target `App` after its name.
        var app = "dependencies: [\"Kit\"]"
        /// The other targets.
        var others = ".target(name: \"Kit\")"
        var dependencies = ""
        var files: [String: String] = [:]

        init(
            _ name: String, app: String? = nil, others: String? = nil, dependencies: String = "",
            _ files: [String: String] = [:]
        ) {
            testDescription = name
            self.app = app ?? self.app
            self.others = others ?? self.others
            (self.dependencies, self.files) = (dependencies, files)
        }

        func tree(end: String = "") throws -> TemporaryTree {
            let manifest = """
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(
                    name: "App",
                    dependencies: [\(dependencies)],
                    targets: [\n        .target(name: "App", \(app)),\n        \(others),\n    ]\(end)
                )

                """
            let usual = [
                "Package.swift": manifest, "Sources/App/App.swift": "struct App {}\n",
                "Sources/Kit/Kit.swift": "public struct Kit {}\n",
            ]
            return try TemporaryTree(usual.merging(files.filter { !$0.value.isEmpty }) { $1 })
        }
    }

    static let needed: [Row] = [
        Row(
            "a plugin generates code that imports the dependency",
            app: "dependencies: [\"Kit\"], plugins: [\"Make\"]",
            others: ".target(name: \"Kit\"), .plugin(name: \"Make\", capability: .buildTool())",
            ["Plugins/Make/Make.swift": "import PackagePlugin\n"]),
        Row(
            "a plugin of a remote package generates code",
            app: "dependencies: [\"Kit\"], plugins: [.plugin(name: \"Make\", package: \"make\")]",
            dependencies: ".package(url: \"https://github.com/acme/make\", from: \"1.0.0\")"),
        Row(
            "moduleAliases may name the module differently",
            app: """
                dependencies: [.product(name: "Kit", package: "Kits", moduleAliases: ["Kit": "OtherKit"])]
                """, others: ".target(name: \"Main\", dependencies: [\"App\"])",
            dependencies: ".package(path: \"Kits\")",
            [
                "Sources/App/App.swift": "import OtherKit\n", "Sources/Main/Main.swift": "import App\n",
                "Kits/Package.swift": SmallTree.manifest("Kit"),
                "Kits/Sources/Kit/Kit.swift": "public struct Kit {}\n",
            ]),
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
        Row(
            "the dependency exports a C symbol",
            ["Sources/Kit/Kit.swift": "@_cdecl(\"kit\") public func kit() {}\n"]),
        Row(
            "the dependency exports a C symbol with the attribute of Swift 6.3",
            ["Sources/Kit/Kit.swift": "@c public func kit() {}\n"]),
        Row(
            "the dependency replaces a function of another module",
            ["Sources/Kit/Kit.swift": "@_dynamicReplacement(for: a()) public func b() {}\n"]),
        Row(
            "the dependency has classes that Objective-C finds by name",
            ["Sources/Kit/Kit.swift": "@objc(Kit) public final class Kit: NSObject {}\n"]),
        Row(
            "the target calls a symbol that it does not import",
            ["Sources/App/App.swift": "@_silgen_name(\"kit\") func kit()\n"]),
        Row(
            "the target finds types by name",
            [
                "Sources/App/App.swift":
                    "import Foundation\nlet kit: AnyClass? = NSClassFromString(\"Kit.K\")\n"
            ]
        ),
        Row(
            "the target tests whether it can import the module",
            ["Sources/App/App.swift": "#if canImport(Kit)\nlet hasKit = true\n#endif\n"]),
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
                "Format/Package.swift": """
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(
                    name: "Format", products: [.plugin(name: "Format", targets: ["Format"])],
                    targets: [
                        .plugin(
                            name: "Format",
                            capability: .command(intent: .custom(verb: "a", description: "b")))
                    ])

                """,
                "Format/Plugins/Format/Format.swift": "import PackagePlugin\n",
            ]),
        Row(
            "the declaration selects traits of a package that others use", app: "dependencies: []",
            dependencies: ".package(path: \"Kits\", traits: [\"Fast\"])",
            [
                "Kits/Package.swift": SmallTree.manifest("Kits"),
                "Kits/Sources/Kits/Kits.swift": "struct A {}\n",
            ]),
        Row(
            "a local package replaces a remote one of the same identity", app: "dependencies: []",
            others: """
                .target(name: "Main", dependencies: [.product(name: "Users", package: "Users")])
                """,
            dependencies: ".package(path: \"Kits\"), .package(path: \"Users\")",
            [
                "Sources/Main/Main.swift": "import Users\n",
                "Kits/Package.swift": SmallTree.manifest("Kits"),
                "Kits/Sources/Kits/Kits.swift": "struct A {}\n",
                "Users/Package.swift": """
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(
                    name: "Users", products: [.library(name: "Users", targets: ["Users"])],
                    dependencies: [.package(url: "https://github.com/acme/kits", from: "1.0.0")],
                    targets: [.target(name: "Users", dependencies: [.product(name: "Kits", package: "kits")])])

                """,
                "Users/Sources/Users/Users.swift": "import Kits\n",
            ]),
    ]

    @Test("A dependency that may be used without an import is not reported", arguments: needed)
    func silence(_ row: Row) throws {
        #expect(try row.tree().findings("imports") == [])
    }

    static let unproven: [Row] = [
        Row(
            "a product of a remote package may contain anything",
            app: "dependencies: [.product(name: \"Kit\", package: \"kits\")]",
            others: ".target(name: \"Main\")",
            dependencies: ".package(url: \"https://github.com/acme/kits\", from: \"1.0.0\")",
            ["Sources/Main/Main.swift": "struct Main {}\n"]),
        Row(
            "the dependency links a product of a remote package",
            others: """
                .target(name: "Kit", dependencies: [.product(name: "Far", package: "far")])
                """, dependencies: ".package(url: \"https://github.com/acme/far\", from: \"1.0.0\")",
            ["Sources/Kit/Kit.swift": "import Far\n"]),
        Row(
            "the dependency links a target with resources",
            others: ".target(name: \"Kit\", dependencies: [\"Words\"]), .target(name: \"Words\")",
            [
                "Sources/Kit/Kit.swift": "import Words\n", "Sources/Words/Words.swift": "struct Words {}\n",
                "Sources/Words/words.txt": "words\n",
            ]),
    ]

    @Test(
        "A dependency that only a build can prove unused is reported without an automatic fix",
        arguments: unproven)
    func caution(_ row: Row) throws {
        let findings = try row.tree().findings("dependency-used")
        #expect(findings.map(\.what).count == 1 && findings.allSatisfy { $0.repair == nil }, "\(findings)")
        #expect(findings.allSatisfy { $0.fix.hasSuffix(" if everything builds without it") }, "\(findings)")
    }

    @Test(
        "A dependency through which another target gets an undeclared module is kept until that is declared")
    func passedOn() throws {
        let row = Row(
            "", others: ".target(name: \"Kit\"), .target(name: \"Main\", dependencies: [\"App\"])",
            ["Sources/Main/Main.swift": "import App\nimport Kit\n"])
        let tree = try row.tree()
        let kept = try tree.findings("dependency-used")
        #expect(kept.count == 1 && kept[0].repair == nil, "\(kept)")
        try tree.edit("Package.swift", "dependencies: [\"App\"]", "dependencies: [\"App\", \"Kit\"]")
        #expect(try tree.findings("dependency-used").map(\.repair) == [.remove])
    }
}
