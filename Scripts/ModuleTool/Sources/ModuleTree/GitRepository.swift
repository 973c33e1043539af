import Foundation

/// The git repository that a tree lies in, asked through `git`. Paths are relative to the tree's root.
package struct GitRepository: Sendable {
    /// A commit, and what it changed.
    package struct Commit: Sendable {
        /// The full identifier.
        package let id: String
        /// How many commits it follows: none for the first, several for one that joins lines of history.
        private let parents: Int
        /// What it changed, against its first parent. The first commit has none: with nothing before it, it
        /// changed nothing.
        package let changes: [Change]

        fileprivate init(_ ids: [Substring], _ changes: [Change]) {
            (id, parents, self.changes) = (String(ids[0]), ids.count - 1, changes)
        }

        package var isMerge: Bool { parents > 1 }

        /// Whether a file may differ from what it was before.
        package func touches(_ path: String) -> Bool {
            parents == 0 || changes.contains { $0.path == path }
        }
    }

    /// A file that is not what it was.
    package struct Change: Sendable, Hashable {
        package let path: String
        /// What it was; nil when it was not there.
        package let old: Blob?
        /// What it became; nil when it is gone, or no commit has it yet.
        package let new: Blob?

        package init(path: String, old: Blob?, new: Blob?) {
            (self.path, self.old, self.new) = (path, old, new)
        }
    }

    /// A name of a file's contents, for ``contents(_:)``, and its mode.
    package struct Blob: Sendable, Hashable {
        fileprivate let name: String
        private let mode: String

        /// - Parameter id: An identifier as git prints it; zeros stand for nothing.
        fileprivate init?(_ id: Substring, mode: Substring) {
            guard id.utf8.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
            (name, self.mode) = (String(id), String(mode))
        }

        fileprivate init(name: String) { (self.name, mode) = (name, "") }
    }

    private let root: String

    /// The root's path inside the repository, with a slash at its end; empty when they are one.
    private let prefix: String

    /// - Throws: ``TreeError`` when there is no repository, no commit, or only a part of the history.
    package init(root: String) throws {
        self.root = root
        let output = try Command.run(
            ["git", "rev-parse", "--is-shallow-repository", "--show-prefix", "--verify", "HEAD"], in: root)
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard output.status == 0, lines.count >= 3 else {
            throw TreeError(
                .environment, root, what: "has no git history: \(output.standardError.firstLine)",
                why: "what changed since a release or a revision is asked of git, and never guessed",
                mend: "run this in a clone with commits; these rules need none: modules check pairs layers "
                    + "imports registration")
        }
        prefix = lines[1]
        guard lines[0] == "false" else {
            throw TreeError(
                .environment, root, what: "is a shallow clone",
                why: "the commits that gave the modules their versions may be missing, and that is no pass",
                mend: "git fetch --unshallow (in a workflow: actions/checkout with fetch-depth: 0)")
        }
    }

    /// The files in these folders that are not as the last commit has them: changed, staged or unknown to git. It
    /// takes neither a history nor a first commit.
    ///
    /// - Returns: Nil where no repository is, or no git.
    /// - Throws: ``TreeError`` when git does not answer otherwise.
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
        // Two letters, a space, and the path from the top of the repository.
        return fields(output.text).map { String($0.dropFirst(3 + prefix.count)) }
    }

    /// The commit that a revision stands for.
    ///
    /// - Throws: ``TreeError`` when there is none.
    package func commit(_ revision: String) throws -> String {
        let output = try Command.run(
            ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"], in: root)
        guard output.status == 0 else {
            throw TreeError(
                .environment, revision.isEmpty ? "''" : revision, what: "is no revision of this repository",
                why: "comparing with nothing would find nothing",
                mend: "name a branch, a tag or a commit; what only origin has comes with: git fetch origin")
        }
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The commit at which the history of `HEAD` left that of a revision: the revision itself, unless it went on
    /// meanwhile, as a branch's `main` does. What was done there is no change of this side.
    ///
    /// - Throws: ``TreeError`` when there is no such revision.
    package func base(_ revision: String) throws -> String {
        let commit = try commit(revision)
        // Without a common history git ends with 1.
        let output = try Command.run(["git", "merge-base", commit, "HEAD"], in: root)
        return output.status == 0 ? output.text.trimmingCharacters(in: .whitespacesAndNewlines) : commit
    }

    /// When a commit was made, as git takes it back: `2026-11-21T08:00:00+00:00`.
    package func date(of commit: String) throws -> String {
        try git(["show", "-s", "--format=%cI", commit]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The commits that changed anything at these paths, newest first, merges as one step.
    package func history(of paths: [String]) throws -> [Commit] {
        let text = try git(
            [
                "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--relative",
                "--raw", "--no-abbrev", "-z", "--format=%x00%H %P", "--",
            ]
                + paths)
        // With -z every part ends with a NUL; a commit's line starts with one more and ends with a new line.
        var commits: [Commit] = []
        var fields = Self.fields(text).map { $0.first == "\n" ? $0.dropFirst() : $0 }[...]
        while let head = fields.popFirst() {
            let ids = head.split(separator: " ")
            if ids.isEmpty || !ids.allSatisfy(Self.isIdentifier) { continue }
            commits.append(Commit(ids, Self.changes(&fields)))
        }
        return commits
    }

    /// Takes what `--raw -z` says of changed files from the front: `:100644 100644 OLD NEW M`, and a path.
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

    /// The commits of all lines of history that changed a file, merged ones included, newest first.
    package func commits(changing path: String) throws -> [String] {
        try git(["log", "--full-history", "--topo-order", "--format=%H", "--", path])
            .split(separator: "\n").map(String.init)
    }

    /// The files that differ between a commit and the working tree, new ones that git does not know included.
    package func changes(since commit: String) throws -> Set<String> {
        try untracked().union(trackedChanges(since: commit).map(\.path))
    }

    /// What differs between a commit and the working tree, of the files that git knows.
    package func trackedChanges(since commit: String) throws -> [Change] {
        let text = try git(["diff", "--no-renames", "--relative", "--raw", "--no-abbrev", "-z", commit, "--"])
        var fields = Self.fields(text)[...]
        return Self.changes(&fields)
    }

    /// The files that git neither knows nor ignores.
    ///
    /// - Parameter present: The files that the question is about, as far as they are there: when git knows all of
    ///   them, it need not look through every folder for others. Nil for all files.
    package func untracked(among present: [String]? = nil) throws -> Set<String> {
        if let present, try Set(names(["ls-files", "-z"])).isSuperset(of: present) { return [] }
        return try Set(names(["ls-files", "--others", "--exclude-standard", "-z"]))
    }

    /// A file at a commit, whether the commit has it or not.
    package func blob(_ path: String, at commit: String) -> Blob { Blob(name: "\(commit):\(prefix)\(path)") }

    /// The contents of files of the past, in order; nil for one that is not there.
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

    /// The output of a command that ends each name with a NUL.
    private func names(_ arguments: [String]) throws -> [String] {
        try Self.fields(git(arguments)).map(String.init)
    }

    /// What git ends with a NUL each.
    private static func fields(_ text: String) -> [Substring] {
        text.utf8.split(separator: 0).map { Substring($0) }
    }

    private func git(_ arguments: [String]) throws -> String {
        // The first commit, often a large one, is not compared with nothing; and whose signatures somebody
        // likes to see is no part of a history.
        let settings = ["core.quotepath=false", "log.showRoot=false", "log.showSignature=false"]
            .flatMap { ["-c", $0] }
        let output = try Command.run(["git"] + settings + arguments, in: root)
        guard output.status == 0 else { throw Self.failure(arguments[0], output, root) }
        return output.text
    }

    private static func failure(_ command: String, _ output: Command.Output, _ root: String) -> TreeError {
        TreeError(
            .environment, "git \(command)", what: "failed: \(output.standardError.firstLine)",
            why: "what git does not answer cannot be judged", mend: "git -C \(root) \(command)")
    }
}

extension String {
    /// The first line that says anything.
    fileprivate var firstLine: String {
        split(separator: "\n").first.map(String.init) ?? "no reason given"
    }
}
