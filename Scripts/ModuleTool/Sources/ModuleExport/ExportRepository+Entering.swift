import Foundation
import ModuleEdits

/// Releasing a prepared commit: moving the branch, creating the tag and updating the working tree.
///
/// If a run is killed after it moved the branch or created the tag, the next run in the same folder completes
/// the release, whichever packages it exports. If a run is killed earlier, the next export prepares the
/// release again.
extension ExportRepository {
    /// The marker file of a release in progress, which contains ``Prepared`` as JSON. While the file exists,
    /// the branch, the tag and the working tree may each be in the old or the new state.
    private var marker: URL { folder.appending(path: ".git/modules-export") }

    /// Whether a release was interrupted.
    var hasUnfinishedRelease: Bool { FileManager.default.fileExists(atPath: marker.path) }

    /// A commit that is not reachable yet, with the branch and the tag that are to point to it.
    struct Prepared: Codable {
        let branch: String
        let parent: String?
        let commit: String
        let tag: String
    }

    /// Moves the branch, creates the tag, and then updates the working tree.
    func release(_ prepared: Prepared) throws {
        step("write the release marker")
        try JSONEncoder().encode(prepared).write(to: marker)
        try point(to: prepared, from: prepared.parent, isTagged: false)
        try finish()
    }

    /// Points the branch at the prepared commit, and creates the tag unless it exists. This is not atomic: if
    /// git is killed in between, only one of the two references may have changed.
    private func point(to prepared: Prepared, from old: String?, isTagged: Bool) throws {
        let none = String(repeating: "0", count: prepared.commit.count)
        let tag = isTagged ? "" : "create refs/tags/\(prepared.tag) \(prepared.commit)\n"
        _ = try run(
            ["git", "update-ref", "--stdin"], in: folder.path,
            input: """
                start
                update \(prepared.branch) \(prepared.commit) \(old ?? none)
                \(tag)prepare
                commit

                """)
    }

    /// Completes an interrupted release, unless somebody has committed to the branch since.
    ///
    /// - Throws: ``ModuleEdits/EditError`` when git is running in the repository, or uncommitted work would be
    ///   lost.
    func completeRelease() throws {
        // A truncated marker means that the run was killed before it changed anything.
        guard let prepared = try? JSONDecoder().decode(Prepared.self, from: Data(contentsOf: marker)) else {
            return try removeMarker()
        }
        let branch = try commit(at: prepared.branch)
        let tag = try commit(at: "refs/tags/\(prepared.tag)")
        // Continue only if the branch or the tag already points to the release. Otherwise the release is not
        // visible yet, and the export prepares it again from the current source.
        guard branch == prepared.commit || (branch == prepared.parent && tag != nil),
            tag == nil || tag == prepared.commit
        else { return try removeMarker() }
        try refuseLocked(for: prepared.branch, tag: prepared.tag)
        try refuseWork(besides: prepared)
        try point(to: prepared, from: branch, isTagged: tag != nil)
        try finish()
    }

    /// Refuses a repository with a lock file of git: only a person can tell whether git is still running.
    func refuseLocked(for branch: String, tag: String) throws(EditError) {
        let locks = ["index", "HEAD", branch, "refs/tags/\(tag)"].map {
            folder.appending(path: ".git/\($0).lock").path
        }
        guard let lock = locks.first(where: FileManager.default.fileExists) else { return }
        throw EditError(
            .refused, at: lock, "git is running in this repository, or was killed and left its lock file.",
            why: "Two git commands at the same time would mix up their changes.",
            fix:
                "Let the running command finish (its editor may be open). If no git command is running: "
                + "rm \"\(lock)\"")
    }

    /// Refuses to update the working tree when a file's contents match neither the release nor the commit
    /// before the release.
    private func refuseWork(besides prepared: Prepared) throws {
        var known: [String: Set<Substring>] = [:]
        for commit in [prepared.parent, prepared.commit].compactMap(\.self) {
            for entry in try git(["ls-tree", "-r", "-z", commit]).split(separator: "\0") {
                // The format is: mode, type, identifier, then a tab and the path.
                let parts = entry.split(separator: "\t", maxSplits: 1)
                guard parts.count == 2, let id = parts[0].split(separator: " ").last else { continue }
                known[String(parts[1]), default: []].insert(id)
            }
        }
        let listed = try git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        // A missing file contains no work. Git may have been about to write the file.
        let paths = Set(known.keys).union(listed.split(separator: "\0").map(String.init)).sorted().filter {
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: folder.appending(path: $0).path)
            return attributes.map { $0[.type] as? FileAttributeType != .typeDirectory } ?? false
        }
        let ids = try git(["hash-object", "--stdin-paths"], input: paths.map { $0 + "\n" }.joined())
        for (path, id) in zip(paths, ids.split(separator: "\n")) where known[path]?.contains(id) != true {
            throw EditError(
                .refused, at: folder.appending(path: path).path, "this file has local changes.",
                why:
                    "An earlier export was killed while it released \(prepared.tag). Completing the release would "
                    + "overwrite the change.",
                fix: "Copy your changes to another folder, and run: git -C \(folder.path) reset --hard")
        }
    }

    private func finish() throws {
        step("git reset")
        _ = try git(["reset", "--quiet", "--hard"])
        step("remove the release marker")
        try FileManager.default.removeItem(at: marker)
    }

    private func removeMarker() throws {
        step("remove the release marker")
        try FileManager.default.removeItem(at: marker)
    }
}
