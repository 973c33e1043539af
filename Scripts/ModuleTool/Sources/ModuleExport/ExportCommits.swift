import Foundation
import ModuleKit

/// A temporary repository for the commits of an export, so that all of them exist before the first is pushed.
struct ExportCommits {
    private let folder: URL
    /// The author and the date of all commits.
    private let ident: String

    /// - Parameters:
    ///   - folder: An empty folder.
    ///   - date: The date of the source commit, so that the same source always produces the same commit.
    init(folder: URL, date: String) throws {
        self.folder = folder
        _ = try ExportRepository.git(["init", "--quiet", "--bare"], in: folder)
        let output = try Git.output(
            ["var", "GIT_AUTHOR_IDENT"], in: folder.path, with: ["GIT_AUTHOR_DATE": date])
        guard output.status == 0 else {
            throw Diagnostic(
                .environment, "git has no user name or email.",
                why: "Each release is a commit, and a commit needs an author.",
                fix: "Run: git config --global user.name \"Your Name\" && "
                    + "git config --global user.email you@example.com")
        }
        ident = output.text.trimmingCharacters(in: .newlines)
    }

    /// Creates a commit that contains only these files, on top of a repository's current commit.
    ///
    /// - Returns: The commit's identifier.
    func add(_ files: [String: Data], on repository: ExportRepository, message: String) throws -> String {
        var parent = ""
        if try repository.hasCommits() {
            _ = try ExportRepository.git(["fetch", "--quiet", repository.folder.path, "HEAD"], in: folder)
            parent = "from FETCH_HEAD^0\n"
        }
        // The input of `git fast-import`: a commit with a complete list of files.
        var stream = Data("commit refs/heads/new\ncommitter \(ident)\n".utf8)
        func append(_ data: Data) { stream += Data("data \(data.count)\n".utf8) + data + Data("\n".utf8) }
        append(Data(message.utf8))
        stream += Data("\(parent)deleteall\n".utf8)
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            let mode = data.starts(with: "#!".utf8) ? "100755" : "100644"
            stream += Data("M \(mode) inline \(path)\n".utf8)
            append(data)
        }
        _ = try ExportRepository.git(["fast-import", "--quiet", "--force"], in: folder, input: stream)
        return try ExportRepository.git(["rev-parse", "refs/heads/new"], in: folder)
    }

    /// Atomically adds a commit to a branch and creates the commit's tag; also updates the working tree. Git refuses
    /// to move a tag, drop a commit or overwrite uncommitted work.
    func push(_ commit: String, to repository: ExportRepository, branch: String, tag: String) throws {
        _ = try ExportRepository.git(
            [
                "push", "--quiet", "--atomic",
                "--receive-pack=git -c receive.denyCurrentBranch=updateInstead receive-pack",
                repository.folder.path, "\(commit):\(branch)", "\(commit):refs/tags/\(tag)",
            ], in: folder)
    }
}
