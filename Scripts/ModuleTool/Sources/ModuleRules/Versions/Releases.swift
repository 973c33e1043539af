import Foundation
import ModuleTree
import ModuleVersions

/// The released versions of each package, and the commits to compare it with.
///
/// A version is released by the commit that raises the row of VERSIONS.md to it, or by a tag on a commit with that row.
/// The first version of a row after `releases-after` is where the package starts, and is released only by a tag.
struct Releases: Sendable {
    /// A past commit, and a package's version at that commit.
    struct Base: Sendable {
        let commit: String
        let version: SemanticVersion
    }

    /// A package's current version and its history.
    struct Package: Sendable {
        let name: String
        /// The name of the row, which `bump` takes.
        let row: String
        let version: SemanticVersion
        let place: SourcePlace
        /// The released versions in the first-parent history, newest first, then those that only a tag released.
        fileprivate let past: [Base]
        /// The released versions in all commits, including those of merged branches, newest first.
        fileprivate let merged: [Base]

        /// Whether no version of the package is released, so that nobody can depend on it.
        var isNew: Bool { past.isEmpty }

        /// The commit that released the package's current version; nil if no commit has released it yet.
        var base: String? { past.prefix { $0.version == version }.last?.commit }

        /// The highest released version, if it is higher than the current version.
        var lowered: Base? { highest.flatMap { $0.version > version ? $0 : nil } }

        private var highest: Base? { (past + merged).max { $0.version < $1.version } }

        /// The commits that set the package's current and previous versions. The previous version is included so that
        /// a step is still checked after it is committed.
        var bases: [Base] {
            let runs = past.reduce(into: [Base]()) { runs, base in
                if runs.last?.version == base.version { runs.removeLast() }
                runs.append(base)
            }
            // A prerelease promises nothing, so the next version is compared with the last release instead.
            let releases = runs.filter { $0.version == version || $0.version.prerelease.isEmpty }
            let bases = Array(releases.prefix(releases.first?.version == version ? 2 : 1))
            // A merge is one step of the history, but the releases on its branch are considered too. If versions are
            // equal, `max` returns the first one, which is the oldest in this reversed order.
            let between = bases.last.flatMap { last in
                merged.reversed().filter {
                    $0.version > last.version && $0.version < version && $0.version.prerelease.isEmpty
                }.max { $0.version < $1.version }
            }
            return between.map { between in bases.filter { $0.version == version } + [between] } ?? bases
        }
    }

    let git: GitRepository
    let imps: [Package]
    let apis: [Package]
    let libraries: [Package]
    private let changes: ChangedFiles
    /// The commits that set versions, each with its first parent, or with itself if it is the first commit.
    private let parents: [String: String]
    private let states: [State]

    /// - Parameter since: A revision; every package is compared with the merge base of this revision and `HEAD`. If
    ///   nil, each package is compared with the commits that set its current and its previous version.
    init(tree: Tree, table: VersionsFile, since: String?) throws {
        git = try GitRepository(root: tree.root)
        let history = try History(git, after: tree.names.releasesAfter, since: since)
        (parents, states) = (history.parents, history.compared)
        func package(
            _ name: String, _ row: String, _ place: SourcePlace, _ version: SemanticVersion,
            _ past: (State) -> SemanticVersion?
        ) -> Package {
            func bases(_ states: [State]) -> [Base] {
                states.compactMap { state in past(state).map { Base(commit: state.commit, version: $0) } }
            }
            let start = history.steps.last { past($0) != nil }.flatMap(past)
            let tagged = bases(history.tagged)
            func isRaised(_ base: Base) -> Bool { start.map { base.version > $0 } ?? false }
            func isTagged(_ base: Base) -> Bool { tagged.contains { $0.version == base.version } }
            let compared = bases(history.compared)
            return Package(
                name: name, row: row, version: version, place: place,
                past: since == nil
                    ? compared.filter(isRaised) + tagged.filter { !isRaised($0) }
                    : compared.filter { isRaised($0) || isTagged($0) },
                merged: bases(history.merged).filter(isRaised))
        }
        imps = table.rows.map { row in
            package(row.module, row.module, row.place, row.imp) { $0.rows[row.module]?.imp }
        }
        apis = table.rows.compactMap { row in
            row.api.version.map { version in
                package(tree.names.api(row.module), row.module, row.place, version) {
                    $0.rows[row.module]?.api.version
                }
            }
        }
        libraries = table.libraries.map { row in
            package(row.name, row.name, row.place, row.version) { $0.libraries[row.name] }
        }
        let bases = (imps + apis + libraries).flatMap(\.bases)
        changes = ChangedFiles(
            git, commits: Set(bases.map(\.commit)),
            folders: tree.packages.flatMap { $0.mainTargets.map(\.folder) })
    }

