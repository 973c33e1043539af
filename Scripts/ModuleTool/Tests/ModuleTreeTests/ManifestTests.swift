import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTree

@Suite("Package manifests")
struct ManifestTests {
    @Test("For every spelling of a literal manifest, parsing the source gives the same result as SwiftPM")
    func bothWaysAgree() throws {
        let text = """
            // swift-tools-version: 6.1
            import CompilerPluginSupport
            import PackageDescription

            let settings: [SwiftSetting] = [.define("X", .when(configuration: .debug))]
            let name = "Mixed"
            let shared: [Target.Dependency] = ["B", .product(name: "L", package: "swift-log")]

            let package = Package(
                name: name,
                defaultLocalization: "en",
                platforms: [.macOS(.v15), .custom("x", versionString: "1")],
                pkgConfig: nil,
                products: [
                    .library(name: "A", type: .static, targets: ["A", "B"]), .plugin(name: "P", targets: ["Plug"]),
                    .library(name: "Loaded", type: .dynamic, targets: ["B"]), Product.executable(name: "Run", targets: ["Run"]),
                ],
                traits: [
                    .trait(name: "Z", description: "z", enabledTraits: ["Y"]), "Y", Trait(name: "W"),
                    .default(enabledTraits: ["Z"]),
                ],
                dependencies: [
                    .package(url: "https://github.com/apple/swift-log", from: "1.2.3"),
                    .package(url: "https://github.com/apple/a.git", exact: "1.0.0"),
                    .package(url: "https://github.com/apple/b", branch: "main"),
                    .package(url: "https://github.com/apple/f", revision: "abc", traits: ["T"]),
                    .package(name: "I", url: "https://github.com/apple/i", from: "1.0.0"),
                    .package(id: "x.y", exact: "1.2.3"),
                    .package(id: "x.Z", from: "1.2.3"),
                    .package(path: "../Other"), .package(name: "Named", path: "../Folder/"),
                    Package.Dependency.package(path: "../..", traits: []), .package(path: "/absolute/Path"),
                    .package(name: "Both", path: "Inner", traits: [.defaults]),
                ],
                targets: [
                    .target(
                        name: "A",
                        dependencies: [
                            .target(name: "B"), "B", .byName(name: "C"), Target.Dependency.target(name: "B"),
                            .product(name: "L", package: "swift-log", condition: .when(traits: ["Z"])),
                            .product(name: "M", package: "b", moduleAliases: ["M": "N"], condition: nil),
                            .target(name: "B", condition: .when(platforms: [.linux], traits: ["Y"])),
                        ],
                        exclude: ["q"], sources: ["a", "b.swift"],
                        resources: [.copy("Samples"), .process("Texts", localization: .base), .embedInCode("e")],
                        publicHeadersPath: "include", packageAccess: false,
                        plugins: ["Plug", .plugin(name: "Q", package: "b")]),
                    .target(name: "B", path: "Other/B", swiftSettings: settings),
                    .executableTarget(name: "Run", dependencies: ["A"] + shared),
                    .testTarget(name: "ATests", dependencies: shared, swiftSettings: settings),
                    .systemLibrary(name: "S", path: "S", pkgConfig: "s", providers: [.brew(["s"])]),
                    .binaryTarget(name: "Bin", path: "Bin.zip"),
                    .binaryTarget(name: "Far", url: "https://x.org/a.zip", checksum: "a"),
                    .plugin(name: "Plug", capability: .buildTool(), dependencies: ["Run"], path: "Plugs"),
                    .macro(name: "Mac", dependencies: ["B"]),
                ],
                swiftLanguageModes: [.v6]
            )

            for target in package.targets where target.type == .regular {
                target.swiftSettings = (target.swiftSettings ?? []) + [.define("Y")]
            }
            package.products.append(.library(name: "Late", targets: ["Late"]))
            package.dependencies.append(.package(path: "../Late"))
            package.targets.append(.target(name: "Late", dependencies: ["A"]))
            """
        let tree = try TemporaryTree(["Kit/Package.swift": text])
        let folder = tree.root + "/Kit"
        let parsed = try ManifestSource(text, in: folder)
        let fromSource = try #require(parsed.literal)
        let fromSwiftPM = try DumpedManifest.read(DumpedManifest.run(in: folder), parsed)
        for (source, dump) in zip(fromSource.withoutPlaces(folder), fromSwiftPM.withoutPlaces(folder)) {
            #expect(source == dump)
        }
        #expect(fromSource.withoutPlaces(folder).count == fromSwiftPM.withoutPlaces(folder).count)
        #expect(
            fromSource.dependencies.prefix(4).compactMap(\.pin) == [
                "exact: \"1.0.0\"", "branch: \"main\"", "revision: \"abc\"",
            ])
        // Both readers also find the same positions, except where the manifest uses a constant.
        #expect(fromSource.dependencies.map(\.position) == fromSwiftPM.dependencies.map(\.position))
        #expect(fromSource.targets.map(\.position) == fromSwiftPM.targets.map(\.position))
    }

    @Test("Computed declarations have the positions at which the manifest names them")
    func places() throws {
        let text = """
            // swift-tools-version: 6.3
            import PackageDescription
            let pairs = ["Business/Ride"]
            let tests = ["KitTests", "Kit"]
            func product(_ name: String) -> Target.Dependency { .product(name: name, package: name) }
            let shared: [Target.Dependency] = [
                .product(name: "Shared", package: "Kit"),
            ]
            let package = Package(
                name: "P",
                dependencies: pairs.flatMap {
                    [.package(path: "Packages/\\($0)"), .package(path: "Packages/\\($0)Api")]
                } + [
                    .package(url: "https://github.com/apple/swift-log", from: "1.0.0"),
                    .package(path: "./Kit"),
                ],
                targets: [
                    .target(name: "Other", dependencies: ["Kit"]),
                    .target(
                        name: "Kit",
                        dependencies: [
                            product("Ride"),
                            .product(
                                name: "Log", package: "swift-log"),
                            .target(name: "Other"),
                        ] + pairs.map { _ in product("Ride" + "Api") } + shared,
                        swiftSettings: [.define("Ride")]),
                    .testTarget(name: tests[0], dependencies: ["Kit"]),
                ] + pairs.map { .testTarget(name: "RideTests", path: "Packages/\\($0)/Tests") }
            )
            """
        let tree = try TemporaryTree(["Package.swift": text])
        let manifest = try #require(try TreeReader(root: tree.root).read().rootPackage).manifest
        #expect(
            manifest.dependencies.map(\.path) == [
                "Packages/Business/Ride", "Packages/Business/RideApi", nil, "Kit",
            ])
        #expect(manifest.dependencies.map(\.position.line) == [3, 3, 14, 15])
        #expect(manifest.targets.map(\.name) == ["Other", "Kit", "KitTests", "RideTests"])
        #expect(manifest.targets.map(\.position.line) == [18, 20, 4, 29])
        #expect(
            manifest.targets.map { $0.dependencies.map { $0.position?.line } }
                == [[18], [22, 23, 25, nil, 7], [nil], []])
    }

    @Test("A target may name a package by the name in the package's declaration, as SwiftPM allows")
    func aliases() throws {
        let tree = try TemporaryTree([
            "App/Package.swift": SmallTree.manifest("App", packages: ["../Kit"]).replacing(
                ".package(path:", with: ".package(name: \"Tools\", path:"
            ).replacing(
                "dependencies: []", with: "dependencies: [.product(name: \"Kit\", package: \"Tools\")]"),
            "App/Sources/App/App.swift": "", "Kit/Package.swift": SmallTree.manifest("Kit"),
            "Kit/Sources/Kit/Kit.swift": "",
        ])
        let read = try TreeReader(root: tree.root).read()
        #expect(PackageGraph(read).edges.map { read.packages[$0.to].name } == ["Kit"])
    }

    @Test(
        "If a manifest computes values that the rules need, SwiftPM reads the manifest",
        arguments: [
            "let names = [\"A\"]\nprint(names)\nlet package = Package(name: \"P\")",
            "let package = Package(name: \"P\", targets: names.map { .target(name: $0) })",
            "let package = Package(name: \"P\", targets: [.target(name: name)])",
            "let package = Package(name: \"P\")\npackage.targets = []",
            "let package = Package(name: \"P\", targets: [.target(name: \"A\")] + other)",
            "let package = Package(name: \"P\", targets: [.target(name: \"A\")] - [.target(name: \"A\")])",
            "let package = Package(name: \"\\(name)\")",
            "let package = Package(name: \"P\")\nfor target in package.targets { target.dependencies = [] }",
            "let package = Package(name: \"P\")\nfor target in package.targets { f(target) }",
            "let package = Package(name: \"P\")\nlet x: () = package.targets.removeAll()",
            "let package = Package(name: \"P\")\npackage.targets.append(contentsOf: [.target(name: \"A\")])",
            "let package = Package(name: \"P\")\npackage.targets.append(.target(name: name))",
            "let package = Package(name: \"P\")\npackage.targets[0].dependencies.append(\"A\")",
            "let package = Package(name: \"P\")\npackage.traits.insert(\"T\")",
            "let package = Package(name: \"P\")\nother.targets.append(.target(name: \"A\"))",
            "#if os(Linux)\nlet package = Package(name: \"P\")\n#endif",
            "let package = Package(name: name())\nfunc name() -> String { print(1); return \"A\" }",
            "var name = \"A\"\nlet package = Package(name: name)",
            "let a = b\nlet b = a\nlet package = Package(name: a)",
            "let a = a + a\nlet package = Package(name: \"P\", targets: a)",
            "let package = Package(name: \"P\", targets: [tools.target(name: \"A\")])",
            "let package = Package(name: \"P\", dependencies: [.package(path: \"~/A\")])",
            "let package = Package(name: Context.environment[\"NAME\"] ?? \"P\")",
            "let package = Package(name: \"P\") { 1 }", "let packages = Package(name: \"P\")",
            "let package = Package(name: \"P\", dependencies: [.package(url: \"a/b\", \"1.0.0\"..<\"2.0.0\")])",
        ])
    func computedOnes(_ text: String) throws {
        #expect(try ManifestSource(text, in: "/tree").literal == nil)
    }
}

extension Manifest {
    /// The parts of a manifest that both readers produce: all but the positions and the spelling of local
    /// paths.
    fileprivate func withoutPlaces(_ folder: String) -> [String] {
        let dependencies = dependencies.map { dependency in
            let path = dependency.path.map { PathText.join(folder, $0) }
            return "\(dependency.name) \(dependency.alias ?? "-") \(path ?? "-") "
                + "\(dependency.pin ?? "-")"
        }
        let targets = targets.map { target in
            let uses = target.dependencies.map {
                "\($0.name) \($0.package ?? "-") \($0.traits.sorted()) \($0.platforms.sorted())"
            }
            return "\(target.name) \(target.kind) \(target.path ?? "-") \(target.exclude) "
                + "\(String(describing: target.sources)) \(uses)"
        }
        return [name] + dependencies + products.map { "\($0.name) \($0.targets)" } + targets
            + traits.sorted() + defaultTraits.sorted()
    }
}
