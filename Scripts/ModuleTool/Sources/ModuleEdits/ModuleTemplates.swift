import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

/// What the templates of a new module are filled in with.
package struct ModuleTemplates {
    package let name: String
    /// The IMP's folder, relative to the root: `Packages/Business/Wallet`.
    package let folder: String
    package let configuration: Configuration
    /// The settings at the end of every manifest; may be empty.
    package let settings: String

    /// The version of a new module. Before 1.0.0, a minor step may change the Api in any way.
    package static let version = SemanticVersion(0, 1, 0)
    /// The first version of this module, which is higher if the tree had a module of this name.
    package let first: SemanticVersion

    package init(
        name: String, folder: String, configuration: Configuration, settings: String,
        first: SemanticVersion = version
    ) {
        (self.name, self.folder, self.configuration) = (name, folder, configuration)
        (self.settings, self.first) = (settings, first)
    }

    /// The values of the placeholders that the manifests and module types of all new packages have.
    ///
    /// - Parameters:
    ///   - packages: The packages to depend on, beside ApiCenter and Lifecycle.
    ///   - products: The products to depend on, likewise.
    package func values(packages: [Configuration.Source], products: [String]) -> [String: String] {
        let sources = configuration.uses.values + packages
        return [
            "Name": name, "Api": configuration.api(name), "Module": configuration.moduleType(name),
            "Version": "\(first)",
            "Spelling": configuration.moduleSuffix == "Module" ? "" : "public let name = \"\(name)\"\n    ",
            "Tools": configuration.newPackages.toolsVersion,
            "Platforms": configuration.newPackages.platformList, "Settings": settings,
            "Packages": sources.map { "\($0.declaration(from: folder))," }.sorted()
                .joined(separator: "\n        "),
            "Products": Self.quoted(["ApiCenter", "Lifecycle"] + products),
        ]
    }

    package static func quoted(_ names: [String]) -> String {
        names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// Replaces each `{{Key}}` in a template with its value.
    package static func filled(_ template: [UInt8], _ values: [String: String]) -> String {
        filled(String(decoding: template, as: UTF8.self), values)
    }

    package static func filled(_ template: String, _ values: [String: String]) -> String {
        values.reduce(template) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }

    /// Formats Swift files with the tree's settings. Without settings, the files stay unchanged.
    package static func formatted(_ files: [String: String], like root: TreeRoot) throws -> [String: String] {
        guard root.exists(".swift-format") else { return files }
        let folder = URL.temporaryDirectory.appending(path: "modules-new-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let settings = root.url.appending(path: ".swift-format").path
        let output = try Command.run(
            ["swift", "format", "--in-place", "--recursive", "--configuration", settings, "."],
            in: folder.path)
        guard output.status == 0 else {
            throw Diagnostic(
                .environment, at: ".swift-format",
                "swift format fails with these settings: "
                    + (output.standardError.split(separator: "\n").first ?? "it does not say why"),
                fix:
                    "Correct the file, and run: swift format lint --configuration .swift-format Package.swift"
            )
        }
        return try files.reduce(into: [:]) { files, file in
            files[file.key] = try String(contentsOf: folder.appending(path: file.key), encoding: .utf8)
        }
    }
}
