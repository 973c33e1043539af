import Foundation

/// The git repository that a tree lies in, asked through `git`. Paths are relative to the tree's root.
package struct GitRepository: Sendable {
    /// A commit, and what it changed.
    package struct Commit: Sendable {
        /// The full identifier.
        package let id: String
        /// How many commits it follows: none for the first, several for one that joins lines of history.
        private let parents: Int
        /// The files that it changed, against its first parent. The first commit has none: with nothing before
        /// it, it changed nothing.
        package let paths: [String]

        fileprivate init(_ ids: [Substring], paths: [String]) {
            (id, parents, self.paths) = (String(ids[0]), ids.count - 1, paths)
        }

        package var isMerge: Bool { parents > 1 }

        /// Whether a file may differ from what it was before.
        package func touches(_ path: String) -> Bool { parents == 0 || paths.contains(path) }
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
        return output.text.utf8.split(separator: 0).map { String(Substring($0).dropFirst(3 + prefix.count)) }
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
                "--name-only", "-z",
                "--format=%x00%H %P", "--",
            ]
                + paths)
        // With -z every name ends with a NUL; a commit's line starts with one more and ends with a new line.
        var commits: [Commit] = []
        var ids: [Substring] = []
        var names: [String] = []
        func finish() {
            if !ids.isEmpty { commits.append(Commit(ids, paths: names)) }
            names = []
        }
        for field in text.utf8.split(separator: 0) {
            let name = Substring(field.first == UInt8(ascii: "\n") ? field.dropFirst() : field)
            let words = name.split(separator: " ")
            if !words.isEmpty, words.allSatisfy(Self.isIdentifier) {
                finish()
                ids = words
            } else if !name.isEmpty {
                names.append(String(name))
            }
        }
        finish()
        return commits
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
        try trackedChanges(since: commit).union(untracked())
    }

    /// The files that differ between a commit and the working tree, of those that git knows.
    package func trackedChanges(since commit: String) throws -> Set<String> {
        try Set(names(["diff", "--no-renames", "--relative", "--name-only", "-z", commit, "--"]))
    }

    /// The files that git neither knows nor ignores.
    ///
    /// - Parameter present: The files that the question is about, as far as they are there: when git knows all of
    ///   them, it need not look through every folder for others. Nil for all files.
    package func untracked(among present: [String]? = nil) throws -> Set<String> {
        if let present, try Set(names(["ls-files", "-z"])).isSuperset(of: present) { return [] }
        return try Set(names(["ls-files", "--others", "--exclude-standard", "-z"]))
    }

    /// The files below a folder at a commit.
    package func files(below folder: String, at commit: String) throws -> [String] {
        try names(["ls-tree", "-r", "-z", "--name-only", commit, "--", folder + "/"])
    }

    /// The contents of files at commits, in order; nil for a file that the commit has not.
    package func contents(_ files: [(commit: String, path: String)]) throws -> [Data?] {
        guard !files.isEmpty else { return [] }
        let input = files.map { "\($0.commit):\(prefix)\($0.path)\n" }.joined()
        let output = try Command.run(["git", "cat-file", "--batch"], in: root, input: Data(input.utf8))
        guard output.status == 0 else { throw Self.failure("cat-file", output, root) }
        var rest = output.standardOutput[...]
        return try files.map { _ in
            guard let end = rest.firstIndex(of: 0x0A) else {
                throw Self.failure("cat-file", output, root)
            }
            let head = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            let words = head.split(separator: " ")
            guard words.count == 3, words[1] == "blob", let size = Int(words[2]), rest.count > size else {
                return nil
            }
            defer { rest = rest.dropFirst(size + 1) }
            return Data(rest.prefix(size))
        }
    }

    /// The output of a command that ends each name with a NUL.
    private func names(_ arguments: [String]) throws -> [String] {
        try git(arguments).utf8.split(separator: 0).map { String(Substring($0)) }
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
