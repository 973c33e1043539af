import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("check --fix and builds")
struct FixDeepTests {
    /// Packages whose dependencies are needed although no file imports a module of their name, and one unused
    /// dependency: `Plain` on `Unused`.
    private static let files = [
        "Package.swift": """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "App",
            dependencies: [.package(path: "Game"), .package(path: "Flags")],
            targets: [
                .target(name: "Kit"),
                .executableTarget(name: "maker"),
                .plugin(name: "Make", capability: .buildTool(), dependencies: ["maker"]),
                .target(name: "Generated", dependencies: ["Kit"], plugins: ["Make"]),
                .target(
                    name: "Aliased",
                    dependencies: [
                        .product(name: "Utils", package: "Game", moduleAliases: ["Utils": "GameUtils"])
                    ]),
                .target(name: "CKit"),
                .target(name: "Mapped", dependencies: ["CKit"]),
                .target(name: "Words", resources: [.copy("words.txt")]),
                .target(name: "Symbols"),
                .executableTarget(
                    name: "app",
                    dependencies: [
                        "Aliased", "Generated", "Mapped", "Symbols", "Words",
                        .product(name: "Flags", package: "Flags"),
                    ]),
            ]
        )

        """,
        "Sources/Kit/Kit.swift": "public let kit = 1\n",
        "Sources/maker/main.swift": """
        import Foundation

        let code = "import Kit\\npublic let generated = kit\\n"
        try code.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)

        """,
        "Plugins/Make/Make.swift": """
        import PackagePlugin

        @main struct Make: BuildToolPlugin {
            func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
                let file = context.pluginWorkDirectoryURL.appending(path: "Made.swift")
                return [
                    .buildCommand(
                        displayName: "Make", executable: try context.tool(named: "maker").url,
                        arguments: [file.path], outputFiles: [file])
                ]
            }
        }

        """,
        "Sources/Generated/Generated.swift": "public let doubled = generated * 2\n",
        "Sources/Aliased/Aliased.swift": "import Utils\n\npublic let aliased = utils\n",
        "Sources/CKit/ckit.c": "#include \"ckit.h\"\nint three(void) { return 3; }\n",
        "Sources/CKit/include/ckit.h": "int three(void);\n",
        "Sources/CKit/include/module.modulemap": "module Things { header \"ckit.h\" export * }\n",
        "Sources/Mapped/Mapped.swift": "import Things\n\npublic let mapped = three()\n",
        "Sources/Words/Words.swift": "struct Words {}\n", "Sources/Words/words.txt": "words\n",
        "Sources/Symbols/Symbols.swift": "@_cdecl(\"five\") public func five() -> Int32 { 5 }\n",
        "Sources/app/main.swift": """
        import Aliased
        import Flags
        import Generated
        import Mapped

        @_silgen_name("five") func five() -> Int32
        print(aliased, doubled, flags, mapped, five())

        """,
        "Game/Package.swift": """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "Game",
            products: [.library(name: "Utils", targets: ["Utils"])],
            targets: [
                .target(name: "Unused"),
                .target(name: "Plain", dependencies: ["Unused"]),
                .target(name: "Utils"),
            ]
        )

        """,
        "Game/Sources/Unused/Unused.swift": "struct Unused {}\n",
        "Game/Sources/Plain/Plain.swift": "struct Plain {}\n",
        "Game/Sources/Utils/Utils.swift": "public let utils = 4\n",
        "Flags/Package.swift": """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "Flags",
            products: [.library(name: "Flags", targets: ["Flags"])],
            targets: [
                .target(name: "LongName"),
                .target(
                    name: "Flags", dependencies: ["LongName"],
                    swiftSettings: [.unsafeFlags(["-module-alias", "Short=LongName"])]),
            ]
        )

        """,
        "Flags/Sources/LongName/LongName.swift": "public let long = 6\n",
        "Flags/Sources/Flags/Flags.swift": "import Short\n\npublic let flags = long\n",
    ]

    @Test(
        "What needs a dependency without importing it builds after --fix, which removes the unused dependency"
    )
    func builds() throws {
        let tree = try TemporaryTree(Self.files)
        let output = try Command.run(
            [Tool.path(), "check", "imports", "--no-cache", "--fix", "--root", tree.root], in: "/")
        #expect(output.status == 0, "\(output.text)\(output.standardError)")
        let game = try #require(Self.files["Game/Package.swift"])
        #expect(try tree.read("Game/Package.swift") == game.replacing("[\"Unused\"]),", with: "[]),"))
        for path in ["Package.swift", "Flags/Package.swift"] {
            #expect(try tree.read(path) == Self.files[path])
        }
        #expect(try tree.run("swift", "run", "--quiet", "app") == "4 2 6 3 5\n")
    }
}
