import ModuleTree
import Synchronization

/// Which files differ between commits and the working tree. Each commit is compared at most once, and only
/// when the history shows that the folder was touched since.
///
/// All operations are safe from every thread.
final class ChangedFiles: Sendable {
    private let git: GitRepository
    private let history: [GitRepository.Commit]
    private let age: [String: Int]
    private let known = Mutex<[String: Set<String>]>([:])
    private let lastTouch: Shared<[String: Int]>
    /// Which they are does not depend on the commit.
    private let untracked: Shared<Set<String>>

    /// - Parameter history: Newest first; empty when nothing is known of it.
    init(_ git: GitRepository, _ tree: Tree, history: [GitRepository.Commit]) {
        (self.git, self.history) = (git, history)
        untracked = Shared { try git.untracked(among: Self.sources(of: tree)) }
        age = Dictionary(history.enumerated().map { ($1.id, $0) }) { first, _ in first }
        lastTouch = Shared {
            var touched: [String: Int] = [:]
            for (index, commit) in history.enumerated() {
                for path in commit.paths {
                    for folder in Self.folders(of: path) where touched[folder] == nil {
                        touched[folder] = index
                    }
                }
            }
            return touched
        }
    }

    /// The folders that a file is in, inmost last.
    private static func folders(of path: String) -> [String] {
        path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
    }

    /// The files in these folders that differ between a commit and the working tree.
    func files(since commit: String, in folders: [String]) throws -> [String] {
        if let age = age[commit] {
            let touched = try lastTouch.value
            let dirty = try changes(since: "HEAD")
            let isTouched = folders.contains { folder in
                touched[folder].map { $0 < age } ?? false || dirty.contains { $0.hasPrefix(folder + "/") }
            }
            guard isTouched else { return [] }
        }
        return try changes(since: commit).filter { path in folders.contains { path.hasPrefix($0 + "/") } }
            .sorted()
    }

    /// The files that have a version: those of the targets of pairs and libraries that are not tests.
    private static func sources(of tree: Tree) -> [String] {
        let targets = tree.packages.filter { $0.role == .imp || $0.role == .api || $0.isLibrary }
            .flatMap(\.mainTargets)
        let folders = Set(targets.map(\.folder))
        return targets.flatMap { $0.files.map { tree.files[$0].path } }
            + tree.otherFiles.filter { !folders.isDisjoint(with: Self.folders(of: $0)) }
    }

    private func changes(since commit: String) throws -> Set<String> {
        try known.withLock { known in
            if let changes = known[commit] { return changes }
            let changes = try git.trackedChanges(since: commit).union(untracked.value)
            known[commit] = changes
            return changes
        }
    }
}
