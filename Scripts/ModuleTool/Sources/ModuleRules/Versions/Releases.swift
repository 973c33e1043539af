import Foundation
import ModuleTree
import ModuleVersions

/// What the past says about each row of VERSIONS.md: with which states it has to be compared.
struct Releases: Sendable {
    /// A state of the past: a commit, and the row that a module had there.
    struct Base: Sendable {
        let commit: String
        let row: VersionsFile.Row
    }

    /// One module's row now, and its past.
    struct Module: Sendable {
        let row: VersionsFile.Row

        /// The states that the IMP's sources may only differ from when its version does.
        let impBases: [Base]

        /// The states that the Api's surface may only differ from as far as its version allows.
        let apiBases: [Base]

        /// The row's highest versions of the past.
        let highest: [Base]
    }

    let modules: [Module]
    let git: GitRepository
    private let changes: ChangedFiles

    /// - Parameter since: A revision to compare every module with; nil for the commits that gave each its
    ///   current and its previous version.
    init(tree: Tree, rows: [VersionsFile.Row], since: String?) throws {
        git = try GitRepository(root: tree.root)
        if let since {
            let commit = try git.commit(since)
            changes = ChangedFiles(git, history: [])
            let old = try Self.rows(git, [commit])[0]
            modules = rows.map { row in
                let bases = old[row.module].map { [Base(commit: commit, row: $0)] } ?? []
                return Module(row: row, impBases: bases, apiBases: bases, highest: bases)
            }
        } else {
            let history = try git.history(of: [VersionTable.path, "Packages"])
            changes = ChangedFiles(git, history: history)
            let commits = history.filter { $0.paths.contains(VersionTable.path) }.map(\.id)
            let states = zip(commits, try Self.rows(git, commits)).map { (commit: $0, rows: $1) }
            modules = rows.map { row in Self.module(row, states) }
        }
    }

    /// The files of the given folders that differ from a base.
    func changed(since base: Base, in folders: [String]) throws -> [String] {
        try changes.files(since: base.commit, in: folders)
    }

    private static func rows(_ git: GitRepository, _ commits: [String]) throws -> [[String: VersionsFile.Row]]
    {
        try git.contents(commits.map { ($0, VersionTable.path) }).map { data in
            Dictionary(data.map(VersionTable.rows)?.map { ($0.module, $0) } ?? []) { first, _ in first }
        }
    }

    /// - Parameter states: Newest first.
    private static func module(
        _ row: VersionsFile.Row, _ states: [(commit: String, rows: [String: VersionsFile.Row])]
    ) -> Module {
        let past = states.compactMap { state in
            state.rows[row.module].map { Base(commit: state.commit, row: $0) }
        }
        let imp = runs(past) { $0.imp }
        let api = runs(past) { $0.api }
        return Module(
            row: row,
            impBases: imp.first.map { [$0] } ?? [],
            // The release before the current one: its step is judged too, so that a commit cannot hide it.
            apiBases: Array(api.prefix(api.first?.row.api == row.api ? 2 : 1)),
            highest: [
                past.max { $0.row.imp < $1.row.imp },
                past.max { ($0.row.api.version ?? row.imp) < ($1.row.api.version ?? row.imp) },
                // What the row was before the current IMP version, for the Api that has to rise with it.
            ].compactMap(\.self) + (imp.first?.row.imp == row.imp ? Array(imp.dropFirst().prefix(1)) : []))
    }

    /// Of each run of equal versions the oldest commit: the one that gave the version.
    private static func runs<Version: Equatable>(
        _ past: [Base], _ version: (VersionsFile.Row) -> Version
    ) -> [Base] {
        past.reduce(into: []) { runs, base in
            if let last = runs.last, version(last.row) == version(base.row) { runs.removeLast() }
            runs.append(base)
        }
    }
}
