import Foundation
import ModuleTree
import ModuleVersions

/// The history of each row of VERSIONS.md, for pairs and libraries: the commits to compare the row with.
struct Releases: Sendable {
    /// A past commit and a module's row in that commit.
    struct Base: Sendable {
        let commit: String
        let row: VersionsFile.Row
        /// The version at that commit of the Api that the IMP implements: its own or another pair's.
        let api: SemanticVersion?

        init(commit: String, row: VersionsFile.Row, among rows: [String: VersionsFile.Row]) {
            (self.commit, self.row) = (commit, row)
            api = row.implementedApi(among: rows)
        }
    }

    /// A module's current row and its history.
    struct Module: Sendable {
        let row: VersionsFile.Row

        /// The version of the Api that the IMP implements: its own or another pair's.
        let api: SemanticVersion?

        /// The commits to compare the IMP's sources with. Any difference needs a new version.
        let impBases: [Base]

        /// The commits to compare the Api's surface with. The differences determine how far its version has
        /// to rise.
        let apiBases: [Base]

        /// The past rows with the highest IMP version, the highest Api version and, if the current IMP
        /// version is committed, the previous IMP version.
        let highest: [Base]
    }

    /// A library's current row and its history.
    struct Library: Sendable {
        let row: VersionsFile.Library

        /// The commit that gave the library its current version; nil if that version is not committed yet.
        /// Any difference of the sources needs a new version.
        let base: String?

        /// The highest past version, and a commit that has it.
        let highest: (version: SemanticVersion, commit: String)?
    }

    let modules: [Module]
    let libraries: [Library]
    let git: GitRepository
    private let changes: ChangedFiles

    /// - Parameter since: A revision, to compare every module with the merge base of this revision and
    ///   `HEAD`; nil compares each module with the commits that set its current and its previous version.
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
            // `steps` shows a merge as one commit, but the releases on the merged branch count too.
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

    /// The files in these folders that differ between a commit and the working tree, sorted by path.
    func changed(since commit: String, in folders: [String]) throws -> [GitRepository.Change] {
        try changes.files(since: commit, in: folders)
    }

    /// The tables of VERSIONS.md at a commit.
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
        // Many commits change only the notes, so equal tables are parsed only once.
        var known: [String: VersionsFile] = [:]
        return zip(commits, try git.contents(commits.map { git.blob(VersionTable.path, at: $0) })).map {
            commit, data in
            let text = data.map(VersionTable.withoutNotes)
            let file = text.map { known[$0] ?? VersionsFile.read($0).file }
            if let text { known[text] = file }
            return State(commit: commit, file)
        }
    }

    /// - Parameter states: The first-parent history, newest first.
    private static func library(_ row: VersionsFile.Library, _ states: [State]) -> Library {
        let past = states.compactMap { state in
            state.libraries[row.name].map { (version: $0, commit: state.commit) }
        }
        return Library(
            row: row, base: past.prefix { $0.version == row.version }.last?.commit,
            highest: past.max { $0.version < $1.version })
    }

    /// - Parameters:
    ///   - states: The first-parent history, newest first.
    ///   - merged: All commits, including commits on merged branches, newest first; empty if there are no
    ///     merges.
    private static func module(
        _ row: VersionsFile.Row, api now: SemanticVersion?, _ states: [State], merged: [State]
    ) -> Module {
        let past = bases(of: row, states)
        let imp = runs(past) { $0.imp }
        // A prerelease promises nothing, so the next version is compared with the last release instead.
        let api = runs(past) { $0.api }.filter { base in
            base.row.api == row.api || base.row.api.version?.prerelease.isEmpty ?? true
        }
        // Includes the previous release, so that a version step is still checked after it was committed.
        var apiBases = Array(api.prefix(api.first?.row.api == row.api ? 2 : 1))
        if let current = row.api.version, let last = apiBases.last?.row.api.version,
            // Among equal versions, `max` returns the first, which is the oldest in this reversed order.
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
                // The row before the current IMP version, to check that the Api rose with the IMP.
            ].compactMap(\.self) + (imp.first?.row.imp == row.imp ? Array(imp.dropFirst().prefix(1)) : []))
    }

    private static func bases(of row: VersionsFile.Row, _ states: [State]) -> [Base] {
        states.compactMap { state in
            state.rows[row.module].map { Base(commit: state.commit, row: $0, among: state.rows) }
        }
    }

    /// The oldest commit of each run of equal versions, which is the commit that set the version.
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
    /// The version of the Api that the row's IMP implements: the pair's own Api or, for an alternative IMP, the
    /// Api of the other pair.
    func implementedApi(among rows: [String: VersionsFile.Row]) -> SemanticVersion? {
        switch api {
        case .own(let version): version
        case .of(let other): rows[other]?.api.version
        }
    }
}
