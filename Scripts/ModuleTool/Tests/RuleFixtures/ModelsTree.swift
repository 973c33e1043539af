import ModuleFixtures
import Testing

/// The small tree with a library Models, which Apis may import and whose types RideApi shows.
package enum ModelsTree {
    package static let file = "Packages/Base/Models/Sources/Models/Models.swift"

    package static func make() throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.write(File.configuration, "api-imports: [Models, SwiftUI]\n")
        try tree.addLibrary(
            "Models",
            """
            public struct Account: Codable, Sendable {
                public let name: String
            }

            public protocol Item: Sendable {}

            """)
        try tree.edit(
            File.rideApiManifest, "dependencies: [\n    ]",
            "dependencies: [\n        .package(path: \"../../Base/Models\")\n    ]")
        try tree.edit(File.rideApiManifest, "dependencies: []", "dependencies: [\"Models\"]")
        try tree.edit(
            File.rideApi, "/// What other modules may ask of Ride.",
            "import Models\nimport SwiftUI\n\n/// What other modules may ask of Ride.")
        try tree.addRequirement("func account() -> Account")
        try tree.edit(File.shell, "import ApiCenter\n", "import ApiCenter\nimport SwiftUI\n")
        return tree
    }
}

extension TemporaryTree {
    /// Adds a library with one file to Base.
    package func addLibrary(_ name: String, _ code: String) throws {
        let folder = "Packages/Base/\(name)"
        try write("\(folder)/Package.swift", SmallTree.manifest(name))
        try write("\(folder)/Sources/\(name)/\(name).swift", code)
        try write("\(folder)/CHANGELOG.md", "# Changelog\n\n## 1.0.0\n\n- First release.\n")
        let rows = try read(File.versions)
        let next = try #require(
            rows.split(separator: "\n").first { $0 > "| \(name)" && $0.hasSuffix(".0 |") && $0.count < 26 })
        try edit(File.versions, String(next), "| \(name) | 1.0.0 |\n\(next)")
    }

    /// Adds a requirement to RideApiProtocol.
    package func addRequirement(_ code: String) throws {
        try insert("    \(code)\n", before: "    func rides(", in: File.rideApi)
    }
}
