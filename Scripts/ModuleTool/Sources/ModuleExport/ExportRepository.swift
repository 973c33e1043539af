import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The git repository of one exported package. Exports only add commits and tags.
struct ExportRepository {
    let folder: URL
    /// Called before each write, with a description of the write.
    let step: (String) -> Void

    var exists: Bool { FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) }

    /// A version that was released before.
    struct Release {
        let tag: String
        let version: SemanticVersion
    }

    /// All releases, read from the tags: `1.0.0`, or `v1.0.0` for a tag that somebody created with git.
    func releases() throws -> [Release] {
        try git(["tag", "--list"]).split(separator: "\n").map(String.init).compactMap { tag in
            SemanticVersion(tag.hasPrefix("v") ? String(tag.dropFirst()) : tag).map {
                Release(tag: tag, version: $0)
            }
        }
    }

    /// The files of a release, by path.
    func files(of release: Release) throws -> [String: Data] {
        let repository = try GitRepository(root: folder.path)
        let commit = try repository.commit(release.tag)
        let paths = try git(["ls-tree", "-r", "-z", "--name-only", commit]).split(separator: "\0").map(
            String.init)
        let contents = try repository.contents(paths.map { repository.blob($0, at: commit) })
        return Dictionary(zip(paths, contents.map { $0 ?? Data() })) { first, _ in first }
    }

    /// Refuses a repository with uncommitted changes.
    func refuseWork() throws {
        // Ignore the changes of an interrupted release. An export has completed the release by now, but a dry
        // run has not.
        guard !hasUnfinishedRelease else { return }
        let status = try git(["--no-optional-locks", "status", "--porcelain", "--untracked-files=all"])
        guard status.isEmpty else {
            throw EditError(
                .refused, at: folder.path,
                "the repository has uncommitted changes: \(status.split(separator: "\n")[0])",
                why: "An export replaces the files, and the changes would be lost.",
                fix: "Commit or discard the changes: git -C \(folder.path) status")
        }
    }

    /// Creates a commit with the given files on top of the current commit, but moves no branch and no tag.
    ///
    /// - Parameters:
    ///   - staged: A folder that contains only the files.
    ///   - date: The date of the source's commit, so that the same source always results in the same commit.
    /// - Returns: The commit, for ``release(_:)``.
    func prepare(_ staged: URL, version: SemanticVersion, message: String, date: String) throws
        -> Prepared
    {
        let branch = try git(
            ["symbolic-ref", "--quiet", "HEAD"],
            orRefuse: { _ in
                EditError(
                    .refused, at: folder.path, "the repository has a detached HEAD.",
                    why: "The release's commit has to go to a branch.",
                    fix: "git -C \(folder.path) checkout main")
            })
        try refuseLocked(for: branch, tag: version.description)
        let index = staged.appendingPathExtension("index").path
        let git = ["env", "GIT_INDEX_FILE=\(index)", "git", "--git-dir=\(folder.path)/.git", "--work-tree=."]
        let settings = ["-c", "core.autocrlf=false", "-c", "core.safecrlf=false"]
        _ = try run(Array(git + settings) + ["add", "--all", "--force", "."], in: staged.path)
        let tree = try run(git + ["write-tree"], in: staged.path)
        let parent = try commit(at: "HEAD")
        let commit = try run(
            ["env", "GIT_AUTHOR_DATE=\(date)", "GIT_COMMITTER_DATE=\(date)"]
                + ["git", "commit-tree", tree, "-F", "-"] + (parent.map { ["-p", $0] } ?? []),
            in: folder.path,
            input: message)
        return Prepared(branch: branch, parent: parent, commit: commit, tag: version.description)
    }

    /// The commit that a reference points to; nil when the reference does not exist.
    func commit(at reference: String) throws -> String? {
        let output = try Command.run(
            ["git", "rev-parse", "--verify", "--quiet", reference], in: folder.path)
        return output.status == 0 ? output.text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }

    /// Checks that git has a name and an email address for the commits.
    ///
    /// - Parameter place: The folder to name in the error; nil for this repository's folder.
    /// - Throws: ``ModuleEdits/EditError`` when the name or the address is missing.
    func requireIdentity(at place: URL? = nil) throws {
        for variable in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
            _ = try git(
                ["var", variable],
                orRefuse: { _ in
                    EditError(
                        .environment, at: (place ?? folder).path, "git has no name and email for commits.",
                        why: "Each release is a commit, and a commit needs an author.",
                        fix: "git config --global user.name \"Your Name\" && "
                            + "git config --global user.email you@example.com")
                })
        }
    }

    /// Creates an empty repository with the branch `main`.
    func create() throws {
        _ = try run(["git", "init", "--quiet", "--initial-branch=main", "."], in: folder.path)
    }

    func git(
        _ arguments: [String], input: String = "", orRefuse refusal: ((Command.Output) -> EditError)? = nil
    ) throws -> String {
        let output = try Command.run(["git"] + arguments, in: folder.path, input: Data(input.utf8))
        if output.status != 0, let refusal { throw refusal(output) }
        return try Self.text(output, of: arguments, in: folder.path)
    }

    func run(_ command: [String], in place: String, input: String = "") throws -> String {
        let words = Array(command.drop { $0 != "git" }.dropFirst())
        step("git \(words.joined(separator: " "))")
        return try Self.text(Command.run(command, in: place, input: Data(input.utf8)), of: words, in: place)
    }

    private static func text(_ output: Command.Output, of command: [String], in place: String) throws
        -> String
    {
        guard output.status == 0 else {
            throw EditError(
                .environment, at: place,
                "git \(command.joined(separator: " ")) failed: "
                    + output.standardError.trimmingCharacters(in: .whitespacesAndNewlines),
                why: "A release is a commit and a tag.",
                fix: "Solve the problem that git reports, and run the export again.")
        }
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
