import Foundation
import ModuleEdits
import ModuleTree

/// The package that `modules focus` makes, in a folder that git ignores.
///
/// SwiftPM requires a package's sources to be inside the package's folder, so this folder contains links to the folders
/// of the tree that contain them. SwiftPM caches a manifest by its contents alone, so a C++ file checks whether the
/// files from which the package was made have changed since.
struct FocusFolder {
    static let path = ".modules/in-focus"

    let root: URL

    private func file(_ path: String) -> URL { root.appending(path: "\(Self.path)/\(path)") }

    /// The arguments of the command that made the package; empty if there is no package.
    func arguments() throws -> [String] {
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
    func make(_ package: MergedPackage, from sources: [String], pins: String?, arguments: [String]) throws {
        let files = FileManager.default
        let sources = sources.filter { files.fileExists(atPath: root.appending(path: $0).path) }
        let contents = try sources.map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
        try write("*\n", to: ".gitignore")
        for name in Set(package.targets.compactMap { $0.folder.split(separator: "/").first })
        where !files.fileExists(atPath: file(String(name)).path) {
            try files.createSymbolicLink(
                atPath: file(String(name)).path, withDestinationPath: "../../\(name)")
        }
        let check = [
            "Files": sources.map { "#embed \"../../../\($0)\" suffix(,)\n" }.joined(),
            "Command": Main.named("Scripts/modules focus"),
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

    private func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        guard FileManager.default.contents(atPath: file(path).path) != data else { return }
        try FileManager.default.createDirectory(
            at: file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file(path), options: .atomic)
    }
}
