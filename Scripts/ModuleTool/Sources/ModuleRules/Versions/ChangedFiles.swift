import ModuleTree
import Synchronization

/// Finds the files that differ between a commit and the working tree.
///
/// For folders without uncommitted changes, the result comes from the history given to the initializer. For
/// other folders, git compares the commit with the working tree, once per commit.
///
/// All operations are thread-safe.
final class ChangedFiles: Sendable {
    private typealias Change = GitRepository.Change

    private let git: GitRepository
    private let age: [String: Int]
    private let past: Lazy<Past>
    private let known = Mutex<[String: [GitRepository.Change]]>([:])
    /// The untracked files, which are the same for every commit.
    private let untracked: Lazy<Set<String>>

    /// - Parameter history: The commits, newest first; empty if the history was not read.
    init(_ git: GitRepository, history: [GitRepository.Commit]) {
        self.git = git
        untracked = Lazy { try git.untracked() }
        age = Dictionary(history.enumerated().map { ($1.id, $0) }) { first, _ in first }
        past = Lazy { Past(history) }
    }

    /// The files in these folders that differ between a commit and the working tree, sorted by path.
    func files(since commit: String, in folders: [String]) throws -> [GitRepository.Change] {
        func isInside(_ change: Change) -> Bool { folders.contains { change.path.hasPrefix($0 + "/") } }
        let changes =
            if let age = age[commit], try !changes(since: "HEAD").contains(where: isInside) {
                try past.value.changes(since: age, in: folders)
            } else {
                try changes(since: commit).filter(isInside)
            }
        return changes.sorted { $0.path < $1.path }
    }

    /// The contents of a file before a commit; nil if the file has not changed since, or did not exist.
    ///
    /// - Parameter commit: A commit, or `HEAD` for the last committed contents.
    func old(_ path: String, before commit: String) throws -> GitRepository.Blob? {
        if let age = age[commit], let change = try past.value.change(of: path, since: age + 1) {
            return change.old
        }
        return try changes(since: age[commit] == nil ? commit : "HEAD").first { $0.path == path }?.old
    }

    /// The changes in the history, by file.
    private struct Past: Sendable {
        /// Each file's changes, newest first.
        private var steps: [String: [(age: Int, change: Change)]] = [:]
        /// The changed files, keyed by each of their ancestor folders.
        private var paths: [String: [String]] = [:]

        init(_ history: [GitRepository.Commit]) {
            for (age, commit) in history.enumerated() {
                for change in commit.changes {
                    if steps[change.path] == nil {
                        for folder in folders(of: change.path) {
                            paths[folder, default: []].append(change.path)
                        }
                    }
                    steps[change.path, default: []].append((age, change))
                }
            }
        }

        /// The combined changes of all commits younger than `age` to the files in these folders.
        func changes(since age: Int, in folders: [String]) -> [Change] {
            Set(folders.flatMap { paths[$0] ?? [] }).compactMap { change(of: $0, since: age) }
        }

        /// The combined change of a file in all commits younger than `age`; nil if there is no difference.
        func change(of path: String, since age: Int) -> Change? {
            let younger = steps[path]?.prefix { $0.age < age } ?? []
            guard let first = younger.last?.change, let last = younger.first?.change, first.old != last.new
            else { return nil }
            return Change(path: path, old: first.old, new: last.new)
        }
    }

    private func changes(since commit: String) throws -> [GitRepository.Change] {
        try known.withLock { known in
            if let changes = known[commit] { return changes }
            let tracked = try git.trackedChanges(since: commit)
            let added = try untracked.value.subtracting(tracked.map(\.path))
            let changes = tracked + added.map { Change(path: $0, old: nil, new: nil) }
            known[commit] = changes
            return changes
        }
    }
}

/// All folders above a file, innermost last.
private func folders(of path: String) -> [String] {
    path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
}
