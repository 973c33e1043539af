import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The folder of one exported package: a git repository, or without `--git` a folder with a marker file.
struct ExportPlace {
    let folder: URL
    let usesGit: Bool
    /// Called before each write, with a description of the write.
    let step: (String) -> Void

    /// The marker file of a folder without a repository. It contains the package's name and version.
    static let marker = ".exported"

    private var repository: ExportRepository { ExportRepository(folder: folder, step: step) }

    /// Whether the path is a non-empty folder, or a file.
    var isOccupied: Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.map { !$0.isEmpty } ?? FileManager.default.fileExists(atPath: folder.path)
    }

    /// The previously exported files; in a repository, the files of the package's current version. Nil if the
    /// package, or this version of a package in a repository, has not been exported.
    ///
    /// - Throws: ``ModuleEdits/EditError`` when the contents of the folder must not be replaced.
    func releasedFiles(of package: ExportedPackage) throws -> [String: Data]? {
        guard isOccupied else { return nil }
        guard repository.exists else { return try folderFiles(of: package) }
        guard usesGit else {
            throw EditError(
                .refused, at: folder.path, "this folder is a git repository.",
                why: "Without --git an export replaces the folder, and the history would be lost.",
                fix: "Add --git.")
        }
        try repository.refuseWork()
        let releases = try repository.releases()
        if let higher = releases.max(by: { $0.version < $1.version }), higher.version > package.version {
            throw lower(package, than: higher.version)
        }
        return try releases.first { $0.version == package.version }.map { try repository.files(of: $0) }
    }

    private func folderFiles(of package: ExportedPackage) throws -> [String: Data]? {
        guard let data = FileManager.default.contents(atPath: folder.appending(path: Self.marker).path) else {
            throw EditError(
                .refused, at: folder.path, "this folder was not created by an export.",
                why: "An export replaces the folder, and its contents would be lost.",
                fix: "Choose another folder with --to, or move this folder away.")
        }
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        if words.count > 1, let version = SemanticVersion(String(words[1])), version > package.version {
            throw lower(package, than: version)
        }
        // With --git, a repository replaces the folder, whatever the folder contains.
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

    /// Whether a build created this file.
    private static func isBuilt(_ path: String) -> Bool {
        let first = path.prefix { $0 != "/" }
        return first.hasPrefix(".build") || first == ".swiftpm" || path == "Package.resolved"
    }

    private func lower(_ package: ExportedPackage, than version: SemanticVersion) -> EditError {
        EditError(
            .refused, at: folder.path,
            "\(package.name) was exported as \(version), but is now \(package.version).",
            why: "Users of the higher version would never get the lower one.",
            fix: "Raise the version above \(version) in VERSIONS.md.")
    }

    /// Checks that git has a name and an email address for the commits.
    ///
    /// - Parameter trial: A folder for an empty repository, which stands in for a repository that does not
    ///   exist yet.
    /// - Throws: ``ModuleEdits/EditError`` when the name or the address is missing.
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

    /// Prepares the package.
    ///
    /// - Parameter staged: A folder with the package's files, on the same volume.
    /// - Returns: A function that puts the package in place.
    func prepare(_ staged: URL, _ package: ExportedPackage, message: String, date: String) throws -> () throws
        -> Void
    {
        if usesGit, repository.exists {
            let prepared = try repository.prepare(
                staged, version: package.version, message: message, date: date)
            return { try repository.release(prepared) }
        }
        if usesGit {
            let fresh = ExportRepository(folder: staged.appendingPathExtension("new"), step: step)
            try FileManager.default.createDirectory(at: fresh.folder, withIntermediateDirectories: true)
            try fresh.create()
            try fresh.release(fresh.prepare(staged, version: package.version, message: message, date: date))
            return { try replace(with: fresh.folder) }
        }
        let text = """
            \(package.name) \(package.version)
            Generated by Scripts/modules export, which replaces this folder in the next run.

            """
        step("write the marker file")
        try Data(text.utf8).write(to: staged.appending(path: Self.marker))
        return { try replace(with: staged) }
    }

    /// Replaces the folder. The old folder moves into the staging folder, which is deleted later.
    private func replace(with staged: URL) throws {
        if FileManager.default.fileExists(atPath: folder.path) {
            step("move the old folder away")
            try FileManager.default.moveItem(at: folder, to: staged.appendingPathExtension("old"))
        }
        step("put the new folder in place")
        try FileManager.default.moveItem(at: staged, to: folder)
    }
}
