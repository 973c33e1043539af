import Foundation
import ModuleEdits
import ModuleTree

/// The package that `modules focus` makes, in a folder that git ignores.
///
/// SwiftPM requires a package's sources to be inside the package's folder, so this folder contains links to the folders
/// of the tree that contain them. SwiftPM caches a manifest by its contents alone, so a C++ file checks whether the
/// files from which the package was made have changed since.
package struct FocusFolder {
    package static let path = ".modules/in-focus"

    let root: URL

    package init(root: URL) { self.root = root }

    private func file(_ path: String) -> URL { root.appending(path: "\(Self.path)/\(path)") }

    /// The arguments of the command that made the package; empty if there is no package.
    package func arguments() throws -> [String] {
        guard FileManager.default.fileExists(atPath: file("Package.swift").path) else { return [] }
        let text = try String(contentsOf: file("Package.swift"), encoding: .utf8)
        let command = text.firstMatch(of: /\/\/ Made by: modules focus (.+)/)
        return command?.1.split(separator: " ").map(String.init) ?? []
    }

    /// Makes the package. Unchanged files keep their modification times, so they are not compiled again.
    ///
    /// - Parameters:
    ///   - sources: The files from which the package is made, relative to the root. Some may not exist.
    ///   - pins: The file with the versions of remote packages, if there are any.
    ///   - command: The command that makes the package again, for the message of its check.
    func make(
        _ package: MergedPackage, from sources: [String], pins: String?, arguments: [String], command: String
    ) throws {
        let files = FileManager.default
        let sources = sources.filter { files.fileExists(atPath: root.appending(path: $0).path) }
        let contents = try sources.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
        try write("*\n", to: ".gitignore")
        for name in Set(package.targets.compactMap { $0.folder.split(separator: "/").first.map(String.init) })
        {
            try link(name)
        }
        let check = [
            "Files": sources.map { "#embed \"../../../\($0)\" suffix(,)\n" }.joined(),
            "Command": command,
        ]
        try write(
            ModuleTemplates.filled(PackageResources.Check_template, check), to: "FocusIsCurrent/check.cpp")
        // SwiftPM may remove pins from this copy.
        let pinned = pins.flatMap { files.contents(atPath: root.appending(path: $0).path) }
        if let pinned { try write(String(decoding: pinned, as: UTF8.self), to: "Package.resolved") }
        try write(package.manifest(madeBy: arguments.joined(separator: " ")), to: "Package.swift")
        // Written last: the check fails while this file is missing or outdated.
        try write(contents.joined(), to: "made-from")
    }

    /// Links a folder of the tree. A link to another place, such as one of a copied tree, is replaced.
    private func link(_ name: String) throws {
        let (files, path, target) = (FileManager.default, file(name).path, "../../\(name)")
        let found = try? files.destinationOfSymbolicLink(atPath: path)
        if found == target { return }
        guard found != nil || !files.fileExists(atPath: path) else {
            throw Diagnostic(
                .refused, at: "\(Self.path)/\(name)", "is not a link to the folder \(name) of the tree",
                why: "the package would be built from these files, which edits of the tree do not reach",
                fix: "delete \(Self.path), and run Scripts/modules focus again")
        }
        if found != nil { try files.removeItem(atPath: path) }
        try files.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        guard FileManager.default.contents(atPath: file(path).path) != data else { return }
        try FileManager.default.createDirectory(
            at: file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file(path), options: .atomic)
    }
}
