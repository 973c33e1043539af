import Foundation
import ModuleEdits
import ModuleTree

/// The package that `modules focus` makes, in a folder that git ignores.
///
/// SwiftPM requires a package's sources to be inside the package's folder, so this folder contains links to the real
/// ones. The manifest is the app's manifest, followed by statements that remove everything outside the focus. SwiftPM
/// caches a manifest by its contents alone, so a C++ file checks whether the files from which the package was made
/// have changed since.
struct FocusFolder {
    static let path = ".modules/in-focus"

    private static let mark = "// Made by: modules focus "
    private let root: URL

    init(root: URL) { self.root = root }

    private func file(_ path: String) -> URL { root.appending(path: "\(Self.path)/\(path)") }

    /// The arguments of the command that made the package; nil if there is no package.
    var arguments: [String]? {
        guard let text = try? String(contentsOf: file("Package.swift"), encoding: .utf8) else { return nil }
        return text.split(separator: "\n").last { $0.hasPrefix(Self.mark) }
            .map { $0.dropFirst(Self.mark.count).split(separator: " ").map(String.init) }
    }

    /// Makes the package. Unchanged files keep their modification times, so they are not compiled again.
    func make(_ focus: Focus, arguments: [String]) throws {
        let sources = focus.sources.filter {
            FileManager.default.fileExists(atPath: root.appending(path: $0).path)
        }
        let contents = try sources.map { try Data(contentsOf: root.appending(path: $0)) }
        let command = Self.mark + arguments.joined(separator: " ")
        let embeds = sources.map { "#embed \"../../../\($0)\" suffix(,)\n" }.joined()
        try link(Set(focus.targets.map(\.target.folder)), of: focus.package)
        try write(Data("*\n".utf8), to: ".gitignore")
        try write(filled(PackageResources.Check_template, ["Files": embeds]), to: "FocusIsCurrent/check.cpp")
        try write(
            contents[0] + Data("\n\(command)\n".utf8)
                + filled(PackageResources.Statements_template, values(focus)),
            to: "Package.swift")
        // Written last: the check fails while this file is missing or outdated.
        try write(Data(contents.joined()), to: "made-from")
    }

    private func write(_ data: Data, to path: String) throws {
        guard (try? Data(contentsOf: file(path))) != data else { return }
        try FileManager.default.createDirectory(
            at: file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file(path), options: .atomic)
    }

    /// Links the first components of the targets' folders, and removes other links.
    private func link(_ folders: Set<String>, of package: LocalPackage) throws {
        let files = FileManager.default
        try files.createDirectory(at: file(""), withIntermediateDirectories: true)
        let base = package.path.isEmpty ? "" : package.path + "/"
        let wanted = Set(
            folders.compactMap { $0.dropFirst(base.count).split(separator: "/").first.map(String.init) })
        for name in wanted.union(try files.contentsOfDirectory(atPath: file("").path)) {
            let old = try? files.destinationOfSymbolicLink(atPath: file(name).path)
            let new = wanted.contains(name) ? "../../\(base)\(name)" : nil
            if old == new { continue }
            if old != nil { try files.removeItem(at: file(name)) }
            if let new { try files.createSymbolicLink(atPath: file(name).path, withDestinationPath: new) }
        }
    }

    private func filled(_ template: [UInt8], _ values: [String: String]) -> Data {
        Data(Main.named(ModuleTemplates.filled(template, values)).utf8)
    }

    /// The values of the placeholders in the statements.
    private func values(_ focus: Focus) -> [String: String] {
        func list(_ names: [String]) -> String {
            "[\(names.map(\.debugDescription).joined(separator: ", "))]"
        }
        func table(_ rows: [(String, String)]) -> String {
            rows.isEmpty
                ? "[:]" : "[\n" + rows.map { "        \($0.debugDescription): \($1),\n" }.joined() + "    ]"
        }
        let base = "../../" + (focus.package.path.isEmpty ? "" : focus.package.path + "/")
        let packages = focus.dependencies.map { dependency in
            let path = dependency.path.map { $0.hasPrefix("/") ? $0 : base + $0 }
            return (dependency.identity, (path ?? "").debugDescription)
        }
        let traits = (focus.traits.map(\.trait) + focus.otherTraits.sorted()).map {
            ".trait(name: \($0.debugDescription))"
        }
        return [
            "Targets": table(focus.targets.map { ($0.target.name, list($0.dependencies.map(\.name))) }),
            "Products": list(focus.products), "Packages": table(packages),
            "Shared": table(focus.traits.filter(\.isShared).map { ($0.imp.name, $0.trait.debugDescription) }),
            "Traits":
                "[\((traits + [".default(enabledTraits: \(list(focus.defaultTraits.sorted())))"]).joined(separator: ", "))]",
        ]
    }
}