    /// The files in these folders that differ between a commit and the working tree, sorted by path.
    func changed(since commit: String, in folders: [String]) throws -> [GitRepository.Change] {
        try changes.files(since: commit, in: folders)
    }

    /// Identifies a file in the first parent of a commit that sets versions, or in the commit itself if it sets no
    /// versions or has no parent.
    func old(_ path: String, before commit: String) -> String {
        git.blob(path, at: parents[commit] ?? commit)
    }

    /// The last lower version of a row's IMP that was released with the same version of the same Api.
    func lowerImp(of row: VersionsFile.Row, in table: VersionsFile) -> SemanticVersion? {
        guard let api = row.implementedApi({ table.row(of: $0) }) else { return nil }
        return states.lazy.compactMap { state -> SemanticVersion? in
            guard let old = state.rows[row.module], old.imp < row.imp, old.api.owner == row.api.owner,
                old.implementedApi({ state.rows[$0] }) == api
            else { return nil }
            return old.imp
        }.first
    }

    /// The commits with the versions of all packages, each list newest first.
    private struct History {
        /// The commits that sets versions in the first-parent history, from the first one after `releases-after`.
        let steps: [State]
        /// The commits to compare the versions with: ``steps``, or the commit that the user named.
        let compared: [State]
        /// The commits that set versions, if any of them is on a merged branch.
        let merged: [State]
        let tagged: [State]
        let parents: [String: String]

        init(_ git: GitRepository, after key: String?, since: String?) throws {
            let floor = try key.map { try git.floor($0, from: "releases-after") }
            let history = try git.steps(changing: VersionsFile.path, after: floor)
            parents = Dictionary(uniqueKeysWithValues: history.map { ($0.id, $0.parent ?? $0.id) })
            // The versions start at the first commit after `releases-after`, whether or not it changes them.
            let first = try floor.flatMap(git.first)
            let ids = history.map(\.id)
            let steps = ids + (first.map { ids.contains($0) ? [] : [$0] } ?? [])
            // A merge that keeps the versions of its first parent is not a step, but may lose versions that the
            // branch set.
            let inside = since == nil ? try git.commits(changing: VersionsFile.path, after: floor) : []
            let tags = try git.tagged(after: floor)
            var named = try since.map { [try git.base($0)] } ?? []
            // What is not newer than `releases-after` is not compared.
            if let floor { named = try named.filter { try !git.isAncestor($0, of: floor) } }
            let groups = [steps, inside == ids ? [] : inside, tags, named]
            var states = try Releases.states(git, groups.flatMap(\.self))[...]
            let read = groups.map { group in
                defer { states = states.dropFirst(group.count) }
                return Array(states.prefix(group.count))
            }
            (self.steps, merged, tagged) = (read[0], read[1], read[2])
            compared = since == nil ? read[0] : read[3]
        }
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
        // Older revisions contain the change notes below the tables. Cutting these notes off lets equal tables be
        // parsed only once.
        var known: [Data: VersionsFile] = [:]
        return zip(commits, try git.contents(commits.map { git.blob(VersionsFile.path, at: $0) })).map {
            commit, data in
            guard let data else { return State(commit: commit, nil) }
            let tables = data.range(of: Data("\n## ".utf8)).map { data[..<$0.lowerBound] } ?? data
            let file = known[tables] ?? VersionsFile(String(decoding: tables, as: UTF8.self))
            known[tables] = file
            return State(commit: commit, file)
        }
    }
}

extension VersionsFile.Row {
    /// The version of the Api that the row's IMP implements: the pair's own Api or, for an alternative IMP, the
    /// Api of the other pair.
    fileprivate func implementedApi(_ rows: (String) -> VersionsFile.Row?) -> SemanticVersion? {
        api.version ?? api.owner.flatMap { rows($0)?.api.version }
    }

    var place: SourcePlace { SourcePlace(path: VersionsFile.path, line: max(line, 1)) }
}

extension VersionsFile.Api {
    /// The name of the pair that owns the Api; nil for the row's own Api.
    var owner: String? {
        if case .of(let other) = self { other } else { nil }
    }
}

extension VersionsFile.Library {
    var place: SourcePlace { SourcePlace(path: VersionsFile.path, line: max(line, 1)) }
}
