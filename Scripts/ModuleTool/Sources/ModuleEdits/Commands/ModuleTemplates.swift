import Foundation
import ModuleTree
import ModuleVersions

/// The files of a new module: filled-in templates, or a copy of the IMP to which it is an alternative.
package struct ModuleTemplates {
    let name: String
    /// The IMP's folder, relative to the root: `Packages/Business/Wallet`.
    let folder: String
    let configuration: Configuration
    /// The settings at the end of every manifest; may be empty.
    let settings: String

    /// The version of a new module. Before 1.0.0, a minor step may change the Api in any way.
    static let version = SemanticVersion(0, 1, 0)
    /// The first version of this module, which is higher if the tree had a module of this name.
    var first = version

    /// The values of the placeholders that the manifests and module types of all new packages have.
    ///
    /// - Parameters:
    ///   - packages: The packages to depend on, beside ApiCenter and Lifecycle.
    ///   - products: The products to depend on, likewise.
    func values(packages: [Configuration.Source], products: [String]) -> [String: String] {
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

    static func quoted(_ names: [String]) -> String {
        names.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// The files of a pair.
    ///
    /// - Parameter calls: The folders of the IMPs whose Apis the pair calls.
    func pair(calling calls: [String]) -> [String: String] {
        let callees = calls.map { configuration.api(PathText.split($0).name) }
        let values = values(
            packages: ([folder] + calls).map { .path(configuration.api($0)) },
            products: [configuration.api(name)] + callees
        ).merging([
            "Service": calls.isEmpty ? "\(name)Service()" : "try \(name)Service(center: $0)",
            "Imports": callees.map { "import \($0)" }.joined(separator: "\n"),
            "Calls": callees.map { api in
                let property = "private var \(Self.property(api)): (any \(api)Protocol)?"
                return "\(property) { center?.api(type: \(api)Protocol.self) }"
            }.joined(separator: "\n    "),
        ]) { $1 }
        let service =
            calls.isEmpty ? PackageResources.Service_template : PackageResources.CallingService_template
        let api = configuration.api(folder)
        let notes =
            configuration.versions == .table
            ? ["\(api)/\(Changelog.name)": Changelog.first(first, "First draft.")] : [:]
        return [
            "\(api)/Package.swift": PackageResources.ApiManifest_template,
            "\(api)/Sources/{{Api}}/{{Api}}Protocol.swift": PackageResources.Api_template,
            "\(api)/Sources/{{Api}}Fakes/{{Name}}Fake.swift": PackageResources.Fake_template,
            "\(folder)/Package.swift": PackageResources.Manifest_template,
            "\(folder)/Sources/{{Name}}/{{Module}}.swift": PackageResources.Module_template,
            "\(folder)/Sources/{{Name}}/{{Name}}Service.swift": service,
            "\(folder)/Tests/{{Name}}Tests/{{Name}}Tests.swift": PackageResources.Tests_template,
        ].reduce(into: notes) { files, file in
            files[Self.filled(file.key, values)] = Self.filled(file.value, values)
        }
    }

    /// Replaces each `{{Key}}` in a template with its value.
    package static func filled(_ template: [UInt8], _ values: [String: String]) -> String {
        filled(String(decoding: template, as: UTF8.self), values)
    }

    static func filled(_ template: String, _ values: [String: String]) -> String {
        values.reduce(template) { $0.replacing("{{\($1.key)}}", with: $1.value) }
    }

    /// The name of the property that returns an Api: `sdkManagerApi` for `SDKManagerApi`.
    static func property(_ api: String) -> String {
        let capitals = api.prefix(while: \.isUppercase)
        let head = capitals.count > 1 && capitals.count < api.count ? capitals.dropLast() : capitals
        return head.lowercased() + api.dropFirst(head.count)
    }

    /// A copy of an IMP's files, in which the package, its targets and the types `XxxModule`, `XxxService` and
    /// `XxxTests` have the new module's name. Files without these names keep their bytes, which need not be text.
    func alternative(
        to base: PairList.Pair, in root: HouseRoot, _ tree: Tree
    ) throws -> (files: [String: String], copies: [Change]) {
        let suffixes = "\(configuration.moduleSuffix)|Service|Tests"
        let types = try Regex("\\b\(base.name)(\(suffixes))\\b", as: (Substring, Substring).self)
            .wordBoundaryKind(.simple)
        let imports = try Regex("\\bimport \(base.name)\\b").wordBoundaryKind(.simple)
        func renamed(_ text: String) -> String { text.replacing(types) { name + $0.output.1 } }
        let versions = tree.package(base.name)?.versionLiterals ?? []
        var (files, copies): ([String: String], [Change]) = ([:], [])
        for path in root.files(in: base.folder) {
            let parts = path.dropFirst(base.folder.count).split(separator: "/").map {
                $0 == base.name ? name : renamed(String($0))
            }
            let target = ([folder] + parts).joined(separator: "/")
            let old = try? root.text(path)
            let version = versions.first { $0.file.path == path }
            let text = version.flatMap { old?.replacing($0, with: first) } ?? old ?? ""
            var new = renamed(text).replacing(imports, with: "import \(name)")
            if parts == ["Package.swift"] {
                new = new.replacing("\"\(base.name)\"", with: "\"\(name)\"")
            }
            if let old, old != new {
                files[target] = new
            } else {
                copies.append(.copy(path: target, from: path))
            }
        }
        return (files, copies)
    }

    /// Formats Swift files with the tree's settings. Without settings, the files stay unchanged.
    static func formatted(_ files: [String: String], like root: HouseRoot) throws -> [String: String] {
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

extension Changelog {
    /// The text of a new package's changelog.
    static func first(_ version: SemanticVersion, _ bullet: String) -> String {
        var changelog = Changelog()
        changelog.release(version, bullets: [bullet])
        return changelog.text
    }
}
