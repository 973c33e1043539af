import Foundation
import ModuleFixtures
import ModuleTree
import Testing
import ToolFixtures

@Suite("How a focus merges packages")
struct FocusMergeTests {
    private static let folder = ".modules/in-focus"

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

    /// The small tree with more packages in Packages/Base, on which the app depends. Each target has a source file.
    private func tree(_ manifests: [String: String]) throws -> Tool {
        let tree = try SmallTree.make()
        for (name, manifest) in manifests {
            try tree.write("Packages/Base/\(name)/Package.swift", manifest)
            for kind in ["Sources", "Tests"] {
                let targets = manifest.matches(of: /(\.testT|[tT])arget\(\s*name: "(\w+)"/)
                    .filter { ($0.1 == ".testT") == (kind == "Tests") }
                for target in targets where target.2 != "CKit" {
                    try tree.write("Packages/Base/\(name)/\(kind)/\(target.2)/File.swift", "")
                }
            }
            let first = "        .package(path: \"Packages/Core/ApiCenter\"),\n"
            try tree.edit(
                "Package.swift", first, first + "        .package(path: \"Packages/Base/\(name)\"),\n")
        }
        return try Tool(in: tree)
    }

    /// The element of the merged manifest that declares a target.
    private func block(_ target: String, in tool: Tool) throws -> String {
        let text = try tool.tree.read("\(Self.folder)/Package.swift")
        let start = try #require(text.firstRange(of: "(\n        name: \"\(target)\"")).lowerBound
        let line = try #require(text[..<start].lastIndex(of: "\n"))
        let ends = ["),\n    .", "),\n]"].compactMap { text[start...].firstRange(of: $0)?.lowerBound }
        let end = try #require(ends.min())
        return text[text.index(after: line)..<end] + ")"
    }

    private func library(_ name: String, _ more: String = "", version: String = "6.3", products: String = "")
        -> String
    {
        """
        // swift-tools-version: \(version)
        import PackageDescription

        let package = Package(
            name: "\(name)",
            products: [\(products.isEmpty ? ".library(name: \"\(name)\", targets: [\"\(name)\"])" : products)],
            targets: [.target(name: "\(name)")]\(more)
        )

        """
    }

    @Test(
        "A target keeps its settings and resources, whether the tool or SwiftPM reads the manifest",
        arguments: [false, true])
    func settings(isComputed: Bool) throws {
        let tool = try tree(["Kit": Self.kit + (isComputed ? "package.name = [\"Kit\"].joined()\n" : "")])
        try tool.tree.write("Packages/Base/Kit/C/code/kit.c", "")
        try tool.expect("focus --all")
        let text = try tool.tree.read("\(Self.folder)/Package.swift")
        #expect(try block("CKit", in: tool) == Self.merged)
        #expect(
            try block("Kit", in: tool) == """
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
                    cLanguageStandard: .gnu11,
                    cxxLanguageStandard: .cxx20
                )
                """))
        try tool.tree.run("swift", "package", "--package-path", Self.folder, "dump-package")
    }

    @Test("The settings that a loop adds to all targets belong to each target")
    func loop() throws {
        let loop = """

            for target in package.targets {
                target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
            }

            """
        let tool = try tree(["Kit": library("Kit") + loop])
        try tool.expect("focus --all")
        #expect(try block("Kit", in: tool).hasSuffix("        swiftSettings: [.strictMemorySafety()])"))
    }

    @Test("A target whose package has another language mode chooses the mode itself")
    func languageModes() throws {
        let tool = try tree([
            "Old": library("Old", version: "5.9"),
            "Chosen": library("Chosen", ",\n    swiftLanguageModes: [.v4, .v5]"),
            "New": library("New", ",\n    swiftLanguageModes: [.v5, .v6]"),
        ])
        try tool.expect("focus --all")
        for name in ["Old", "Chosen"] {
            #expect(try block(name, in: tool).contains("swiftSettings: [.swiftLanguageMode(.v5)]"))
        }
        #expect(try !block("New", in: tool).contains("swiftSettings"))
    }

    @Test("The merged package requires the highest of the minimum versions of a platform")
    func platforms() throws {
        let tool = try tree([
            "Old": library("Old").replacing(
                "    products", with: "    platforms: [.macOS(.v13), .tvOS(.v18)],\n    products"),
            "New": library("New").replacing(
                "    products", with: "    platforms: [.macOS(\"15.4\"), .iOS(.v18)],\n    products"),
        ])
        try tool.expect("focus --all")
        #expect(
            try tool.tree.read("\(Self.folder)/Package.swift").contains(
                "    platforms: [.macOS(\"15.4\"), .iOS(\"18.0\"), .tvOS(\"18.0\")]"))
    }

    @Test("Versions of a remote package are those that all packages accept")
    func versions() throws {
        func user(_ name: String, _ requirement: String) -> String {
            library(name).replacing(
                "    targets: [.target(name: \"\(name)\")]",
                with: """
                        dependencies: [.package(url: "https://example.com/acme/Net", \(requirement))],
                        targets: [.target(name: "\(name)", dependencies: [.product(name: "Net", package: "Net")])]
                    """)
        }
        for (first, second, both) in [
            ("from: \"1.2.0\"", "from: \"1.4.0\"", "from: \"1.4.0\""),
            ("from: \"1.2.0\"", "exact: \"1.3.0\"", "exact: \"1.3.0\""),
            ("\"1.0.0\"..<\"1.5.0\"", "from: \"1.2.0\"", "\"1.2.0\"..<\"1.5.0\""),
            ("branch: \"main\"", "from: \"1.2.0\"", "branch: \"main\""),
        ] {
            let tool = try tree(["One": user("One", first), "Two": user("Two", second)])
            try tool.expect("focus --all")
            let text = try tool.tree.read("\(Self.folder)/Package.swift")
            #expect(
                text.contains("        .package(url: \"https://example.com/acme/Net\", \(both)),\n"),
                "\(text)")
            #expect(try block("One", in: tool).contains(".product(name: \"Net\", package: \"Net\")"))
        }
        for (first, second) in [
            ("from: \"1.2.0\"", "from: \"2.0.0\""), ("from: \"1.2.0\"", "exact: \"1.0.0\""),
            ("branch: \"main\"", "branch: \"next\""),
        ] {
            let tool = try tree(["One": user("One", first), "Two": user("Two", second)])
            try tool.expect(
                "focus --all", 2, "accepts no version of Net that Packages/Base/One/Package.swift accepts")
        }
    }

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
        func c(_ name: String, _ more: String = "") -> String {
            library(name, more).replacing("(name: \"\(name)\")]", with: "(name: \"\(name)\", path: \"C\")]")
        }
        var odd = c("Odd", index > 0 ? change : "").replacing(
            "    targets: [.target(name: \"Odd\", ",
            with: """
                    dependencies: [.package(path: "../Under")],
                    targets: [.target(name: "Odd", dependencies: ["Under"], 
                """)
        if index == 0 {
            odd = odd.replacing("name: \"Odd\", targets", with: "name: \"Odd\"\(change), targets")
        }
        let user = library("User").replacing(
            "    targets: [.target(name: \"User\")]",
            with: """
                    dependencies: [.package(path: "../Odd"), .package(path: "../Under")],
                    targets: [.target(name: "User", dependencies: ["Odd", "Under"])]
                """)
        let tool = try tree(["First": c("First"), "Odd": odd, "Under": library("Under"), "User": user])
        for name in ["First", "Odd"] {
            try tool.tree.remove("Packages/Base/\(name)/Sources")
            try tool.tree.write("Packages/Base/\(name)/C/code.c", "")
        }
        try tool.expect(
            "focus --all", 0, "\nPackages/Base/Odd stays a package of its own: \(reason).\n",
            "\nPackages/Base/Under stays a package of its own: Odd, which is not merged, depends on it.\n")
        let text = try tool.tree.read("\(Self.folder)/Package.swift")
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
            try block("User", in: tool).contains(
                """
                        dependencies: [
                            .product(name: "Odd", package: "Odd"), .product(name: "Under", package: "Under"),
                            "FocusIsCurrent",
                        ],
                """))
    }

    @Test("A package with a plugin, a binary or an equal name stays; so does one for an old SwiftPM")
    func otherReasons() throws {
        let plugin = library("Tools", products: ".plugin(name: \"Lint\", targets: [\"Lint\"])").replacing(
            ".target(name: \"Tools\")", with: ".plugin(name: \"Lint\", capability: .buildTool())")
        func user(of name: String, _ use: String) -> String {
            library("Use" + name).replacing(
                "    targets: [.target(name: \"Use\(name)\")]",
                with: """
                        dependencies: [.package(path: "../\(name)")],
                        targets: [.target(name: "Use\(name)", \(use))]
                    """)
        }
        let binary = library("Binary").replacing(
            "targets: [.target(name: \"Binary\")]",
            with:
                "targets: [.target(name: \"Binary\", dependencies: [\"X\"]), .binaryTarget(name: \"X\", path: \"X.zip\")]"
        )
        let tool = try tree([
            "Tools": plugin,
            "UseTools": user(of: "Tools", "plugins: [.plugin(name: \"Lint\", package: \"Tools\")]"),
            "Binary": binary, "UseBinary": user(of: "Binary", "dependencies: [\"Binary\"]"),
            "Old": library("Old", version: "5.3"), "UseOld": user(of: "Old", "dependencies: [\"Old\"]"),
            "Same": library("Same").replacing(
                "(name: \"Same\")]", with: "(name: \"Same\"), .target(name: \"Ride\")]"),
            "UseSame": user(of: "Same", "dependencies: [\"Same\"]"),
        ])
        try tool.expect(
            "focus --all", 0, "Tools stays a package of its own: its target Lint is a plugin.\n",
            "Binary stays a package of its own: its target X is a binary.\n",
            "Old stays a package of its own: its tools version is older than 5.4.\n",
            "Ride stays a package of its own: Same has a target with the name Ride, too.\n")
        #expect(
            try block("UseTools", in: tool).contains(
                "        plugins: [.plugin(name: \"Lint\", package: \"Tools\")]"))
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
        func user(_ traits: String) -> String {
            library("User").replacing(
                "    targets: [.target(name: \"User\")]",
                with: """
                        dependencies: [.package(path: "../Kit"\(traits))],
                        targets: [.target(name: "User", dependencies: ["Kit"])]
                    """)
        }
        for (selection, defines, uses) in [
            (
                ", traits: [\"Fast\"]", ".define(\"Fast\"), .define(\"Small\"), .define(\"QUICK\")",
                "\"Extra\""
            ),
            ("", ".define(\"Usual\")", "\"Other\""),
            (
                ", traits: [.defaults, \"Log\"]", ".define(\"Log\"), .define(\"Usual\"), .define(\"LOUD\")",
                "\"Other\""
            ),
            (", traits: []", "", ""),
        ] {
            let tool = try tree([
                "Kit": kit, "User": user(selection), "Extra": library("Extra"), "Other": library("Other"),
            ])
            // The app itself depends on User alone.
            try tool.tree.edit("Package.swift", "        .package(path: \"Packages/Base/Kit\"),\n", "")
            try tool.expect("focus --all")
            let block = try block("Kit", in: tool)
            #expect(block.contains("swiftSettings: [\(defines)]") != defines.isEmpty, "\(block)")
            #expect(block.contains("dependencies: [\(uses)]") != uses.isEmpty, "\(block)")
        }
    }
}
