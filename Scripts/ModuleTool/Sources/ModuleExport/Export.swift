import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// Writes packages of the tree as packages of their own, which stand alone: `modules export`.
///
/// All that can be refused is refused before anything is written; what is written is made whole in a folder
/// beside, and then put in place package by package. A run that is interrupted in between leaves each package
/// as it was or as it is to be, and the next run does the rest.
///
/// Source: seeds/1-ApiCenter.md, "说明" 3: outside, the Api requires its IMP with `>=`.
package struct Export {
    /// What became of a package.
    package enum Outcome: String, Sendable {
        /// It was not there.
        case new
        /// It was there in another version, or without `git` with other files.
        case changed
        /// It was there already.
        case same
    }

    let set: ExportSet
    let root: String
    let folder: URL
    let addresses: AddressTemplate
    let usesGit: Bool
    let podspecs: Podspecs?
    /// Called before each thing that it writes, with the name of the thing.
    let step: (String) -> Void

    /// - Parameters:
    ///   - root: The root of the tree that the packages are from.
    ///   - folder: Where each package gets a folder of its name.
    ///   - usesGit: Whether each is a repository, with its version as the tag.
    ///   - podspecs: Writes podspecs too; nil for none.
    ///   - step: Called before each thing that it writes, with the name of the thing; tests kill the process there.
    package init(
        _ set: ExportSet, root: String, to folder: URL, addresses: AddressTemplate = .siblings,
        usesGit: Bool, podspecs: Podspecs? = nil, step: @escaping (String) -> Void = { _ in }
    ) {
        (self.set, self.root, self.folder, self.addresses) = (set, root, folder, addresses)
        (self.usesGit, self.podspecs, self.step) = (usesGit, podspecs, step)
    }

    /// Exports the packages.
    ///
    /// - Parameter isDryRun: Whether to only say what would become of each.
    /// - Returns: What became of each, by name.
    /// - Throws: ``ExportRefused`` with everything that is in the way; nothing was exported then.
    package func run(isDryRun: Bool = false) throws -> [(package: ExportedPackage, outcome: Outcome)] {
        if usesGit { try refuseUncommitted() }
        let wasThere = FileManager.default.fileExists(atPath: folder.path)
        if !isDryRun { try makeFolder() }
        // A folder that was made for nothing is empty, and goes.
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
        step("make the folder")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw EditError(
                .environment, at: folder.path, "it cannot be made: \(error.localizedDescription)",
                mend: "Give another folder with --to.")
        }
    }

    private func place(of package: ExportedPackage) -> ExportPlace {
        ExportPlace(folder: folder.appending(path: package.name), usesGit: usesGit, step: step)
    }

    /// Where everything is made before it is put in place.
    private var staging: URL { folder.appending(path: ".export-staging") }

    /// Puts back what an interrupted run had moved away and not replaced, and clears what it had begun to make.
    private func undoInterrupted() throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: staging.path)) ?? [] {
            guard name.hasSuffix(".old") else { continue }
            let package = name.dropLast(".old".count)
            let place = folder.appending(
                path: String(package.hasSuffix(".new") ? package.dropLast(".new".count) : package))
            guard !FileManager.default.fileExists(atPath: place.path) else { continue }
            step("put back \(place.lastPathComponent)")
            try FileManager.default.moveItem(at: staging.appending(path: name), to: place)
        }
        step("clear what was begun")
        try? FileManager.default.removeItem(at: staging)
    }

    /// Completes the releases that an interrupted run was entering, of whichever packages.
    private func completeInterrupted() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let repository = ExportRepository(folder: folder.appending(path: name), step: step)
            if repository.isBeingEntered { try repository.complete() }
        }
    }

    /// What is to be done about one package.
    private struct Item {
        let package: ExportedPackage
        let content: ExportedContent
        let outcome: Outcome
    }

    /// Looks at what is there, and changes nothing.
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
                let standing = try place.standing(package)
                let kept = standing.map { manifest.floorsKept(from: $0) } ?? [:]
                let whole = try content(kept)
                let differences = standing.map { whole.differences(from: $0) }
                if let standing, usesGit ? differences == [] : standing == whole.files {
                    items.append(Item(package: package, content: whole, outcome: .same))
                    continue
                }
                if usesGit, let differences {
                    refusals.append(Self.differs(package, differences, at: place.folder))
                    continue
                }
                let outcome: Outcome = place.isThere ? .changed : .new
                items.append(Item(package: package, content: try content([:]), outcome: outcome))
            } catch let error as EditError {
                // What is wrong with all of them is said once.
                if !refusals.contains(error) { refusals.append(error) }
            }
        }
        guard refusals.isEmpty else { throw ExportRefused(errors: refusals) }
        return items
    }

    /// Makes everything in a folder beside, and then puts it in place.
    private func write(_ items: [Item]) throws {
        // A folder that could not be replaced has its only copy there: what cannot be put back stays for the next run.
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
                .refused, at: first, "it has changes that are in no commit.",
                why: "A release is made from a commit, so that it can be found again.",
                mend: "Commit it, or export without --git.")
        }
    }

    private static func differs(_ package: ExportedPackage, _ files: [String], at folder: URL) -> EditError {
        let named = files.prefix(5).joined(separator: ", ") + (files.count > 5 ? ", ..." : "")
        return EditError(
            .refused, at: folder.path,
            "\(package.name) \(package.version) was released with other files: \(named).",
            why: "A tag is never moved: whoever has the version would not get what changed.",
            mend: package.bump)
    }
}

/// Everything that is in the way of an export.
package struct ExportRefused: Error, CustomStringConvertible {
    /// Never empty.
    package let errors: [EditError]

    package var description: String { errors.map(\.description).joined(separator: "\n") }
}

extension ExportedManifest {
    /// The floors that a release which stands may keep: those that the current versions still meet. An Api's
    /// floor for its own IMP is not among them: it is the table's.
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
    /// The message of the commit that releases it.
    fileprivate func message(from commit: String) -> String {
        let note = notes.first { $0.version == version }?.text ?? ""
        return "\(name) \(version)\n" + (note.isEmpty ? "" : "\n\(note)\n") + "\nSource-commit: \(commit)\n"
    }
}
