import Foundation
import ModuleKit

/// The git repository that contains a tree, read with the `git` command. All paths are relative to the root
/// of the tree.
package struct GitRepository: Sendable {
    package struct Change: Sendable, Hashable {
        package let path: String
        /// Identifies the old contents for ``contents(_:)``; nil if the file is new.
        package let old: String?

        package init(path: String, old: String?) { (self.path, self.old) = (path, old) }
    }

    let root: String

    /// The path of the tree's root in the repository, with a trailing slash; empty if the tree and
    /// the repository have the same root.
    package let prefix: String
    let head: String
    private let isShallow: Bool

    /// Opens the repository that contains a folder.
    ///
    /// - Parameter allowsShallow: Whether the repository may lack old commits.
    package init(root: String, allowsShallow: Bool = false) throws {
        self.root = root
        let output = try Git.output(
            ["rev-parse", "--is-shallow-repository", "--show-prefix", "--verify", "HEAD"], in: root)
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard output.status == 0, lines.count >= 3 else {
            if output.standardError.advice != nil { throw Self.failure("rev-parse", output, root) }
            throw Diagnostic(
                .environment, at: root, "has no git history: \(output.standardError.firstLine)",
                why: "Changes since a release or a revision are read from git, and never guessed.",
                fix: "Run this in a clone with commits, or check only the rules that need no history: "
                    + "Scripts/modules check pairs layers imports registration")
        }
        (prefix, head) = (lines[1], lines[2])
        isShallow = lines[0] == "true"
        guard !isShallow || allowsShallow else {
            throw Diagnostic(
                .environment, at: root, "is a shallow clone",
                why: "The commits that set the modules' versions may be missing.",
                fix:
                    "In a workflow, pass fetch-depth: 0 to actions/checkout; otherwise run: git fetch --unshallow"
            )
        }
    }

    /// Whether a folder is in a repository without commits, where nothing has been released yet.
    package static func isUnborn(root: String) throws -> Bool {
        let output = try Git.output(["rev-list", "--max-count=1", "--all"], in: root)
        return output.status == 0 && output.text.isEmpty
    }

    /// The files in these folders with uncommitted changes: modified, staged or untracked.
    ///
    /// Works in shallow clones and before the first commit.
    ///
    /// - Returns: nil if there is no repository or git is not installed.
    package static func uncommitted(in folders: [String], root: String) throws -> [String]? {
        guard
            let inside = try? Git.output(["rev-parse", "--show-prefix"], in: root, with: ["LC_ALL": "C"])
        else { return nil }
        if inside.status != 0, inside.standardError.contains("not a git repository") { return nil }
        let arguments = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--"]
        // An entry has two letters for the status, a space, and the path from the top of the repository.
        return fields(try run(arguments + folders, in: root).text).map {
            String($0.dropFirst(3 + inside.line.count))
        }
    }

    /// The ignored files in these folders of a repository.
    package static func ignored(in folders: [String], root: String) throws -> [String] {
        let arguments = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--"]
        return fields(try run(arguments + folders, in: root).text).map(String.init)
    }

    /// The files among these that git ignores.
    package func ignored(among paths: [String]) throws -> Set<String> {
        try Self.ignored(among: paths, root: root)
    }

    private static func ignored(among paths: [String], root: String) throws -> Set<String> {
        let output = try Git.output(
            ["check-ignore", "-z", "--stdin"], in: root,
            input: Data(paths.joined(separator: "\0").utf8))
        // The status is 1 if git ignores none of the files.
        if output.status < 2 { return Set(fields(output.text).map(String.init)) }
        // Git refuses files of a submodule, whose own rules may ignore them.
        let modules = fields(try run(["ls-files", "--stage", "-z"], in: root).text)
            .filter { $0.hasPrefix("160000 ") }.compactMap { $0.split(separator: "\t", maxSplits: 1).last }
        let groups = Dictionary(grouping: paths) { path in modules.first { path.hasPrefix($0 + "/") } }
        guard groups.contains(where: { $0.key != nil }) else { throw failure("check-ignore", output, root) }
        return try groups.reduce(into: []) { ignored, group in
            let folder = group.key.map { $0 + "/" } ?? ""
            let own = group.value.map { String($0.dropFirst(folder.count)) }
            ignored.formUnion(try Self.ignored(among: own, root: root + "/" + folder).map { folder + $0 })
        }
    }

    /// Whether the repository that contains a folder, if any, tracks a file.
    package static func tracks(_ path: String, root: String) -> Bool {
        let output = try? Git.output(["ls-files", "--error-unmatch", "--", path], in: root)
        return output?.status == 0
    }

    /// The commit that a revision refers to.
    package func commit(_ revision: String) throws -> String {
        let output = try Git.output(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"], in: root)
        guard output.status == 0 else {
            if isShallow { throw try tooShallow(for: revision) }
            throw Diagnostic(
                .environment, at: revision.isEmpty ? "''" : revision,
                "is not a revision of this repository",
                why: "Without a revision to compare with, no change would be found.",
                fix: "Use a branch, a tag or a commit; to fetch origin's branches, run: git fetch origin")
        }
        return output.line
    }

    /// The merge base of `HEAD` and a revision, so that commits which only the revision contains are not treated as
    /// changes. Without a common history, this is the revision's commit.
    package func base(_ revision: String) throws -> String {
        let commit = try commit(revision)
        // `git merge-base` exits with 1 if there is no common history.
        let output = try Git.output(["merge-base", commit, "HEAD"], in: root)
        if output.status != 0, isShallow { throw try tooShallow(for: revision) }
        return output.status == 0 ? output.line : commit
    }

    /// The error for a shallow clone that lacks the common history of `HEAD` and a revision.
    private func tooShallow(for revision: String) throws -> Diagnostic {
        let count = try git(["rev-list", "--count", "HEAD"]).line
        let steps = revision.wholeMatch(of: /(?:HEAD|@)(?:\^|~(\d*))/).map { Int($0.1 ?? "") ?? 1 }
        let depth = steps.map { $0 + 1 } ?? max(50, 2 * (Int(count) ?? 0))
        let branch = revision.wholeMatch(of: /origin\/(.+)/).map {
            " origin +\($0.1):refs/remotes/\(revision)"
        }
        return Diagnostic(
            .environment, at: revision, "has no common history with HEAD in this shallow clone",
            why: "The clone contains only \(count) commit\(count == "1" ? "" : "s")"
                + (steps == nil ? ", and it is unknown how many are needed." : "."),
            fix:
                "In a workflow, pass fetch-depth: \(depth) to actions/checkout; otherwise run"
                + (steps == nil ? ", with a larger depth if this is not enough" : "")
                + ": git fetch --depth=\(depth)\(branch ?? "")")
    }

    /// The date of a commit in a format that git accepts as input: `2026-11-21T08:00:00+00:00`.
    package func date(of commit: String) throws -> String {
        try git(["show", "-s", "--format=%cI", commit]).line
    }

    /// The changes between each of the commits and `HEAD`, by commit.
    package func committedChanges(since commits: Set<String>) throws -> [String: [Change]] {
        let text = try git(
            ["diff-tree", "--stdin", "-r", "-R", "--name-status", "-z", "--no-renames", "--relative"],
            input: commits.map { "\($0) \(head)\n" }.joined())
        var changes = Dictionary(uniqueKeysWithValues: commits.map { ($0, [Change]()) })
        var fields = Self.fields(text.text)[...]
        // Each commit's identifier precedes its changes.
        while let commit = fields.popFirst().map(String.init) {
            changes[commit] = self.changes(&fields, since: commit)
        }
        return changes
    }

    /// Parses and removes the changes at the front of the output of `--name-status -z`. A change has two fields: a
    /// letter and a path.
    private func changes(_ fields: inout ArraySlice<Substring>, since commit: String) -> [Change] {
        var changes: [Change] = []
        while let letter = fields.first, letter.utf8.count == 1, fields.count > 1 {
            let path = String(fields[fields.startIndex + 1])
            changes.append(Change(path: path, old: letter == "A" ? nil : blob(path, at: commit)))
            fields.removeFirst(2)
        }
        return changes
    }

    /// The files that differ between a commit and the working tree, including untracked files.
    package func changes(since commit: String) throws -> Set<String> {
        try untracked().union(trackedChanges(since: commit).map(\.path))
    }

    /// The tracked files that differ between a commit and the working tree.
    package func trackedChanges(since commit: String) throws -> [Change] {
        let text = try git(["diff", "--no-renames", "--relative", "--name-status", "-z", commit, "--"])
        var fields = Self.fields(text.text)[...]
        return changes(&fields, since: commit)
    }

    /// The tracked files of a folder, and those that are neither tracked nor ignored: paths relative to the folder.
    package static func files(in folder: String) throws -> Set<String> {
        let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        return try Set(fields(run(arguments, in: folder).text).map(String.init))
    }

    /// The files that are neither tracked nor ignored.
    package func untracked() throws -> Set<String> {
        try Set(Self.fields(git(["ls-files", "--others", "--exclude-standard", "-z"]).text).map(String.init))
    }

    /// Identifies a file at a commit. The commit need not contain the file.
    package func blob(_ path: String, at commit: String) -> String { "\(commit):\(prefix)\(path)" }

    /// The contents of past files, in the order of `blobs`; nil for a file that does not exist.
    package func contents(_ blobs: [String]) throws -> [Data?] {
        guard !blobs.isEmpty else { return [] }
        let output = try git(["cat-file", "--batch"], input: blobs.map { $0 + "\n" }.joined())
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

    /// Splits git's output at NUL characters.
    static func fields(_ text: String) -> [Substring] {
        text.utf8.split(separator: 0).map { Substring($0) }
    }

    func git(_ arguments: [String], input: String = "") throws -> Command.Output {
        try Self.run(arguments, in: root, input: input)
    }

    /// Runs git. A non-zero exit status is an error.
    static func run(
        _ arguments: [String], in root: String, input: String = ""
    ) throws -> Command.Output {
        let settings = ["-c", "core.quotepath=false", "-c", "log.showSignature=false"]
        return try Git.run(settings + arguments, in: root, input: Data(input.utf8)) {
            failure(arguments[0], $0, root)
        }
    }

    static func failure(_ command: String, _ output: Command.Output, _ root: String) -> Diagnostic {
        Diagnostic(
            .environment, at: "git \(command)", "failed: \(output.standardError.firstLine)",
            why: "Without git's output, the tree cannot be checked.",
            fix: "Run: " + (output.standardError.advice ?? "git -C \(root) \(command)"))
    }
}

extension String {
    /// The first line that is not empty.
    fileprivate var firstLine: String {
        split(separator: "\n").first.map(String.init) ?? "no reason given"
    }

    /// The command that git recommends for a repository that belongs to another user.
    fileprivate var advice: String? {
        firstMatch(of: /git config --global --add safe\.directory .+/).map { String($0.output) }
    }
}
