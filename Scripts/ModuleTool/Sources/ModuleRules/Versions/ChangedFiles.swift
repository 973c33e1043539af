import ModuleTree
import Synchronization

/// Which files differ between commits and the working tree. What the history says is not asked again: git compares
/// a commit that is in it only for folders with files that are not committed.
///
/// All operations are safe from every thread.
final class ChangedFiles: Sendable {
    private typealias Change = GitRepository.Change

    private let git: GitRepository
    private let age: [String: Int]
    private let past: Shared<Past>
    private let known = Mutex<[String: [GitRepository.Change]]>([:])
    /// Which they are does not depend on the commit.
    private let untracked: Shared<Set<String>>

    /// - Parameter history: Newest first; empty when nothing is known of it.
    init(_ git: GitRepository, _ tree: Tree, history: [GitRepository.Commit]) {
        self.git = git
        untracked = Shared { try git.untracked(among: Self.sources(of: tree)) }
        age = Dictionary(history.enumerated().map { ($1.id, $0) }) { first, _ in first }
        past = Shared { Past(history) }
    }

    /// How the files in these folders differ between a commit and the working tree, by path.
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

    /// What the commits did to each file.
    private struct Past: Sendable {
        /// Newest first.
        private var steps: [String: [(age: Int, change: Change)]] = [:]
        /// The files that any commit changed, by each folder that they are in.
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

        /// What the commits younger than this age, taken together, did to the files in these folders.
        func changes(since age: Int, in folders: [String]) -> [Change] {
            Set(folders.flatMap { paths[$0] ?? [] }).compactMap { path in
                let younger = steps[path]?.prefix { $0.age < age } ?? []
                guard let first = younger.last?.change, let last = younger.first?.change,
                    first.old != last.new
                else { return nil }
                return Change(path: path, old: first.old, new: last.new)
            }
        }
    }

    /// The files that have a version: those of the targets of pairs and libraries that are not tests.
    private static func sources(of tree: Tree) -> [String] {
        let targets = tree.packages.filter { $0.role == .imp || $0.role == .api || $0.isLibrary }
            .flatMap(\.mainTargets)
        let folders = Set(targets.map(\.folder))
        return targets.flatMap { $0.files.map { tree.files[$0].path } }
            + tree.otherFiles.filter { !folders.isDisjoint(with: ModuleRules.folders(of: $0)) }
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

/// The folders that a file is in, inmost last.
private func folders(of path: String) -> [String] {
    path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
}
