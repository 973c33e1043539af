import ModuleFixtures
import Testing

@testable import ModuleTree

@Suite("Package manifests")
struct ManifestTests {
    @Test("A manifest of literals and plain lists gives the same result from its source as from SwiftPM")
    func bothWaysAgree() throws {
        let text = """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "Mixed",
                products: [.library(name: "A", type: .static, targets: ["A", "B"])],
                traits: [.trait(name: "Z"), "Y", .default(enabledTraits: ["Z"])],
                dependencies: [
                    .package(url: "https://github.com/apple/swift-log", from: "1.2.3"),
                    .package(url: "https://github.com/apple/a.git", exact: "1.0.0"),
                    .package(url: "https://github.com/apple/b", branch: "main"),
                    .package(url: "https://github.com/apple/c", "1.0.0"..<"2.0.0"),
                    .package(url: "https://github.com/apple/d", .upToNextMinor(from: "1.2.0")),
                    .package(url: "https://github.com/apple/e", "1.0.0"..."2.0.0"),
                    .package(id: "x.y", .upToNextMajor(from: "1.2.3")),
                    .package(path: "../Other"),
                ],
                targets: [
                    .target(
                        name: "A",
                        dependencies: [
                            .target(name: "B"), "B", .byName(name: "C"),
                            .product(name: "L", package: "swift-log", condition: .when(traits: ["Z"])),
                        ],
                        exclude: ["q"], sources: ["a", "b.swift"]),
                    .target(name: "B", path: "Other/B"),
                    .executableTarget(name: "Run", dependencies: ["A"]),
                    .testTarget(name: "ATests", dependencies: ["A"], swiftSettings: [.define("X")]),
                ]
            )

            for target in package.targets {
                target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
            }
            """
        let tree = try TemporaryTree(["Package.swift": text])
        let bytes = Array(text.utf8)
        let fromSource = try #require(HouseManifest.read(bytes))
        let fromSwiftPM = try DumpedManifest.read(tree.root, source: bytes)
        #expect(fromSource.withoutPlaces == fromSwiftPM.withoutPlaces)
        #expect(
            fromSource.dependencies.compactMap(\.requirement?.pin) == [
                "exact: \"1.0.0\"", "branch: \"main\"", ".upToNextMinor(from: \"1.2.0\")",
                "\"1.0.0\"..<\"2.0.1\"",
            ])
    }

    @Test("This repository's root manifest gives the same result from its source as from SwiftPM")
    func ownRoot() throws {
        let text = try String(contentsOf: HouseFiles.root.appending(path: "Package.swift"), encoding: .utf8)
        // Tests the manifest as it is, and with another alternative IMP.
        let marker = "    Pair(\"Business/ModuleA\"),\n"
        #expect(text.contains(marker))
        let added = marker + "    Pair(\"Business/ModuleAOther\", alternativeTo: \"Business/ModuleA\"),\n"
        for text in [text, text.replacing(marker, with: added)] {
            let bytes = Array(text.utf8)
            let tree = try TemporaryTree(["Package.swift": text])
            let fromSource = try #require(
                HouseManifest.read(bytes),
                "The root manifest is not in the form that is read without SwiftPM.")
            let fromSwiftPM = try DumpedManifest.read(tree.root, source: bytes)
            #expect(fromSource.withoutPlaces == fromSwiftPM.withoutPlaces)
        }
    }

    @Test("Entries of a computed list have the positions of the literals that they come from")
    func places() throws {
        let text = """
            let package = Package(
                name: "P",
                dependencies: paths.map { .package(path: "../\\($0)") },
                targets: [
                    .target(name: "T", dependencies: ["A"].map { product($0) } + paths.map { product($0 + "Api") }),
                ])
            """
        let manifest = try #require(
            HouseManifest.read(
                Array(
                    ("let paths = [\n\"Q\",\n\"R\"]\nfunc product(_ name: String) -> Target.Dependency {\n"
                        + ".product(name: name, package: name) }\n" + text).utf8)))
        #expect(manifest.dependencies.map(\.path) == ["../Q", "../R"])
        #expect(manifest.dependencies.map(\.position.line) == [2, 3])
        #expect(manifest.targets.first?.dependencies.map(\.name) == ["A", "QApi", "RApi"])
        #expect(manifest.targets.first?.dependencies.map { $0.position?.line } == [10, nil, nil])
    }

    @Test(
        "A manifest with unsupported code is not read from its source",
        arguments: [
            "let names = [\"A\"]\nprint(names)\nlet package = Package(name: \"P\")",
            "let package = Package(name: \"P\", targets: names.map { .target(name: $0) })",
            "let package = Package(name: \"P\", targets: [.target(name: name)])",
            "let package = Package(name: \"P\")\npackage.targets = []",
            "let package = Package(name: \"P\", targets: [.target(name: \"A\") + other])",
            "let package = Package(name: \"\\(name)\")",
            "let package = Package(name: \"P\")\nfor target in package.targets { target.dependencies = [] }",
            "#if os(Linux)\nlet package = Package(name: \"P\")\n#endif",
            "let package = Package(name: name())\nfunc name() -> String { print(1); return \"A\" }",
            "func name() -> String { name() }\nlet package = Package(name: name())",
            "var name = \"A\"\nlet package = Package(name: name)",
            "extension Array { func map() {} }\nlet package = Package(name: \"P\")",
            "extension String { var last: String { \"A\" } }\nlet package = Package(name: \"P/Q\".last)",
            "func + (a: String, b: String) -> String { a }\nlet package = Package(name: \"A\" + \"B\")",
            "func Set(_ a: [String]) -> [String] { [] }\nlet package = Package(name: \"P\")",
            "let package = Package(name: Context.environment[\"NAME\"] ?? \"P\")",
            "let package = Package(name: \"P\", targets: [1, 2].map { .target(name: \"T\\($0)\") })",
        ])
    func computedOnes(_ text: String) {
        #expect(HouseManifest.read(Array(text.utf8)) == nil)
    }

    @Test("A manifest that SwiftPM cannot read is an error that names the package's path")
    func broken() throws {
        let tree = try TemporaryTree(["Package.swift": "let package = Package(nam: 1)"])
        let error = #expect(throws: TreeError.self) { try TreeReader(root: tree.root).read() }
        #expect(error?.subject.contains(tree.root) == true)
    }
}

extension Manifest {
    /// The parts of a manifest that both readers produce: all but the positions and the spelling of local
    /// paths.
    fileprivate var withoutPlaces: [String] {
        let dependencies = dependencies.map {
            "\($0.identity) \($0.path != nil) \(String(describing: $0.requirement))"
        }
        let targets = targets.map { target in
            let uses = target.dependencies.map { "\($0.name) \($0.package ?? "-") \($0.traits.sorted())" }
            return "\(target.name) \(target.kind) \(target.path ?? "-") \(target.exclude) "
                + "\(String(describing: target.sources)) \(uses)"
        }
        return [name] + dependencies + products.map { "\($0.name) \($0.targets)" } + targets
            + traits.sorted() + defaultTraits.sorted()
    }
}
