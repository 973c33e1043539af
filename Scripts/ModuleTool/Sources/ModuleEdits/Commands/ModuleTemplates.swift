import Foundation
import ModuleTree
import ModuleVersions

/// The files of a new module: filled-in templates, or a copy of the IMP to which it is an alternative.
struct ModuleTemplates {
    let name: String
    /// The IMP's folder, relative to the root: `Packages/Business/Wallet`.
    let folder: String

    /// The version of a new module. Before 1.0.0, a minor step may change the Api in any way.
    static let version = SemanticVersion(0, 1, 0)

    func pair(calling calls: [PairList.Pair]) -> [String: String] {
        let layer = folder.split(separator: "/").dropLast().last ?? ""
        let packages =
            ["../../Base/Lifecycle", "../../Core/ApiCenter", "../\(name)Api"]
            + calls.map { $0.layer == layer ? "../\($0.name)Api" : "../../\($0.layer)/\($0.name)Api" }
        let products = packages.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.sorted()
        let values = [
            "Name": name, "Version": "\(Self.version)",
            "Packages": packages.sorted().map { ".package(path: \"\($0)\")," }.joined(separator: "\n"),
            "Products": products.map { "\"\($0)\"" }.joined(separator: ", "),
            "Center": calls.isEmpty ? "" : "center: $0",
            "Imports": calls.map { "import \($0.name)Api" }.joined(separator: "\n"),
            "Calls": calls.map { call in
                let property = "private var \(Self.property(call.name)): (any \(call.name)ApiProtocol)?"
                return "\(property) { center.api(type: \(call.name)ApiProtocol.self) }"
            }.joined(separator: "\n"),
        ]
        let service =
            calls.isEmpty ? PackageResources.Service_template : PackageResources.CallingService_template
        var changelog = Changelog()
        changelog.release(Self.version, bullets: ["First draft: `introduction()`."])
        return [
            "Api/Package.swift": PackageResources.ApiManifest_template,
            "Api/Sources/\(name)Api/\(name)ApiProtocol.swift": PackageResources.Api_template,
            "/Package.swift": PackageResources.Manifest_template,
            "/Sources/\(name)/\(name)Module.swift": PackageResources.Module_template,
            "/Sources/\(name)/\(name)Service.swift": service,
            "/Tests/\(name)Tests/\(name)Tests.swift": PackageResources.Tests_template,
        ].reduce(into: ["\(folder)Api/\(Changelog.name)": changelog.text]) { files, file in
            files[folder + file.key] = values.reduce(String(decoding: file.value, as: UTF8.self)) {
                $0.replacing("{{\($1.key)}}", with: $1.value)
            }
        }
    }

    /// The name of the property that returns a called Api: `sdkManagerApi` for `SDKManager`.
    private static func property(_ module: String) -> String {
        let capitals = module.prefix(while: \.isUppercase)
        let head = capitals.count > 1 && capitals.count < module.count ? capitals.dropLast() : capitals
        return head.lowercased() + module.dropFirst(head.count) + "Api"
    }

    /// A copy of an IMP's files with the new module's name: of the package, of its targets, and of the types
    /// `XxxModule`, `XxxService` and `XxxTests`.
    func alternative(to base: PairList.Pair, in root: HouseRoot) throws -> [String: String] {
        let types = try Regex("\\b\(base.name)(Module|Service|Tests)\\b", as: (Substring, Substring).self)
            .wordBoundaryKind(.simple)
        let imports = try Regex("\\bimport \(base.name)\\b").wordBoundaryKind(.simple)
        func renamed(_ text: String) -> String { text.replacing(types) { name + $0.output.1 } }
        var files: [String: String] = [:]
        for path in root.files(in: base.folder) {
            let parts = path.dropFirst(base.folder.count).split(separator: "/").map {
                $0 == base.name ? name : renamed(String($0))
            }
            var text = renamed(try root.text(path)).replacing(imports, with: "import \(name)")
            if parts == ["Package.swift"] {
                text = text.replacing("\"\(base.name)\"", with: "\"\(name)\"")
            }
            if let edit = ModuleVersionEdit(text, type: name + "Module") {
                text = edit.replaced(by: "\(Self.version)")
            }
            files[([folder] + parts).joined(separator: "/")] = text
        }
        return files
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
            throw ToolError(
                .environment, "swift format failed: \(output.standardError)",
                fix: "Run: swift format --version")
        }
        return try files.reduce(into: [:]) { files, file in
            files[file.key] = try String(contentsOf: folder.appending(path: file.key), encoding: .utf8)
        }
    }
}
