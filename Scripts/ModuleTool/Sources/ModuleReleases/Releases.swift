import Foundation
import ModuleEdits
import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions

/// The released versions of each package, and the commits to compare it with.
///
/// A version is released by the commit that raises the row of VERSIONS.md to it, or by a tag on a commit with that row.
/// The first version of a row after `releases-after` is where the package starts, and is released only by a tag or, for
/// an IMP, with a later version of its Api.
/// Only the first-parent history counts: a merge is one commit.
struct Releases: Sendable {
    /// A past commit, and a package's version at that commit.
    struct Base: Sendable {
        let commit: String
        let version: SemanticVersion
        /// The last revision that may have other notes of older versions: before the commit that raised the version.
        let before: String
        /// The folder of the tree in the repository at that commit: empty, or with a trailing slash.
        let folder: String
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

        /// Whether no version of the package is released, so that nobody can depend on it.
        var isNew: Bool { past.isEmpty }

        /// The released versions.
        var versions: [SemanticVersion] { past.map(\.version) }

        /// The release of the package's current version; nil if it is not released yet.
        var base: Base? { past.prefix { $0.version == version }.last }

        /// The highest released version, if it is higher than the current version.
        var lowered: Base? {
            past.max { $0.version < $1.version }.flatMap { $0.version > version ? $0 : nil }
        }

        /// The commits that set the package's current and previous versions. The previous version is included so that
        /// a step is still checked after it is committed.
        var bases: [Base] {
            let runs = past.reduce(into: [Base]()) { runs, base in
                if runs.last?.version == base.version { runs.removeLast() }
                runs.append(base)
            }
            // A prerelease promises nothing, so the next version is compared with the last release instead.
            let releases = runs.filter { $0.version == version || $0.version.prerelease.isEmpty }
            return Array(releases.prefix(releases.first?.version == version ? 2 : 1))
        }
    }

    let git: GitRepository
    let imps: [Package]
    let apis: [Package]
    let libraries: [Package]
    /// The files of the working tree, as git sees them.
    let files: Lazy<Set<String>>
    /// The files that differ between a commit and the working tree, for each commit of a base.
    let changes: Lazy<[String: [GitRepository.Change]]>
    /// The commits to compare an IMP's version with that of its Api.
    private let compared: [State]

    /// - Parameter since: A revision; every package is compared with the merge base of this revision and `HEAD`. If
    ///   nil, each package is compared with the commits that set its current and its previous version.
    init(tree: Tree, table: VersionsFile, since: String?) throws {
        let git = try GitRepository(root: tree.root)
        let history = try History(git, tree.names, since: since)
        compared = history.named.map { [$0] } ?? history.steps
        func package(
            _ name: String, _ row: some VersionRow, _ version: SemanticVersion,
            with api: (State) -> SemanticVersion? = { _ in nil }, _ past: (State) -> SemanticVersion?
        ) -> Package {
            func bases(_ states: [State], before: String = "") -> [Base] {
                states.compactMap { state in
                    past(state).map {
                        Base(
                            commit: state.commit, version: $0, before: state.commit + before,
                            folder: state.folder)
                    }
                }
            }
            let start = history.steps.last { past($0) != nil }
            let (first, firstApi) = (start.flatMap(past), start.flatMap(api))
            func isLater(_ now: SemanticVersion?, than first: SemanticVersion?) -> Bool {
                guard let now, let first else { return false }
                return now > first
            }
            func isRaised(_ state: State) -> Bool {
                isLater(past(state), than: first) || isLater(api(state), than: firstApi)
            }
            let raised = bases(history.steps.filter(isRaised), before: "^")
            let tagged = history.tagged.filter { $0.released == nil || $0.released == row.name }
            let released = raised + bases(tagged.filter { !isRaised($0) })
            let named = history.named.map { state in
                bases([state]).filter { base in released.contains { $0.version == base.version } }
            }
            return Package(
                name: name, row: row.name, version: version, place: row.place, past: named ?? released)
        }
        imps = table.rows.map { row in
            package(
                row.module, row, row.imp,
                with: { state in state.rows[row.module]?.implementedApi { state.rows[$0] } },
                { $0.rows[row.module]?.imp })
        }
        apis = table.rows.compactMap { row in
            row.api.version.map { version in
                package(tree.names.api(row.module), row, version) { $0.rows[row.module]?.api.version }
            }
        }
        libraries = table.libraries.map { row in
            package(row.name, row, row.version) { $0.libraries[row.name] }
        }
        let commits = Set((imps + apis + libraries).flatMap(\.bases).map(\.commit))
        self.git = git
        changes = Lazy {
            // By bytes, because git may track two files whose names are equal as strings.
            func byPath(_ changes: [GitRepository.Change]) -> [Data: GitRepository.Change] {
                Dictionary(changes.map { (Data($0.path.utf8), $0) }) { $1 }
            }
            let untracked = try git.untracked().map { GitRepository.Change(path: $0, old: nil) }
            let open = try byPath(untracked).merging(byPath(git.trackedChanges(since: "HEAD"))) { $1 }
            return try git.committedChanges(since: commits).mapValues { committed in
                open.merging(byPath(committed)) { $1 }.values.sorted { $0.path < $1.path }
            }
        }
        files = Lazy {
            try GitRepository.files(in: tree.root).filter {
                FileManager.default.fileExists(atPath: tree.root + "/" + $0)
            }
        }
    }

