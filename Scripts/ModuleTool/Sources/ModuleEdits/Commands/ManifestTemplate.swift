/// Generates a package's manifest in the form that all manifests of the tree share.
struct ManifestTemplate {
    /// The name of the package, its library and its target.
    let name: String
    /// The paths of the package's dependencies, relative to the package's folder.
    let dependencies: [String]
    /// Whether the package has a test target.
    let isTested: Bool

    var text: String {
        let names = dependencies.map { String($0.split(separator: "/").last ?? "") }.sorted()
        let target = entry("target", name, names)
        // The tests do not import Lifecycle: they register the module through its module type.
        let test = entry("testTarget", name + "Tests", (names.filter { $0 != "Lifecycle" } + [name]).sorted())
        return """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
            \(products)\(packages)\(isTested ? "    targets: [\n\(target)\n\(test)\n    ]" : "    targets: [\(target)]")
            )

            \(Self.settings)
            """
    }

    private var products: String {
        let library = ".library(name: \"\(name)\", targets: [\"\(name)\"])"
        return Layout.fitting(
            "    products: [\(library)],\n", "    products: [\n        \(library)\n    ],\n")
    }

    private var packages: String {
        guard !dependencies.isEmpty else { return "" }
        let list = dependencies.sorted().map { ".package(path: \"\($0)\")" }
        return "    dependencies: \(Layout.array(list, indentation: 4)),\n"
    }

    /// A target, with a trailing comma when a test target follows.
    private func entry(_ kind: String, _ name: String, _ dependencies: [String]) -> String {
        guard isTested else { return ".\(kind)(name: \"\(name)\")" }
        let list = dependencies.map { "\"\($0)\"" }
        let line = "[\(list.joined(separator: ", "))]"
        return Layout.fitting(
            "        .\(kind)(name: \"\(name)\", dependencies: \(line)),",
            "        .\(kind)(\n            name: \"\(name)\", dependencies: \(line)),",
            "        .\(kind)(\n            name: \"\(name)\",\n            dependencies: \(line)),",
            """
                    .\(kind)(
                        name: "\(name)",
                        dependencies: \(Layout.array(list, indentation: 12))),
            """)
    }

    /// The last lines of every manifest in the tree.
    static let settings = """
        // The shared settings, identical in every manifest.
        for target in package.targets {
            target.swiftSettings =
                (target.swiftSettings ?? []) + [
                    .strictMemorySafety(),
                    .treatAllWarnings(as: .error),
                    .treatWarning("DeprecatedDeclaration", as: .warning),
                ]
        }

        """
}
