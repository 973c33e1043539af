import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

/// The small tree with more packages, on which the app depends, and the package that `modules focus --all` makes of it.
struct MergedTree {
    let tool: Tool
    var tree: TemporaryTree { tool.tree }

    /// - Parameter manifests: The manifests of the packages in Packages/Base, by name. Each target has a source file, except
    ///   those of C, such as CKit.
    init(_ manifests: [String: String]) throws {
        let tree = try SmallTree.make()
        for (name, manifest) in manifests {
            try tree.write("Packages/Base/\(name)/Package.swift", manifest)
            for target in manifest.matches(of: /(\.testT|T|t)arget\(\s*name: "((?!C[A-Z])\w+)"/) {
                let kind = target.1 == ".testT" ? "Tests" : "Sources"
                try tree.write("Packages/Base/\(name)/\(kind)/\(target.2)/File.swift", "")
            }
            let first = "        .package(path: \"Packages/Core/ApiCenter\"),\n"
            try tree.edit(
                "Package.swift", first, first + "        .package(path: \"Packages/Base/\(name)\"),\n")
        }
        tool = try Tool(in: tree)
    }

    /// The merged manifest.
    var text: String { get throws { try tree.read(".modules/in-focus/Package.swift") } }

    /// The element of the merged manifest that declares a target.
    func target(_ name: String) throws -> String {
        let text = try text
        let start = try #require(text.firstRange(of: "(\n        name: \"\(name)\"")).lowerBound
        let line = try #require(text[..<start].lastIndex(of: "\n"))
        let ends = ["),\n    .", "),\n]"].compactMap { text[start...].firstRange(of: $0)?.lowerBound }
        let end = try #require(ends.min())
        return text[text.index(after: line)..<end] + ")"
    }

    /// The manifest of a package with one library and its target.
    ///
    /// - Parameters:
    ///   - more: Arguments of the package after the targets.
    ///   - dependencies: The elements of the package's list of dependencies.
    ///   - target: Arguments of the target after its name.
    ///   - targets: Elements of the list of targets after the target.
    static func library(
        _ name: String, _ more: String = "", version: String = "6.3", products: String? = nil,
        traits: String = "", dependencies: String = "", target: String = "", targets: String = ""
    ) -> String {
        func list(_ label: String, _ elements: String) -> String {
            elements.isEmpty ? "" : "\n    \(label): [\(elements)],"
        }
        let product = ".library(name: \"\(name)\", targets: [\"\(name)\"])"
        return """
            // swift-tools-version: \(version)
            import PackageDescription

            let package = Package(
                name: "\(name)",
                products: [\(products ?? product)],\(list("traits", traits))\(list("dependencies", dependencies))
                targets: [.target(name: "\(name)"\(target.isEmpty ? "" : ", " + target))\(targets.isEmpty ? "" : ", " + targets)]\(more)
            )

            """
    }
}
