import Foundation
import ModuleEdits

/// How a release is entered: the branch moved, the tag made, the files renewed. What a run that was killed had entered
/// in part, the next one completes, whichever packages it exports; what did not show yet, it makes anew.
extension ExportRepository {
    /// Says what is being entered: ``Prepared`` as JSON. While it is there, branch, tag and files may each be the old
    /// or the new ones.
    private var marker: URL { folder.appending(path: ".git/modules-export") }

    /// Whether a run that entered a release did not come to its end.
    var isBeingEntered: Bool { FileManager.default.fileExists(atPath: marker.path) }

    /// A commit that nothing points to yet, and what will.
    struct Prepared: Codable {
        let branch: String
        let parent: String?
        let commit: String
        let tag: String
    }

    /// Moves the branch and makes the tag, and then renews the files. What is interrupted after the branch or the tag
    /// is completed by the next run.
    func enter(_ prepared: Prepared) throws {
        step("say what is entered")
        try JSONEncoder().encode(prepared).write(to: marker)
        try point(to: prepared, from: prepared.parent, isTagged: false)
        try finish()
    }

    /// Git moves several references one after the other: killed in between, it has moved some.
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

    /// Enters the rest of a release that was interrupted, unless somebody has worked on the branch since.
    ///
    /// - Throws: ``ModuleEdits/EditError`` when git is at work there, or a file has work in it that would be lost.
    func complete() throws {
        // Torn: nothing had been done yet that it tells of.
        guard let prepared = try? JSONDecoder().decode(Prepared.self, from: Data(contentsOf: marker)) else {
            return try forget()
        }
        let branch = try commit(at: prepared.branch)
        let tag = try commit(at: "refs/tags/\(prepared.tag)")
        // Without branch and tag nobody has it, and no file is renewed before them: it is made anew, from the source
        // of today.
        guard branch == prepared.commit || (branch == prepared.parent && tag != nil),
            tag == nil || tag == prepared.commit
        else { return try forget() }
        try refuseLocked(for: prepared.branch, tag: prepared.tag)
        try refuseWork(besides: prepared)
        try point(to: prepared, from: branch, isTagged: tag != nil)
        try finish()
    }

    /// Refuses to go on where git is at work, or was killed: nobody but a person knows which.
    func refuseLocked(for branch: String, tag: String) throws(EditError) {
        let locks = ["index", "HEAD", branch, "refs/tags/\(tag)"].map {
            folder.appending(path: ".git/\($0).lock").path
        }
        guard let lock = locks.first(where: FileManager.default.fileExists) else { return }
        throw EditError(
            .refused, at: lock, "git is at work in this repository, or was killed there.",
            why: "Two at once would mix up their changes.",
            mend:
                "Let it come to its end, such as a commit whose editor is open; if no git is running there: "
                + "rm \"\(lock)\"")
    }

    /// Refuses to renew the files when one is neither as it was before the release nor as it is in it.
    private func refuseWork(besides prepared: Prepared) throws {
        var known: [String: Set<Substring>] = [:]
        for commit in [prepared.parent, prepared.commit].compactMap(\.self) {
            for entry in try git(["ls-tree", "-r", "-z", commit]).split(separator: "\0") {
                // The mode, the kind and the identifier; behind a tab the path.
                let parts = entry.split(separator: "\t", maxSplits: 1)
                guard parts.count == 2, let id = parts[0].split(separator: " ").last else { continue }
                known[String(parts[1]), default: []].insert(id)
            }
        }
        let listed = try git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        // What is missing has no work in it, and may be what git was about to write.
        let paths = Set(known.keys).union(listed.split(separator: "\0").map(String.init)).sorted().filter {
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: folder.appending(path: $0).path)
            return attributes.map { $0[.type] as? FileAttributeType != .typeDirectory } ?? false
        }
        let ids = try git(["hash-object", "--stdin-paths"], input: paths.map { $0 + "\n" }.joined())
        for (path, id) in zip(paths, ids.split(separator: "\n")) where known[path]?.contains(id) != true {
            throw EditError(
                .refused, at: folder.appending(path: path).path, "it was changed by hand.",
                why:
                    "An export that was killed had begun to release \(prepared.tag) here. This one completes it, which "
                    + "replaces the files.",
                mend: "Move what you want to keep elsewhere, and then: git -C \(folder.path) reset --hard")
        }
    }

    private func finish() throws {
        step("git reset")
        _ = try git(["reset", "--quiet", "--hard"])
        step("say that it is entered")
        try FileManager.default.removeItem(at: marker)
    }

    private func forget() throws {
        step("forget what is entered")
        try FileManager.default.removeItem(at: marker)
    }
}
