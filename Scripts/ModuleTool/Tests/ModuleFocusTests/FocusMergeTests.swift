import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("How a focus merges targets")
struct FocusMergeTests {
    /// A manifest with settings of every kind.
    private static let kit = """
        // swift-tools-version: 6.2
        import PackageDescription

        let fast: [SwiftSetting] = [.define("FAST", .when(configuration: .release))]

        let package = Package(
            name: "Kit",
            defaultLocalization: "en",
            platforms: [.macOS(.v15), .iOS("18.1")],
            products: [.library(name: "Kit", targets: ["Kit"])],
            targets: [
                .target(
                    name: "Kit",
                    dependencies: [.target(name: "CKit", condition: .when(platforms: [.macOS, .linux]))],
                    exclude: ["Notes.md"],
                    resources: [.process("Texts", localization: .base), .copy("Data"), .embedInCode("key.txt")],
                    packageAccess: false,
                    swiftSettings: fast + [
                        .enableUpcomingFeature("ExistentialAny"), .defaultIsolation(MainActor.self),
                        .enableExperimentalFeature("Lifetimes", .when(platforms: [.linux])),
                        .swiftLanguageMode(.v5), .interoperabilityMode(.Cxx), .treatAllWarnings(as: .error),
                        .treatWarning("DeprecatedDeclaration", as: .warning), .unsafeFlags(["-Xcc", "-w"]),
                        .strictMemorySafety(),
                    ],
                    linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux], configuration: .debug))]),
                .target(
                    name: "CKit", path: "C", sources: ["code"], publicHeadersPath: "headers",
                    cSettings: [.define("LEVEL", to: "1"), .headerSearchPath("private")],
                    cxxSettings: [.define("PLAIN")]),
            ],
            cLanguageStandard: .gnu11,
            cxxLanguageStandard: .cxx20
        )

        """

    private static let merged = """
            .target(
                name: "CKit",
                path: "Packages/Base/Kit/C",
                sources: ["code"],
                publicHeadersPath: "headers",
                cSettings: [.define("LEVEL", to: "1"), .headerSearchPath("private")],
                cxxSettings: [.define("PLAIN")])
        """

