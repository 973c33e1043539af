import Foundation
import ModuleKit

/// The commits that the rules about versions compare, from the first one after `releases-after` to `HEAD`.
extension GitRepository {
    /// The commit that ends the history which the rules about versions ignore.
    ///
    /// Accepts tags and full hashes. A branch would move, and with it the history that no rule checks.
    ///
    /// - Parameters:
    ///   - name: A tag, or the full hash of a commit.
    ///   - key: The setting that names the commit, for errors.
    package func floor(_ name: String, from key: String) throws -> String {
        func failure(_ what: String, _ fix: String) -> Diagnostic {
            Diagnostic(
                .environment, at: Configuration.path, "\(key): \(name) \(what)",
                why: "The rules about versions ignore the history up to that commit, which cannot be found.",
                fix: fix)
        }
        let isHash = name.wholeMatch(of: /[0-9a-f]{40}(?:[0-9a-f]{24})?/) != nil
        let object = (isHash ? name : "refs/tags/" + name) + "^{commit}"
        let found = try Git.output(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", object], in: root)
        guard found.status == 0 else {
            throw failure(
                "is neither a tag nor the full hash of a commit in this clone",
                "Correct it in \(Configuration.path); if origin has the tag or commit: git fetch --tags origin"
            )
        }
        guard try isAncestor(found.line, of: head) else {
            throw failure(
                "is not part of the history of HEAD, which may have been rewritten",
                "In \(Configuration.path), write the commit that replaced it; git log -p \(Configuration.path) "
                    + "shows when the key was written.")
        }
        return found.line
    }

    /// Whether a commit is another one, or is in its history.
    package func isAncestor(_ commit: String, of other: String) throws -> Bool {
        try Git.output(["merge-base", "--is-ancestor", commit, other], in: root).status == 0
    }

    /// The first commit of the first-parent history after a commit; nil if none follows.
    package func first(after floor: String) throws -> String? {
        try lines(["rev-list", "--first-parent", "\(floor)..\(head)"]).last
    }

    /// The tags in the history of `HEAD` after a commit, newest first, each with its commit.
    package func tags(after floor: String?) throws -> [(tag: String, commit: String)] {
        let format = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname:strip=2)"
        return try lines(
            ["for-each-ref", "--sort=-creatordate", "--merged", head, "--format", format]
                + (floor.map { ["--no-merged", $0] } ?? []) + ["refs/tags"]
        ).map { line in
            let fields = line.split(separator: " ", maxSplits: 1).map(String.init)
            return (fields[1], fields[0])
        }
    }

    /// The commits of the first-parent history that changed a file, newest first, and the paths that the file has had
    /// in the repository, newest first. A merge is one commit.
    ///
    /// - Parameter floor: Leaves out this commit and its history.
    package func steps(
        changing path: String, after floor: String?
    ) throws -> (commits: [String], paths: [String]) {
        let range = floor.map { "\($0)..\(head)" } ?? head
        var (commits, paths) = ([String](), [prefix + path])
        for line in try lines(
            [
                "log", "--first-parent", "--diff-merges=first-parent", "--follow", "--name-status",
                "--format=%H",
            ]
                + [range, "--", path])
        {
            let fields = line.split(separator: "\t").map(String.init)
            if fields.count == 1 { commits.append(line) }
            // Git follows a copy too, but the original is another file.
            if fields[0].hasPrefix("C") { break }
            if fields[0].hasPrefix("R") { paths.append(fields[1]) }
        }
        return (commits, paths)
    }

    /// The paths of all files in a folder of the repository at a commit. An empty name, or one with a trailing slash.
    package func files(in folder: String, at commit: String) throws -> Set<String> {
        let text = try git(["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit, "--", "./" + folder])
            .text
        return Set(Self.fields(text).map { String($0.dropFirst(folder.count)) })
    }

    /// The lines of a file that match an extended regular expression, at any commit in the history of `HEAD`.
    package func lines(of path: String, matching expression: String) throws -> [String] {
        let settings = ["--extended-regexp", "-m", "--format=", "--unified=0", "--no-color", "--no-ext-diff"]
        let match = try Regex(expression)
        return try lines(["log", "--patch"] + settings + ["-G", expression, head, "--", path])
            .filter { $0.hasPrefix("+") }.map { String($0.dropFirst()) }
            .filter { $0.firstMatch(of: match) != nil }
    }

    private func lines(_ arguments: [String]) throws -> [String] {
        try git(arguments).text.split(separator: "\n").map(String.init)
    }
}
