import Foundation

/// The git repository that contains a tree, read with the `git` command. All paths are relative to the root
/// of the tree.
package struct GitRepository: Sendable {
    /// A commit and its changes.
    package struct Commit: Sendable {
        /// The full hash.
        package let id: String
        private let hasParent: Bool
        /// The changes relative to the first parent. Empty for the first commit, which has no parent.
        package let changes: [Change]

        fileprivate init(_ ids: [Substring], _ changes: [Change]) {
            (id, hasParent, self.changes) = (String(ids[0]), ids.count > 1, changes)
        }

        /// Whether the commit may have changed a file. True for every file in the first commit.
        package func touches(_ path: String) -> Bool {
            !hasParent || changes.contains { $0.path == path }
        }
    }

    /// A changed file.
    package struct Change: Sendable, Hashable {
        package let path: String
        /// The old contents; nil if the file is new.
        package let old: Blob?
        /// The new contents; nil if the file was deleted, or if the new contents are not committed.
        package let new: Blob?

        package init(path: String, old: Blob?, new: Blob?) {
            (self.path, self.old, self.new) = (path, old, new)
        }
    }

    /// Identifies a file's contents for ``contents(_:)``, together with the file's mode.
    package struct Blob: Sendable, Hashable {
        fileprivate let name: String
        private let mode: String

        /// - Parameter id: An object identifier as git prints it. Zeros mean that there is no object.
        fileprivate init?(_ id: Substring, mode: Substring) {
            guard id.utf8.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
            (name, self.mode) = (String(id), String(mode))
        }

        fileprivate init(name: String) { (self.name, mode) = (name, "") }
    }

    private let root: String

    /// The path of the tree's root in the repository, with a trailing slash; empty if the tree and
    /// the repository have the same root.
    private let prefix: String

    /// Opens the repository that contains a folder.
    ///
    /// - Throws: ``TreeError`` if there is no repository, if it has no commit, or if it is a shallow clone.
    package init(root: String) throws {
        self.root = root
        let output = try Command.run(
            ["git", "rev-parse", "--is-shallow-repository", "--show-prefix", "--verify", "HEAD"], in: root)
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard output.status == 0, lines.count >= 3 else {
            throw TreeError(
                .environment, root, what: "has no git history: \(output.standardError.firstLine)",
                why: "changes since a release or a revision are read from git, and never guessed",
                fix: "run this in a clone with commits, or check only the rules that need no history: "
                    + "modules check pairs layers imports registration")
        }
        prefix = lines[1]
        guard lines[0] == "false" else {
            throw TreeError(
                .environment, root, what: "is a shallow clone",
                why: "the commits that gave the modules their versions may be missing",
                fix: "git fetch --unshallow (in a workflow: actions/checkout with fetch-depth: 0)")
        }
    }

    /// The files in these folders with uncommitted changes: modified, staged or untracked.
    ///
    /// Works in shallow clones and before the first commit.
    ///
    /// - Returns: nil if there is no repository or git is not installed.
    /// - Throws: ``TreeError`` if git fails for another reason.
    package static func uncommitted(in folders: [String], root: String) throws -> [String]? {
        guard
            let inside = try? Command.run(
                ["env", "LC_ALL=C", "git", "rev-parse", "--show-prefix"], in: root)
        else { return nil }
        if inside.status != 0, inside.standardError.contains("not a git repository") { return nil }
        let prefix = inside.text.trimmingCharacters(in: .newlines)
        let arguments = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--"]
        let output = try Command.run(["git"] + arguments + folders, in: root)
        guard output.status == 0 else { throw failure("status", output, root) }
        // An entry has two letters for the status, a space, and the path from the top of the repository.
        return fields(output.text).map { String($0.dropFirst(3 + prefix.count)) }
    }

    /// The commit that a revision refers to.
    ///
    /// - Throws: ``TreeError`` if the revision does not exist.
    package func commit(_ revision: String) throws -> String {
        let output = try Command.run(
            ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"], in: root)
        guard output.status == 0 else {
            throw TreeError(
                .environment, revision.isEmpty ? "''" : revision,
                what: "is not a revision of this repository",
                why: "without a revision to compare with, no change would be found",
                fix: "name a branch, a tag or a commit; to fetch origin's branches, run: git fetch origin")
        }
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The merge base of `HEAD` and a revision, so that commits which only the revision contains do not count
    /// as changes. Without a common history, this is the commit of the revision.
    ///
    /// - Throws: ``TreeError`` if the revision does not exist.
    package func base(_ revision: String) throws -> String {
        let commit = try commit(revision)
        // `git merge-base` exits with 1 if there is no common history.
        let output = try Command.run(["git", "merge-base", commit, "HEAD"], in: root)
        return output.status == 0 ? output.text.trimmingCharacters(in: .whitespacesAndNewlines) : commit
    }

    /// The date of a commit in a format that git accepts as input: `2026-11-21T08:00:00+00:00`.
    package func date(of commit: String) throws -> String {
        try git(["show", "-s", "--format=%cI", commit]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The commits of the first-parent history that changed these paths, newest first. A merge is one commit.
    package func history(of paths: [String]) throws -> [Commit] {
        let text = try git(
            [
                "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--relative",
                "--raw", "--no-abbrev", "-z", "--format=%x00%H %P", "--",
            ]
                + paths)
        // With -z, every field ends with a NUL. The line of a commit also begins with a NUL and ends with a
        // newline.
        var commits: [Commit] = []
        var fields = Self.fields(text).map { $0.first == "\n" ? $0.dropFirst() : $0 }[...]
        while let head = fields.popFirst() {
            let ids = head.split(separator: " ")
            if ids.isEmpty || !ids.allSatisfy(Self.isIdentifier) { continue }
            commits.append(Commit(ids, Self.changes(&fields)))
        }
        return commits
    }

    /// Parses and removes the changes at the front of the output of `--raw -z`. A change has two fields: the
    /// first looks like `:100644 100644 OLD NEW M`, the second is a path.
    private static func changes(_ fields: inout ArraySlice<Substring>) -> [Change] {
        var changes: [Change] = []
        while fields.first?.first == ":" {
            let words = fields.removeFirst().split(separator: " ")
            guard words.count == 5, let path = fields.popFirst() else { break }
            changes.append(
                Change(
                    path: String(path), old: Blob(words[2], mode: words[0].dropFirst()),
                    new: Blob(words[3], mode: words[1])))
        }
        return changes
    }

    private static func isIdentifier(_ word: Substring) -> Bool {
        (word.utf8.count == 40 || word.utf8.count == 64) && word.allSatisfy(\.isHexDigit)
    }

    /// The commits that changed a file, newest first, including commits on merged branches.
    package func commits(changing path: String) throws -> [String] {
        try git(["log", "--full-history", "--topo-order", "--format=%H", "--", path])
            .split(separator: "\n").map(String.init)
    }

    /// The files that differ between a commit and the working tree, including untracked files.
    package func changes(since commit: String) throws -> Set<String> {
        try untracked().union(trackedChanges(since: commit).map(\.path))
    }

    /// The tracked files that differ between a commit and the working tree.
    package func trackedChanges(since commit: String) throws -> [Change] {
        let text = try git(["diff", "--no-renames", "--relative", "--raw", "--no-abbrev", "-z", commit, "--"])
        var fields = Self.fields(text)[...]
        return Self.changes(&fields)
    }

    /// The files that are neither tracked nor ignored.
    package func untracked() throws -> Set<String> {
        try Set(Self.fields(git(["ls-files", "--others", "--exclude-standard", "-z"])).map(String.init))
    }

    /// Identifies a file at a commit. The commit need not contain the file.
    package func blob(_ path: String, at commit: String) -> Blob { Blob(name: "\(commit):\(prefix)\(path)") }

    /// The contents of past files, in the order of `blobs`; nil for a file that does not exist.
    package func contents(_ blobs: [Blob]) throws -> [Data?] {
        guard !blobs.isEmpty else { return [] }
        let input = blobs.map { $0.name + "\n" }.joined()
        let output = try Command.run(["git", "cat-file", "--batch"], in: root, input: Data(input.utf8))
        guard output.status == 0 else { throw Self.failure("cat-file", output, root) }
        var rest = output.standardOutput[...]
        return try blobs.map { _ in
            guard let end = rest.firstIndex(of: 0x0A) else {
                throw Self.failure("cat-file", output, root)
            }
            let head = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            let words = head.split(separator: " ")
            guard words.count == 3, let size = Int(words[2]), rest.count > size else { return nil }
            defer { rest = rest.dropFirst(size + 1) }
            return words[1] == "blob" ? Data(rest.prefix(size)) : nil
        }
    }

    /// Splits the output of git at the NULs.
    private static func fields(_ text: String) -> [Substring] {
        text.utf8.split(separator: 0).map { Substring($0) }
    }

    private func git(_ arguments: [String]) throws -> String {
        // With these settings, git lists no changes for the first commit, which is often large, and prints no
        // signatures.
        let settings = ["core.quotepath=false", "log.showRoot=false", "log.showSignature=false"]
            .flatMap { ["-c", $0] }
        let output = try Command.run(["git"] + settings + arguments, in: root)
        guard output.status == 0 else { throw Self.failure(arguments[0], output, root) }
        return output.text
    }

    private static func failure(_ command: String, _ output: Command.Output, _ root: String) -> TreeError {
        TreeError(
            .environment, "git \(command)", what: "failed: \(output.standardError.firstLine)",
            why: "without git's output, the tree cannot be checked", fix: "git -C \(root) \(command)")
    }
}

extension String {
    /// The first line that is not empty.
    fileprivate var firstLine: String {
        split(separator: "\n").first.map(String.init) ?? "no reason given"
    }
}