    /// The last lower version of a row's IMP that was released with the same version of the same Api.
    func lowerImp(of row: VersionsFile.Row, in table: VersionsFile) -> SemanticVersion? {
        guard let api = row.implementedApi({ table.row(of: $0) }) else { return nil }
        return compared.lazy.compactMap { state -> SemanticVersion? in
            guard let old = state.rows[row.module], old.imp < row.imp, old.api.owner == row.api.owner,
                old.implementedApi({ state.rows[$0] }) == api
            else { return nil }
            return old.imp
        }.first
    }

    /// The commits with the versions of all packages, each list newest first.
    private struct History {
        /// The commits that set versions, from the first one after `releases-after`.
        let steps: [State]
        let tagged: [State]
        /// The commit that the user named to compare with. Empty if it is not newer than `releases-after`.
        let named: State?

        init(_ git: GitRepository, _ configuration: Configuration, since: String?) throws {
            let floor = try configuration.releasesAfter.map { try git.floor($0, from: "releases-after") }
            var (steps, paths) = try git.steps(changing: VersionsFile.path, after: floor)
            // The versions start at the first commit after `releases-after`, whether or not it changes them.
            if let first = try floor.flatMap(git.first), steps.last != first { steps.append(first) }
            let tags = try git.tags(after: floor).compactMap { name, commit in
                ReleaseTag(name, matching: configuration.releaseTags).map { ($0.name, commit) }
            }
            let named = try since.map { try git.base($0) }
            let states = try Releases.states(
                git, steps + tags.map(\.1) + (named.map { [$0] } ?? []), of: paths)
            self.steps = Array(states.prefix(steps.count))
            tagged = zip(states.dropFirst(steps.count), tags).map { state, tag in
                var state = state
                // A name of none of the packages is that of the whole tree.
                let row = state.rows.keys.first { [$0, configuration.api($0)].contains(tag.0) }
                state.released = row ?? tag.0.flatMap { state.libraries[$0] == nil ? nil : $0 }
                return state
            }
            let isOld = try named.flatMap { named in try floor.map { try git.isAncestor(named, of: $0) } }
            self.named = named.map {
                isOld == true ? State(commit: $0, folder: "", nil) : states[states.count - 1]
            }
        }
    }

    /// The tables of VERSIONS.md at a commit.
    private struct State {
        let commit: String
        /// The folder of the tree in the repository.
        let folder: String
        let rows: [String: VersionsFile.Row]
        let libraries: [String: SemanticVersion]
        /// The row that the commit's tag releases; nil for all rows.
        var released: String?

        init(commit: String, folder: String, _ file: VersionsFile?) {
            (self.commit, self.folder) = (commit, folder)
            rows = Dictionary(file?.rows.map { ($0.module, $0) } ?? []) { first, _ in first }
            libraries = Dictionary(file?.libraries.map { ($0.name, $0.version) } ?? []) { first, _ in first }
        }
    }

    /// - Parameter paths: The paths that VERSIONS.md has had in the repository, newest first.
    private static func states(
        _ git: GitRepository, _ commits: [String], of paths: [String]
    ) throws -> [State] {
        // Older revisions contain the change notes below the tables. Cutting these notes off lets equal tables be
        // parsed only once.
        var known: [Data: VersionsFile] = [:]
        let contents = try git.contents(commits.flatMap { commit in paths.map { "\(commit):\($0)" } })
        return commits.enumerated().map { index, commit in
            let found = zip(paths, contents[(index * paths.count)...]).first { $0.1 != nil }
            let folder = String((found?.0 ?? paths[0]).dropLast(VersionsFile.path.count))
            guard let data = found?.1 else { return State(commit: commit, folder: folder, nil) }
            let tables = data.range(of: Data("\n## ".utf8)).map { data[..<$0.lowerBound] } ?? data
            let file = known[tables] ?? VersionsFile(String(decoding: tables, as: UTF8.self))
            known[tables] = file
            return State(commit: commit, folder: folder, file)
        }
    }
}

extension VersionsFile.Row {
    /// The version of the Api that the row's IMP implements: the pair's own Api or, for an alternative IMP, the
    /// Api of the other pair.
    fileprivate func implementedApi(_ rows: (String) -> VersionsFile.Row?) -> SemanticVersion? {
        api.version ?? api.owner.flatMap { rows($0)?.api.version }
    }
}

extension Releases: Derived {
    static func value(in context: RuleContext) throws -> Releases? {
        let (tree, since) = (context.tree, context.since)
        if !tree.hasVersions { return nil }
        if since == nil, try GitRepository.isUnborn(root: tree.root) { return nil }
        return try context.versions.value.map { try Releases(tree: tree, table: $0, since: since) }
    }
}

extension RuleContext {
    /// The history of each row of VERSIONS.md; nil if the tree has no such file, or no commit.
    var releases: Releases? { get throws { try value(of: Releases.self) } }

    /// The number of rows in the tables of VERSIONS.md.
    func rows() throws -> Int { try versions.value.map { $0.rows.count + $0.libraries.count } ?? 0 }
}
