import Foundation

/// How a release is entered: the branch moved, the tag made, the files renewed. What a run began that was killed
/// meanwhile, the next one completes, whichever packages it exports.
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

    /// Moves the branch and makes the tag, and then renews the files. What is interrupted after its first step is
    /// completed by the next run.
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
    func complete() throws {
        // Torn: nothing had been done yet that it tells of.
        guard let prepared = try? JSONDecoder().decode(Prepared.self, from: Data(contentsOf: marker)) else {
            return try finish()
        }
        clearLocks(of: prepared)
        let branch = try commit(at: prepared.branch)
        let tag = try commit(at: "refs/tags/\(prepared.tag)")
        guard branch == prepared.parent || branch == prepared.commit, tag == nil || tag == prepared.commit
        else {
            step("forget what is entered")
            return try FileManager.default.removeItem(at: marker)
        }
        try point(to: prepared, from: branch, isTagged: tag != nil)
        try finish()
    }

    /// Removes the locks that a git which was killed has left. One that outlived the run that started it is waited
    /// for: what it does takes it less than a second.
    private func clearLocks(of prepared: Prepared) {
        let locks = ["index", "HEAD", prepared.branch, "refs/tags/\(prepared.tag)"].map {
            folder.appending(path: ".git/\($0).lock").path
        }
        let end = ContinuousClock.now + .seconds(2)
        while locks.contains(where: FileManager.default.fileExists), ContinuousClock.now < end {
            usleep(20_000)
        }
        for lock in locks where FileManager.default.fileExists(atPath: lock) {
            step("remove a lock")
            try? FileManager.default.removeItem(atPath: lock)
        }
    }

    private func finish() throws {
        step("git reset")
        _ = try git(["reset", "--quiet", "--hard"])
        step("say that it is entered")
        try FileManager.default.removeItem(at: marker)
    }
}
