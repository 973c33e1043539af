import Foundation
import ModuleTree
import ModuleVersions

/// What the past says about each row of VERSIONS.md, of pairs and of libraries: with which states it has to be
/// compared.
struct Releases: Sendable {
    /// A state of the past: a commit, and the row that a module had there.
    struct Base: Sendable {
        let commit: String
        let row: VersionsFile.Row
        /// The version there of the Api that the row's IMP implements, its own or another's.
        let api: SemanticVersion?

        init(commit: String, row: VersionsFile.Row, among rows: [String: VersionsFile.Row]) {
            (self.commit, self.row) = (commit, row)
            api = row.implementedApi(among: rows)
        }
    }

    /// One module's row now, and its past.
    struct Module: Sendable {
        let row: VersionsFile.Row

        /// The version of the Api that the IMP implements, its own or another's.
        let api: SemanticVersion?

        /// The states that the IMP's sources may only differ from when its version does.
        let impBases: [Base]

        /// The states that the Api's surface may only differ from as far as its version allows.
        let apiBases: [Base]

        /// The row's highest versions of the past.
        let highest: [Base]
    }

    /// A library's version now, and its past.
    struct Library: Sendable {
        let row: VersionsFile.Library

        /// The commit that the library's sources may only differ from when its version does; nil when no commit
        /// has the version yet.
        let base: String?

        /// The highest version of the past, and a commit that has it.
        let highest: (version: SemanticVersion, commit: String)?
    }

    let modules: [Module]
    let libraries: [Library]
    let git: GitRepository
    private let changes: ChangedFiles

    /// - Parameter since: A revision to compare every module with, where the history left it; nil for the commits
    ///   that gave each its current and its previous version.
    init(tree: Tree, table: VersionsFile, since: String?) throws {
        git = try GitRepository(root: tree.root)
        let rows = table.rows
        let current = Dictionary(rows.map { ($0.module, $0) }) { first, _ in first }
        let states: [State]
        if let since {
            let commit = try git.base(since)
            changes = ChangedFiles(git, tree, history: [])
            states = try Self.states(git, [commit])
            modules = rows.map { [states] row in
                let bases = Self.bases(of: row, states)
                return Module(
                    row: row, api: row.implementedApi(among: current), impBases: bases, apiBases: bases,
                    highest: bases)
            }
        } else {
            let history = try git.history(of: [VersionTable.path, "Packages"])
            changes = ChangedFiles(git, tree, history: history)
            let steps = history.filter { $0.touches(VersionTable.path) }
            // A merge is one step, and the releases inside of it happened all the same.
            let inside =
                steps.contains(where: \.isMerge) ? try git.commits(changing: VersionTable.path) : []
            let all = try Self.states(git, steps.map(\.id) + inside)
            states = Array(all.prefix(steps.count))
            let merged = Array(all.dropFirst(steps.count))
            modules = rows.map { [states] row in
                Self.module(row, api: row.implementedApi(among: current), states, merged: merged)
            }
        }
        libraries = table.libraries.map { [states] in Self.library($0, states) }
    }

    /// How the files of the given folders differ from a commit, by path.
    func changed(since commit: String, in folders: [String]) throws -> [GitRepository.Change] {
        try changes.files(since: commit, in: folders)
    }

    /// What VERSIONS.md said at a commit.
    private struct State {
        let commit: String
        let rows: [String: VersionsFile.Row]
        let libraries: [String: SemanticVersion]

        init(commit: String, _ file: VersionsFile?) {
            self.commit = commit
            rows = Dictionary(file?.rows.map { ($0.module, $0) } ?? []) { first, _ in first }
            libraries = Dictionary(file?.libraries.map { ($0.name, $0.version) } ?? []) { first, _ in first }
        }
    }

    private static func states(_ git: GitRepository, _ commits: [String]) throws -> [State] {
        // Many commits write notes and leave the tables as they are.
        var known: [String: VersionsFile] = [:]
        return zip(commits, try git.contents(commits.map { git.blob(VersionTable.path, at: $0) })).map {
            commit, data in
            let text = data.map(VersionTable.withoutNotes)
            let file = text.map { known[$0] ?? VersionsFile.read($0).file }
            if let text { known[text] = file }
            return State(commit: commit, file)
        }
    }

    /// - Parameter states: Newest first, merges as one step.
    private static func library(_ row: VersionsFile.Library, _ states: [State]) -> Library {
        let past = states.compactMap { state in
            state.libraries[row.name].map { (version: $0, commit: state.commit) }
        }
        return Library(
            row: row, base: past.prefix { $0.version == row.version }.last?.commit,
            highest: past.max { $0.version < $1.version })
    }

    /// - Parameters:
    ///   - states: Newest first, merges as one step.
    ///   - merged: Newest first, those inside of merges too; empty when there are none.
    private static func module(
        _ row: VersionsFile.Row, api now: SemanticVersion?, _ states: [State], merged: [State]
    ) -> Module {
        let past = bases(of: row, states)
        let imp = runs(past) { $0.imp }
        // A prerelease promises nothing, so what follows it is compared with the release before.
        let api = runs(past) { $0.api }.filter { base in
            base.row.api == row.api || base.row.api.version?.prerelease.isEmpty ?? true
        }
        // The release before the current one: its step is judged too, so that a commit cannot hide it.
        var apiBases = Array(api.prefix(api.first?.row.api == row.api ? 2 : 1))
        if let current = row.api.version, let last = apiBases.last?.row.api.version,
            // Of one version the oldest, which comes first in the reversed order.
            let between = bases(of: row, merged).reversed().filter({ base in
                base.row.api.version.map { $0 > last && $0 < current && $0.prerelease.isEmpty } ?? false
            }).max(by: { ($0.row.api.version ?? last) < ($1.row.api.version ?? last) })
        {
            apiBases = apiBases.filter { $0.row.api == row.api } + [between]
        }
        return Module(
            row: row, api: now,
            impBases: imp.first.map { [$0] } ?? [],
            apiBases: apiBases,
            highest: [
                past.max { $0.row.imp < $1.row.imp },
                past.max { ($0.row.api.version ?? row.imp) < ($1.row.api.version ?? row.imp) },
                // What the row was before the current IMP version, for the Api that has to rise with it.
            ].compactMap(\.self) + (imp.first?.row.imp == row.imp ? Array(imp.dropFirst().prefix(1)) : []))
    }

    private static func bases(of row: VersionsFile.Row, _ states: [State]) -> [Base] {
        states.compactMap { state in
            state.rows[row.module].map { Base(commit: state.commit, row: $0, among: state.rows) }
        }
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

extension VersionsFile.Row {
    /// The version of the Api that the row's IMP implements: its own, or that of the pair it is an alternative to.
    func implementedApi(among rows: [String: VersionsFile.Row]) -> SemanticVersion? {
        switch api {
        case .own(let version): version
        case .of(let other): rows[other]?.api.version
        }
    }
}
