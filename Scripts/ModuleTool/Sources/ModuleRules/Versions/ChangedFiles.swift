import ModuleTree
import Synchronization

/// Finds the files that differ between a commit and the working tree.
///
/// For folders without uncommitted changes, one git process compares all commits with `HEAD`. For other folders, git
/// compares the commit with the working tree, once per commit.
///
/// All operations are thread-safe.
final class ChangedFiles: Sendable {
    private let git: GitRepository
    private let committed: Lazy<[String: [GitRepository.Change]]>
    private let known = Mutex<[String: [GitRepository.Change]]>([:])
    /// The untracked files, which are the same for every commit.
    private let untracked: Lazy<Set<String>>

    init(_ git: GitRepository, commits: Set<String>, folders: [String]) {
        self.git = git
        untracked = Lazy { try git.untracked() }
        committed = Lazy { try git.committedChanges(since: commits, in: folders) }
    }

    /// The files in these folders that differ between a commit and the working tree, sorted by path.
    func files(since commit: String, in folders: [String]) throws -> [GitRepository.Change] {
        func isInside(_ change: GitRepository.Change) -> Bool {
            folders.contains { change.path.hasPrefix($0 + "/") }
        }
        let isClean = try !changes(since: "HEAD").contains(where: isInside)
        let changes = try (isClean ? committed.value[commit] : nil) ?? changes(since: commit)
        return changes.filter(isInside).sorted { $0.path < $1.path }
    }

    private func changes(since commit: String) throws -> [GitRepository.Change] {
        try known.withLock { known in
            if let changes = known[commit] { return changes }
            let tracked = try git.trackedChanges(since: commit)
            let added = try untracked.value.subtracting(tracked.map(\.path))
            let changes = tracked + added.map { GitRepository.Change(path: $0, old: nil) }
            known[commit] = changes
            return changes
        }
    }
}
