import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The folder of one exported package: a repository, or without `--git` a folder that says what it is.
struct ExportPlace {
    let folder: URL
    let usesGit: Bool
    /// Called before each thing that is written.
    let step: (String) -> Void

    /// In a folder without a repository: the package and version that it was made for.
    static let marker = ".exported"

    private var repository: ExportRepository { ExportRepository(folder: folder, step: step) }

    /// Whether anything is there.
    var isThere: Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.map { !$0.isEmpty } ?? FileManager.default.fileExists(atPath: folder.path)
    }

    /// The files that stand there for this version of the package; nil when there are none.
    ///
    /// - Throws: ``ModuleEdits/EditError`` when what is there must not be replaced.
    func standing(_ package: ExportedPackage) throws -> [String: Data]? {
        guard isThere else { return nil }
        guard repository.exists else { return try standingFolder(package) }
        guard usesGit else {
            throw EditError(
                .refused, at: folder.path, "it is a repository.",
                why: "Without --git a folder is replaced, and its history would be lost.", mend: "Add --git.")
        }
        try repository.refuseWork()
        let releases = try repository.releases()
        if let higher = releases.max(by: { $0.version < $1.version }), higher.version > package.version {
            throw lower(package, than: higher.version)
        }
        return try releases.first { $0.version == package.version }.map { try repository.files(of: $0) }
    }

    private func standingFolder(_ package: ExportedPackage) throws -> [String: Data]? {
        guard let data = FileManager.default.contents(atPath: folder.appending(path: Self.marker).path) else {
            throw EditError(
                .refused, at: folder.path, "it was not made by an export.",
                why: "An export replaces the folder, and would lose what is there.",
                mend: "Give another folder with --to, or move this one away.")
        }
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        if words.count > 1, let version = SemanticVersion(String(words[1])), version > package.version {
            throw lower(package, than: version)
        }
        // A folder becomes a repository as if it were not there.
        guard !usesGit else { return nil }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.reduce(into: [:]) { files, path in
            guard path != Self.marker, !Self.isBuilt(path) else { return }
            var isFolder: ObjCBool = false
            let file = folder.appending(path: path).path
            guard unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return }
            files[path] = FileManager.default.contents(atPath: file)
        }
    }

    /// Whether a file was made there by a build.
    private static func isBuilt(_ path: String) -> Bool {
        let first = path.prefix { $0 != "/" }
        return first.hasPrefix(".build") || first == ".swiftpm" || path == "Package.resolved"
    }

    private func lower(_ package: ExportedPackage, than version: SemanticVersion) -> EditError {
        EditError(
            .refused, at: folder.path,
            "\(package.name) \(version) was exported, and now it is \(package.version).",
            why: "Whoever has the higher version would never get this one.",
            mend: "Raise it above \(version) in VERSIONS.md.")
    }

    /// Refuses to go on where git does not know whose commits they are to be.
    ///
    /// - Parameter trial: Where an empty repository may be made, to ask git in the name of one that is new.
    func requireIdentity(trial: URL) throws {
        guard usesGit else { return }
        guard !repository.exists else { return try repository.requireIdentity() }
        let fresh = ExportRepository(folder: trial, step: step)
        if !fresh.exists {
            try FileManager.default.createDirectory(at: trial, withIntermediateDirectories: true)
            try fresh.create()
        }
        try fresh.requireIdentity(at: folder)
    }

    /// Makes what is to stand there.
    ///
    /// - Parameter staged: The package's files, in a folder on the same disk.
    /// - Returns: The step that puts it in place.
    func prepare(_ staged: URL, _ package: ExportedPackage, message: String, date: String) throws -> () throws
        -> Void
    {
        if usesGit, repository.exists {
            let prepared = try repository.prepare(
                staged, version: package.version, message: message, date: date)
            return { try repository.enter(prepared) }
        }
        if usesGit {
            let fresh = ExportRepository(folder: staged.appendingPathExtension("new"), step: step)
            try FileManager.default.createDirectory(at: fresh.folder, withIntermediateDirectories: true)
            try fresh.create()
            try fresh.enter(fresh.prepare(staged, version: package.version, message: message, date: date))
            return { try replace(with: fresh.folder) }
        }
        let text = """
            \(package.name) \(package.version)
            Made by Scripts/modules export, which replaces this folder the next time.

            """
        step("mark the folder")
        try Data(text.utf8).write(to: staged.appending(path: Self.marker))
        return { try replace(with: staged) }
    }

    /// The old folder goes where the staged ones are, and with them.
    private func replace(with staged: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) {
            step("move the old folder away")
            try FileManager.default.moveItem(at: folder, to: staged.appendingPathExtension("old"))
        }
        step("put the new folder there")
        try FileManager.default.moveItem(at: staged, to: folder)
    }
}