    @Test(
        "A target keeps its settings and resources, whether the tool or SwiftPM reads the manifest",
        arguments: [false, true])
    func settings(isComputed: Bool) throws {
        let merged = try MergedTree([
            "Kit": Self.kit + (isComputed ? "package.name = [\"Kit\"].joined()\n" : "")
        ])
        try merged.tree.write("Packages/Base/Kit/C/code/kit.c", "")
        try merged.tool.expect("focus --all")
        let text = try merged.text
        #expect(try merged.target("CKit") == Self.merged)
        #expect(
            try merged.target("Kit") == """
                    .target(
                        name: "Kit",
                        dependencies: [
                            .target(name: "CKit", condition: .when(platforms: [.linux, .macOS])), "FocusIsCurrent",
                        ],
                        path: "Packages/Base/Kit/Sources/Kit",
                        exclude: ["Notes.md"],
                        resources: [.process("Texts", localization: .base), .copy("Data"), .embedInCode("key.txt")],
                        packageAccess: false,
                        swiftSettings: [
                            .define("FAST", .when(configuration: .release)), .enableUpcomingFeature("ExistentialAny"),
                            .defaultIsolation(MainActor.self),
                            .enableExperimentalFeature("Lifetimes", .when(platforms: [.linux])), .swiftLanguageMode(.v5),
                            .interoperabilityMode(.Cxx), .treatAllWarnings(as: .error),
                            .treatWarning("DeprecatedDeclaration", as: .warning), .unsafeFlags(["-Xcc", "-w"]),
                            .strictMemorySafety(),
                        ],
                        linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux], configuration: .debug))])
                """)
        #expect(text.hasPrefix("// swift-tools-version: 6.3\n"))
        #expect(
            text.contains(
                """
                    defaultLocalization: "en",
                    platforms: [.macOS("15.0"), .iOS("18.1")],
                    products: [
                        .executable(name: "Shell", targets: ["Shell"]),
                    ],
                    cLanguageStandard: .gnu11,
                    cxxLanguageStandard: .cxx20
                )
                """))
        try merged.tree.run("swift", "package", "--package-path", ".modules/in-focus", "dump-package")
    }

    @Test("The settings that a loop adds to all targets belong to each target")
    func loop() throws {
        let loop = """

            for target in package.targets {
                target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
            }

            """
        let merged = try MergedTree(["Kit": MergedTree.library("Kit") + loop])
        try merged.tool.expect("focus --all")
        #expect(try merged.target("Kit").hasSuffix("        swiftSettings: [.strictMemorySafety()])"))
    }

    @Test("A target whose package has another language mode chooses the mode itself")
    func languageModes() throws {
        let merged = try MergedTree([
            "Old": MergedTree.library("Old", version: "5.9"),
            "Chosen": MergedTree.library("Chosen", ",\n    swiftLanguageModes: [.v4, .v5]"),
            "New": MergedTree.library("New", ",\n    swiftLanguageModes: [.v5, .v6]"),
        ])
        try merged.tool.expect("focus --all")
        for name in ["Old", "Chosen"] {
            #expect(try merged.target(name).contains("swiftSettings: [.swiftLanguageMode(.v5)]"))
        }
        #expect(try !merged.target("New").contains("swiftSettings"))
    }

    @Test("The merged package requires the highest of the minimum versions of a platform")
    func platforms() throws {
        func platforms(_ name: String, _ minimums: String) -> String {
            MergedTree.library(name).replacing(
                "    products", with: "    platforms: [\(minimums)],\n    products")
        }
        let merged = try MergedTree([
            "Old": platforms("Old", ".macOS(.v13), .tvOS(.v18)"),
            "New": platforms("New", ".macOS(\"15.4\"), .iOS(.v18)"),
        ])
        try merged.tool.expect("focus --all")
        #expect(
            try merged.text.contains(
                "    platforms: [.macOS(\"15.4\"), .iOS(\"18.0\"), .tvOS(\"18.0\")]"))
    }

    @Test(
        "A target without a path has the folder that SwiftPM finds, also if it compiles C",
        arguments: [
            ("Sources/CKit/kit.c", "Sources/CKit"), ("Source/CKit/kit.c", "Source/CKit"),
            ("src/CKit/kit.c", "src/CKit"), ("srcs/CKit/kit.c", "srcs/CKit"), ("Sources/kit.c", "Sources"),
            ("src/kit.c", "src"), ("Sources/Kit/kit.c", "Sources"),
        ])
    func folders(file: String, folder: String) throws {
        let manifest = MergedTree.library(
            "CKit", targets: ".testTarget(name: \"KitTests\", dependencies: [\"CKit\"])")
        let merged = try MergedTree(["CKit": manifest])
        try merged.tree.write("Packages/Base/CKit/\(file)", "")
        try merged.tool.expect("focus --all")
        #expect(try merged.target("CKit").contains("path: \"Packages/Base/CKit/\(folder)\""))
    }

    @Test("A macro of C without a value stays without one, whether the tool or SwiftPM reads the manifest")
    func emptyMacro() throws {
        for end in ["", "package.name = [\"CKit\"].joined()\n"] {
            let settings = "cSettings: [.define(\"EMPTY\", to: \"\"), .define(\"SET\")]"
            let merged = try MergedTree(["CKit": MergedTree.library("CKit", target: settings) + end])
            try merged.tree.write("Packages/Base/CKit/Sources/CKit/kit.c", "")
            try merged.tool.expect("focus --all")
            #expect(try merged.target("CKit").contains(settings))
        }
    }

    @Test("The merged package has the C++ standard of the Swift targets that import C++")
    func importedCxx() throws {
        let settings = "swiftSettings: [.interoperabilityMode(.Cxx)]"
        for end in ["", "package.name = [\"Kit\"].joined()\n"] {
            let merged = try MergedTree([
                "Kit": MergedTree.library("Kit", ",\n    cxxLanguageStandard: .gnucxx20", target: settings)
                    + end
            ])
            try merged.tool.expect("focus --all")
            #expect(try merged.text.contains(",\n    cxxLanguageStandard: .gnucxx20\n"))
        }
    }

    @Test("The merged package has the executable that a test starts, and the app's products have their names")
    func executables() throws {
        let targets = """
            .executableTarget(name: "Helper", dependencies: ["Kit"]), \
            .testTarget(name: "KitTests", dependencies: ["Helper", "Kit"])
            """
        let merged = try MergedTree(["Kit": MergedTree.library("Kit", targets: targets)])
        try merged.tree.edit(
            "Package.swift", ".executable(name: \"Shell\", targets",
            ".executable(name: \"shell-app\", targets")
        let output = try merged.tool.expect(
            "focus --all", 0, "swift run --package-path .modules/in-focus shell-app\n")
        #expect(!output.contains("Shell\n") && !output.contains("Helper\n"))
        #expect(try merged.target("Helper").hasPrefix("    .executableTarget("))
        #expect(try merged.target("Helper").contains("[\"Kit\", \"FocusIsCurrent\"]"))
        #expect(try merged.target("KitTests").contains("[\"Helper\", \"Kit\", \"FocusIsCurrent\"]"))
        #expect(try merged.text.contains(".executable(name: \"shell-app\", targets: [\"Shell\"])"))
    }
}
