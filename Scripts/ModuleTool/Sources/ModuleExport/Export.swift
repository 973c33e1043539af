import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

/// Writes packages of the tree to separate git repositories: `modules export`.
///
/// Each package is exported in one atomic push: a commit on top of the branch, and a tag. If an export is
/// refused, nothing has been pushed. If a run is interrupted, the next run exports the rest.
///
/// Source: seed 1, "说明" 3: outside the tree, an Api package depends on its IMP with a minimum
/// version (`>=`).
package struct Export {
    package enum Outcome: String, Sendable {
        /// The package's repository was created.
        case new
        /// The package's repository got a new version.
        case changed
        /// The repository already contains this version.
        case same
    }

    let set: ExportSet
    let root: String
    /// The commit that was checked.
    let head: String
    let folder: URL
    let addresses: AddressTemplate
    let isRelease: (String, SemanticVersion) -> Bool
    /// Called before each write, with a description of the write.
    let step: (String) -> Void

    /// - Parameters:
    ///   - root: The root of the tree that contains the packages.
    ///   - head: The commit that was checked. The export is refused if the tree is at another one.
    ///   - folder: The folder that contains the repositories, each named after its package.
    ///   - isRelease: Whether the rules about versions compare a package with one of its versions. An export compares
    ///     it with all others that are exported.
    ///   - step: Called before each write, with a description of the write. A test may kill the process here.
    package init(
        _ set: ExportSet, root: String, at head: String, to folder: URL,
        addresses: AddressTemplate = .siblings,
        isRelease: @escaping (String, SemanticVersion) -> Bool = { _, _ in false },
        step: @escaping (String) -> Void = { _ in }
    ) {
        (self.set, self.root, self.head) = (set, root, head)
        (self.folder, self.addresses) = (folder, addresses)
        (self.isRelease, self.step) = (isRelease, step)
    }

    /// Exports the packages.
    ///
    /// - Parameter isDryRun: Whether to compute the results without writing anything.
    /// - Returns: The packages with their results, sorted by name.
    package func run(isDryRun: Bool = false) throws -> [(package: ExportedPackage, outcome: Outcome)] {
        if !isDryRun { try refuseUncommitted() }
        var (items, refusals) = ([Item](), [Diagnostic]())
        for package in set.packages {
            do {
                items.append(try item(package))
            } catch let error as Diagnostic {
                // One cause may affect several packages.
                if !refusals.contains(error) { refusals.append(error) }
            }
        }
        guard refusals.isEmpty else { throw ExportRefused(errors: refusals) }
        let new = items.filter { $0.outcome != .same }
        if !isDryRun, !new.isEmpty {
            // The files were read from the folder, so it must still be what was checked.
            try refuseUncommitted()
            try push(new)
        }
        return items.map { ($0.package, $0.outcome) }
    }

    private struct Item {
        let package: ExportedPackage
        let repository: ExportRepository
        let content: ExportedContent
        let outcome: Outcome
    }

    private func item(_ package: ExportedPackage) throws -> Item {
        guard package.changelog.unreleased.isEmpty else {
            throw Diagnostic(
                .refused, at: "\(package.source.path)/\(Changelog.name)",
                "\(package.name) has unreleased changes.",
                why: "An exported version contains only what its note describes.",
                fix: "Run: Scripts/modules release")
        }
        let repository = ExportRepository(folder: folder.appending(path: package.name))
        var manifest = ExportedManifest(package: package, set: set, addresses: addresses)
        let last = try repository.lastRelease(of: package)
        let released = try last.flatMap { $0.version == package.version ? try repository.files(of: $0) : nil }
        if let released { manifest.floors = try manifest.floorsKept(from: released) }
        let content = try ExportedContent(manifest, root: root)
        if released == nil { try repository.refuseWork() }
        if let last, released == nil, !isRelease(package.name, last.version) {
            try package.refuseStep(
                from: last.version, try repository.files(of: last), to: content.files, at: root)
        }
        let files = released.map(content.differences) ?? []
        guard files.isEmpty else {
            let changes = try package.changes(from: released ?? [:], to: content.files, at: root)
            let named = files.prefix(5).joined(separator: ", ") + (files.count > 5 ? ", ..." : "")
            throw Diagnostic(
                .refused, at: repository.folder.path,
                "\(package.name) \(package.version) was released with different files: \(named).",
                why: "A tag must not move, because users who have this version would not get the changes.",
                fix: "Run: " + package.bump(package.version.step(for: changes)))
        }
        return Item(
            package: package, repository: repository, content: content,
            outcome: released != nil ? .same : repository.exists ? .changed : .new)
    }

    /// Creates the commits of all packages in a temporary repository, then pushes each to its package's repository.
    private func push(_ items: [Item]) throws {
        let date = try GitRepository(root: root).date(of: head)
        let workshop = URL.temporaryDirectory.appending(path: "modules-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: workshop) }
        try FileManager.default.createDirectory(at: workshop, withIntermediateDirectories: true)
        let commits = try ExportCommits(folder: workshop, date: date)
        var releases: [(item: Item, commit: String, branch: String)] = []
        for item in items {
            let branch = try item.repository.branch()
            let commit = try commits.add(
                item.content.files, on: item.repository, message: item.package.message(from: head))
            releases.append((item, commit, branch))
        }
        for (item, commit, branch) in releases {
            if !item.repository.exists {
                step("create \(item.package.name)")
                try item.repository.create()
            }
            step("push \(item.package.name)")
            try commits.push(commit, to: item.repository, branch: branch, tag: "\(item.package.version)")
        }
    }

    private func refuseUncommitted() throws {
        let git = try GitRepository(root: root)
        guard try git.commit("HEAD") == head else {
            throw Diagnostic(
                .refused, at: root, "the tree is at another commit than the one that was checked.",
                why: "A release contains only what was checked.", fix: "Run the command again.")
        }
        let folders = set.packages.map { $0.source.path + "/" }
        let files = ["VERSIONS.md", Configuration.path, "modules-baseline.json"] + ExportedContent.licenses
        let ours = try git.changes(since: head).filter { path in
            files.contains(path) || folders.contains { path.hasPrefix($0) }
        }
        if let first = ours.sorted().first {
            throw Diagnostic(
                .refused, at: first, "this file has uncommitted changes.",
                why: "A release is made from a commit, so that its sources can be found later.",
                fix: "Commit the changes.")
        }
    }
}

/// All reasons for refusing an export.
package struct ExportRefused: Error, CustomStringConvertible {
    package let errors: [Diagnostic]

    package var description: String { errors.map(\.description).joined(separator: "\n") }
}

extension ExportedManifest {
    /// The minimum versions in a released manifest that the current versions still satisfy. The new manifest keeps
    /// them. The minimum version of an Api's own IMP always comes from VERSIONS.md.
    func floorsKept(from files: [String: Data]) throws(Diagnostic) -> [String: SemanticVersion] {
        let old = try Self.floors(in: String(decoding: files["Package.swift"] ?? Data(), as: UTF8.self))
        return set.packages.reduce(into: [:]) { kept, other in
            guard other.name != package.imp?.name, let floor = old[other.name.lowercased()],
                Requirement(of: other, floor: floor).accepts(other.version)
            else { return }
            kept[other.name] = floor
        }
    }
}

extension ExportedPackage {
    fileprivate func message(from commit: String) -> String {
        let note = changelog.notes.first { $0.version == version }?.text ?? ""
        return "\(name) \(version)\n" + (note.isEmpty ? "" : "\n\(note)\n") + "\nSource-commit: \(commit)\n"
    }
}
