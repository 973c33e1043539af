/// The manifests of a pair, in the house form.
struct ManifestTemplate {
    /// The package, its library and its target.
    let name: String
    /// The paths of the packages it depends on, relative to its folder.
    let dependencies: [String]
    /// Whether it has tests.
    let isTested: Bool

    var text: String {
        let names = dependencies.map { String($0.split(separator: "/").last ?? "") }.sorted()
        let target = entry("target", name, names)
        // Tests register by the module type and never name Lifecycle.
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

    /// A target; with the comma after it when there are two.
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

    /// What every manifest of the tree ends with.
    static let settings = """
        // The house settings, the same lines in every manifest.
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
