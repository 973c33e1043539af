import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

/// The git repository of one exported package. Exports only add commits and tags.
struct ExportRepository {
    let folder: URL

    var exists: Bool { FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) }

    /// An exported version, with its tag.
    typealias Release = (version: SemanticVersion, tag: String)

    /// The newest exported version of a package; nil if none is exported yet.
    func lastRelease(of package: ExportedPackage) throws -> Release? {
        guard exists else {
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
            guard names?.isEmpty ?? !FileManager.default.fileExists(atPath: folder.path) else {
                throw Diagnostic(
                    .refused, at: folder.path, "this folder is not a git repository.",
                    why: "An export adds commits and tags to a repository.",
                    fix: "Choose another folder with --to, or move this folder away.")
            }
            return nil
        }
        let releases = SemanticVersion.releases(
            among: try git(["tag", "--list"]).split(separator: "\n").map(String.init))
        guard let (tag, highest) = releases.max(by: { $0.version < $1.version }) else { return nil }
        guard highest <= package.version else {
            throw Diagnostic(
                .refused, at: folder.path,
                "\(package.name) was exported as \(highest), but is now \(package.version).",
                why: "Users of the higher version would never get the lower one.",
                fix: "Raise the version above \(highest) in VERSIONS.md.")
        }
        return (highest, tag)
    }

    /// The files of an exported version.
    func files(of release: Release) throws -> [String: Data] {
        let repository = try GitRepository(root: folder.path)
        let commit = try repository.commit(release.tag)
        let paths = try git(["ls-tree", "-r", "-z", "--name-only", commit]).split(separator: "\0").map(
            String.init)
        let contents = try repository.contents(paths.map { repository.blob($0, at: commit) })
        return Dictionary(zip(paths, contents.map { $0 ?? Data() })) { first, _ in first }
    }

    /// Refuses a repository with uncommitted changes or a detached HEAD. Git refuses uncommitted changes too, but
    /// only during the push, when other packages may already have been pushed.
    func refuseWork() throws {
        guard exists else { return }
        let status = try git(["--no-optional-locks", "status", "--porcelain", "--untracked-files=all"])
        guard status.isEmpty else {
            throw Diagnostic(
                .refused, at: folder.path,
                "the repository has uncommitted changes: \(status.split(separator: "\n")[0])",
                why: "An export replaces the files, so the changes would be lost.",
                fix: "Commit or discard the changes: git -C \(folder.path) status")
        }
        _ = try branch()
    }

    /// The current branch; `main` for a repository that does not exist yet.
    func branch() throws -> String {
        guard exists else { return "refs/heads/main" }
        let output = try Git.output(["symbolic-ref", "--quiet", "HEAD"], in: folder.path)
        guard output.status == 0 else {
            throw Diagnostic(
                .refused, at: folder.path, "the repository has a detached HEAD.",
                why: "A release adds a commit to a branch.",
                fix: "Run: git -C \(folder.path) checkout main")
        }
        return output.text.trimmingCharacters(in: .newlines)
    }

    func hasCommits() throws -> Bool {
        try exists
            && Git.output(["rev-parse", "--verify", "--quiet", "HEAD"], in: folder.path).status == 0
    }

    func create() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try git(["init", "--quiet", "--initial-branch=main"])
    }

    private func git(_ arguments: [String]) throws -> String { try Self.git(arguments, in: folder) }

    static func git(_ arguments: [String], in folder: URL, input: Data = Data()) throws -> String {
        let output = try Git.run(arguments, in: folder.path, input: input) { output in
            Diagnostic(
                .environment, at: folder.path,
                "git \(arguments.joined(separator: " ")) failed: "
                    + output.standardError.trimmingCharacters(in: .whitespacesAndNewlines),
                why: "A release is a commit and a tag.",
                fix: "Fix the problem that git reports, and run the export again.")
        }
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
