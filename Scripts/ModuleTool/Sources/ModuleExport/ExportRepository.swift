import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The git repository of one exported package. Its history is only ever added to.
struct ExportRepository {
    let folder: URL
    /// Called before each thing that is written.
    let step: (String) -> Void

    var exists: Bool { FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) }

    /// A version that was exported before.
    struct Release {
        let tag: String
        let version: SemanticVersion
    }

    /// The releases, by their tags: `1.0.0`, or `v1.0.0` where somebody tagged by hand.
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

    /// Refuses a folder with work of its own in it.
    func refuseWork() throws {
        // On a dry run, which completes nothing: what an interrupted run left is no work of one's own.
        guard !isBeingEntered else { return }
        let status = try git(["--no-optional-locks", "status", "--porcelain", "--untracked-files=all"])
        guard status.isEmpty else {
            throw EditError(
                .refused, at: folder.path,
                "it has changes that are in no commit: \(status.split(separator: "\n")[0])",
                why: "An export replaces the files there, and would lose them.",
                mend: "Commit or remove them: git -C \(folder.path) status")
        }
    }

    /// Writes a commit with these files on top of what is there. Nothing points to it yet.
    ///
    /// - Parameters:
    ///   - staged: A folder with the files, and nothing else.
    ///   - date: When its source was committed, so that the same source gives the same commit.
    /// - Returns: The commit, ready to be entered.
    func prepare(_ staged: URL, version: SemanticVersion, message: String, date: String) throws
        -> Prepared
    {
        let branch = try git(
            ["symbolic-ref", "--quiet", "HEAD"],
            orRefuse: { _ in
                EditError(
                    .refused, at: folder.path, "it is on no branch.",
                    why: "The release's commit belongs on one.",
                    mend: "git -C \(folder.path) checkout main")
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

    /// What a reference points to; nil when there is none.
    func commit(at reference: String) throws -> String? {
        let output = try Command.run(
            ["git", "rev-parse", "--verify", "--quiet", reference], in: folder.path)
        return output.status == 0 ? output.text.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }

    /// Refuses to go on where git does not know whose commits they are to be.
    ///
    /// - Parameter place: The repository that the error is about, where this one only stands in for it.
    func requireIdentity(at place: URL? = nil) throws {
        for variable in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
            _ = try git(
                ["var", variable],
                orRefuse: { _ in
                    EditError(
                        .environment, at: (place ?? folder).path, "git does not know who makes its commits.",
                        why: "Each release is a commit, and a commit has an author.",
                        mend: "git config --global user.name \"Your Name\" && "
                            + "git config --global user.email you@example.com")
                })
        }
    }

    /// An empty repository, its branch called `main`.
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
                why: "A release is a commit and a tag.", mend: "See to it, and run the export again.")
        }
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
