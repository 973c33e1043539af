import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// Writes packages of the tree as self-contained packages: `modules export`.
///
/// If an export is refused, no package has been written. The packages are first prepared in a staging folder
/// and then put in place one by one. If a run is interrupted, the next run restores or completes the packages
/// that the interrupted run left unfinished.
///
/// Source: seeds/1-ApiCenter.md, "说明" 3: outside the tree, the Api requires its IMP with `>=`.
package struct Export {
    /// The result of exporting a package.
    package enum Outcome: String, Sendable {
        /// The package was exported for the first time.
        case new
        /// The package was exported before, in another version or, without git, with different files.
        case changed
        /// The package was exported before and is unchanged.
        case same
    }

    let set: ExportSet
    let root: String
    let folder: URL
    let addresses: AddressTemplate
    let usesGit: Bool
    let podspecs: Podspecs?
    /// Called before each write, with a description of the write.
    let step: (String) -> Void

    /// - Parameters:
    ///   - root: The root of the tree that contains the packages.
    ///   - folder: The folder in which each package gets a subfolder with its name.
    ///   - usesGit: Whether each package becomes a git repository, with its version as the tag.
    ///   - podspecs: The writer of podspecs; nil to write none.
    ///   - step: Called before each write, with a description of the write. A test may kill the process here.
    package init(
        _ set: ExportSet, root: String, to folder: URL, addresses: AddressTemplate = .siblings,
        usesGit: Bool, podspecs: Podspecs? = nil, step: @escaping (String) -> Void = { _ in }
    ) {
        (self.set, self.root, self.folder, self.addresses) = (set, root, folder, addresses)
        (self.usesGit, self.podspecs, self.step) = (usesGit, podspecs, step)
    }

    /// Exports the packages.
    ///
    /// - Parameter isDryRun: Whether to compute the results without writing anything.
    /// - Returns: The packages with their results, sorted by name.
    /// - Throws: ``ExportRefused`` with all reasons for refusing; nothing is exported in this case.
    package func run(isDryRun: Bool = false) throws -> [(package: ExportedPackage, outcome: Outcome)] {
        if usesGit { try refuseUncommitted() }
        let wasThere = FileManager.default.fileExists(atPath: folder.path)
        if !isDryRun { try makeFolder() }
        // Remove the folder if this run created it and left it empty.
        defer { if !wasThere { unsafe rmdir(folder.path) } }
        let lock = try FolderLock(folder, isNeeded: !isDryRun)
        if !isDryRun {
            try undoInterrupted()
            try completeInterrupted()
        }
        let items = try plan()
        if !isDryRun, items.contains(where: { $0.outcome != .same }) { try write(items) }
        lock.release()
        return items.map { ($0.package, $0.outcome) }
    }

    private func makeFolder() throws {
        step("create the folder")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EditError(
                .environment, at: folder.path, "the folder cannot be created: \(error.localizedDescription)",
                fix: "Choose another folder with --to.")
        }
    }

    private func place(of package: ExportedPackage) -> ExportPlace {
        ExportPlace(folder: folder.appending(path: package.name), usesGit: usesGit, step: step)
    }

    /// The folder in which packages are prepared before they are put in place.
    private var staging: URL { folder.appending(path: ".export-staging") }

    /// Restores the folders that an interrupted run moved away but did not replace, and deletes the staging
    /// folder.
    private func undoInterrupted() throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: staging.path)) ?? [] {
            guard name.hasSuffix(".old") else { continue }
            let package = name.dropLast(".old".count)
            let place = folder.appending(
                path: String(package.hasSuffix(".new") ? package.dropLast(".new".count) : package))
            guard !FileManager.default.fileExists(atPath: place.path) else { continue }
            step("restore \(place.lastPathComponent)")
            try FileManager.default.moveItem(at: staging.appending(path: name), to: place)
        }
        step("delete the staging folder")
        try? FileManager.default.removeItem(at: staging)
    }

    /// Completes the interrupted releases in the folder, including releases of packages outside this export.
    private func completeInterrupted() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let repository = ExportRepository(folder: folder.appending(path: name), step: step)
            if repository.hasUnfinishedRelease { try repository.completeRelease() }
        }
    }

    /// The plan for one package.
    private struct Item {
        let package: ExportedPackage
        let content: ExportedContent
        let outcome: Outcome
    }

    /// Compares the packages with the packages already exported, without changing anything.
    ///
    /// - Throws: ``ExportRefused`` with all reasons for refusing.
    private func plan() throws -> [Item] {
        var refusals: [EditError] = []
        var items: [Item] = []
        for package in set.packages {
            do {
                let place = place(of: package)
                let manifest = ExportedManifest(package: package, set: set, addresses: addresses)
                func content(_ floors: [String: SemanticVersion]) throws -> ExportedContent {
                    var manifest = manifest
                    manifest.floors = floors
                    return try ExportedContent(manifest, podspecs: podspecs, root: root)
                }
                let released = try place.releasedFiles(of: package)
                let kept = released.map { manifest.floorsKept(from: $0) } ?? [:]
                let whole = try content(kept)
                let differences = released.map { whole.differences(from: $0) }
                if let released, usesGit ? differences == [] : released == whole.files {
                    items.append(Item(package: package, content: whole, outcome: .same))
                    continue
                }
                if usesGit, let differences {
                    refusals.append(Self.differs(package, differences, at: place.folder))
                    continue
                }
                let outcome: Outcome = place.isOccupied ? .changed : .new
                items.append(Item(package: package, content: try content([:]), outcome: outcome))
            } catch let error as EditError {
                // An error that all packages share is reported once.
                if !refusals.contains(error) { refusals.append(error) }
            }
        }
        guard refusals.isEmpty else { throw ExportRefused(errors: refusals) }
        return items
    }

    /// Prepares all packages in the staging folder, and then puts them in place.
    private func write(_ items: [Item]) throws {
        // The staging folder may contain the only copy of a replaced package. If restoring it fails, the next
        // run tries again.
        defer { try? undoInterrupted() }
        for item in items where item.outcome != .same {
            try place(of: item.package).requireIdentity(trial: staging.appending(path: ".git-trial"))
        }
        let git = usesGit ? try GitRepository(root: root) : nil
        let commit = try git?.commit("HEAD") ?? ""
        let date = try git?.date(of: commit) ?? ""
        var finish: [() throws -> Void] = []
        for item in items where item.outcome != .same {
            let staged = staging.appending(path: item.package.name)
            for (path, data) in item.content.files {
                step("write \(path)")
                let file = staged.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            finish.append(
                try place(of: item.package).prepare(
                    staged, item.package, message: item.package.message(from: commit), date: date))
        }
        for step in finish { try step() }
    }

    private func refuseUncommitted() throws {
        let changed = try GitRepository(root: root).changes(since: "HEAD")
        let folders = set.packages.map { $0.source.path + "/" }
        let ours = changed.filter { path in path == "VERSIONS.md" || folders.contains { path.hasPrefix($0) } }
        if let first = ours.sorted().first {
            throw EditError(
                .refused, at: first, "this file has uncommitted changes.",
                why: "A release is made from a commit, so that its sources can be found later.",
                fix: "Commit the changes, or export without --git.")
        }
    }

    private static func differs(_ package: ExportedPackage, _ files: [String], at folder: URL) -> EditError {
        let named = files.prefix(5).joined(separator: ", ") + (files.count > 5 ? ", ..." : "")
        return EditError(
            .refused, at: folder.path,
            "\(package.name) \(package.version) was released with different files: \(named).",
            why: "A tag never moves, because users of this version would not get the changes.",
            fix: package.bump)
    }
}

/// All reasons for refusing an export.
package struct ExportRefused: Error, CustomStringConvertible {
    /// At least one error.
    package let errors: [EditError]

    package var description: String { errors.map(\.description).joined(separator: "\n") }
}

extension ExportedManifest {
    /// The floors that an existing release may keep, because the current versions still satisfy them. An
    /// Api's floor for its own IMP always comes from VERSIONS.md.
    func floorsKept(from files: [String: Data]) -> [String: SemanticVersion] {
        let old = files["Package.swift"].map { Self.floors(in: String(decoding: $0, as: UTF8.self)) } ?? [:]
        return set.packages.reduce(into: [:]) { kept, other in
            guard other.name != package.imp?.name, let floor = old[other.name.lowercased()],
                Requirement(of: other, floor: floor).accepts(other.version)
            else { return }
            kept[other.name] = floor
        }
    }
}

extension ExportedPackage {
    /// The commit message of the release.
    fileprivate func message(from commit: String) -> String {
        let note = notes.first { $0.version == version }?.text ?? ""
        return "\(name) \(version)\n" + (note.isEmpty ? "" : "\n\(note)\n") + "\nSource-commit: \(commit)\n"
    }
}
