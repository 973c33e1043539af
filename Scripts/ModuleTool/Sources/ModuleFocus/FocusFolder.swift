import Foundation
import ModuleEdits
import ModuleKit

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

    /// The manifest of a package, and when the manifest was written; nil without a package.
    struct State: Equatable {
        let manifest: Data?
        let written: Date?
    }

    var state: State {
        let path = file("Package.swift").path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return State(
            manifest: FileManager.default.contents(atPath: path),
            written: attributes?[.modificationDate] as? Date)
    }

    /// Deletes the package and what was built from it, but not the folders of the tree to which it has links.
    func delete() throws { try FileManager.default.removeItem(at: root.appending(path: Self.path)) }

    /// Makes the package. Unchanged files keep their modification times, so they are not compiled again.
    ///
    /// - Parameters:
    ///   - app: The folder of the app's package, relative to the root.
    ///   - sources: The files from which the package is made, as they were read; paths relative to the root.
    ///   - command: The command that makes the package again, for the message of its check.
    func make(
        _ package: MergedPackage, of app: String, from sources: [(path: String, contents: Data)],
        arguments: [String], command: String
    ) throws {
        try write("*\n", to: ".gitignore")
        for name in Set(package.targets.compactMap { $0.folder.split(separator: "/").first.map(String.init) })
        {
            try link(name, to: name)
        }
        let configuration = ".swiftpm/configuration"
        try link(configuration, to: PathText.join(app, configuration))
        let check = [
            "Files": sources.map { "#embed \"../../../\($0.path)\" suffix(,)\n" }.joined(),
            "Command": command,
        ]
        try write(
            ModuleTemplates.filled(PackageResources.Check_template, check),
            to: "\(MergedPackage.check)/check.cpp")
        try copyPins(package.dependencies.isEmpty ? nil : PathText.join(app, "Package.resolved"))
        try write(package.manifest(madeBy: arguments.joined(separator: " ")), to: "Package.swift")
        // Written last: the check fails while this file is missing or outdated.
        try write(sources.reduce(into: Data()) { $0 += $1.contents }, to: "made-from")
    }

    /// Links a path to a folder of the tree. A link to another place, such as one of a copied tree, is replaced. Without
    /// the folder, there is no link.
    private func link(_ path: String, to folder: String) throws {
        let (files, place) = (FileManager.default, file(path).path)
        let depth = "\(Self.path)/\(path)".split(separator: "/").count - 1
        let target = String(repeating: "../", count: depth) + folder
        let exists = files.fileExists(atPath: root.appending(path: folder).path)
        let found = try? files.destinationOfSymbolicLink(atPath: place)
        if exists, found == target { return }
        guard exists || found != nil else { return }
        guard found != nil || !files.fileExists(atPath: place) else {
            throw Diagnostic(
                .refused, at: "\(Self.path)/\(path)", "is not a link to the folder \(folder) of the tree",
                why: "The package would be built from these files, which edits of the tree do not reach.",
                fix: "Delete \(Self.path), and run Scripts/modules focus again.")
        }
        if found != nil { try files.removeItem(atPath: place) }
        guard exists else { return }
        try files.createDirectory(
            at: file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: place, withDestinationPath: target)
    }

    /// Copies the app's pins, which SwiftPM may remove from the copy. If the app has none any more, the copy is removed,
    /// but not a file that SwiftPM has written itself.
    private func copyPins(_ path: String?) throws {
        let (pins, isCopied) = ("Package.resolved", "has-pins-of-app")
        if let copied = path.flatMap({ FileManager.default.contents(atPath: root.appending(path: $0).path) })
        {
            try write("", to: isCopied)
            try write(copied, to: pins)
        } else if FileManager.default.fileExists(atPath: file(isCopied).path) {
            for name in [pins, isCopied] where FileManager.default.fileExists(atPath: file(name).path) {
                try FileManager.default.removeItem(at: file(name))
            }
        }
    }

    private func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }

    private func write(_ data: Data, to path: String) throws {
        guard FileManager.default.contents(atPath: file(path).path) != data else { return }
        try FileManager.default.createDirectory(
            at: file(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file(path), options: .atomic)
    }
}
