import Foundation
import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions

/// What changed in a package since one of its releases, for those who compile it or its callers.
struct PackageChange: Sendable {
    let release: Releases.Package
    private(set) var package: LocalPackage
    let base: Releases.Base
    /// The files whose code changed, and the manifest if its code did. A removed file has its old path.
    private(set) var files: [String]
    /// What callers see of the change. Empty for an IMP, which has no callers.
    private(set) var surface: ApiSurface.Changes
    /// The first break that a comment accepts, if comments accept all of them. These breaks need a minor step only.
    private(set) var accepted: ApiSurface.Break?

    /// Whether comments accept all breaks of the change.
    var isAccepted: Bool { accepted != nil }

    /// The step that the change needs. Before 1.0.0, a minor step may break callers.
    var step: VersionStep { isAccepted ? min(.minor, fullStep) : fullStep }

    /// The step that the change needs if no comment accepts its breaks.
    private var fullStep: VersionStep { base.version.step(for: surface) }

    /// Whether the package still has the version of the release.
    var isUnreleased: Bool { base.commit == release.base?.commit }

    /// What callers see of the change, each with its place.
    var effects: [(what: String, place: SourcePlace)] {
        let breaks = surface.breaks.map { (text(of: $0), place(of: $0)) }
        // The comment stands at the declaration, and accepts the break but not the step.
        if let accepted, !isRaisedEnough, base.version != release.version {
            return breaks + [
                (text(of: accepted) + ", which a comment accepts for a minor step", release.place)
            ]
        }
        return breaks.isEmpty
            ? [("something was added or deprecated", surface.additions.min() ?? package.place)] : breaks
    }

    /// The place of a break, or that of the package.
    func place(of change: ApiSurface.Break) -> SourcePlace { change.place ?? package.place }

    /// A break for people, with the library that contains the declaration.
    func text(of change: ApiSurface.Break) -> String {
        change.library.map { "in \($0), which \(package.name) shows, \(change.what)" } ?? change.what
    }

    /// The libraries with all changed files; empty if a file of the package itself changed.
    var changedLibraries: [String] {
        if files.contains(where: { $0.isInside(package.path) }) { return [] }
        return Set((surface.breaks + [accepted].compactMap(\.self)).compactMap(\.library)).sorted()
    }

    /// The removals that an Api's release should have announced by a deprecation. Before 1.0.0, nothing is promised.
    var unannounced: [ApiSurface.Break] {
        package.role == .api && base.version.major != 0 ? surface.breaks.filter(\.isUnannounced) : []
    }

    /// Whether the version has risen by at least the step that the change needs if no comment accepts its breaks.
    var isRaised: Bool { base.version.isRaised(to: release.version, by: fullStep) }

    /// Whether the version has risen by at least ``step``.
    var isRaisedEnough: Bool { base.version.isRaised(to: release.version, by: step) }
}

extension ApiSurface.Break {
    /// The first word, which is the path of the declaration.
    fileprivate var subject: Substring { what.prefix { $0 != " " } }
}

extension PackageChange {
    /// The changes of these packages since their releases.
    static func all(
        of packages: [Releases.Package], _ releases: Releases, _ tree: Tree, _ allowances: Lazy<Allowances>
    ) throws -> [PackageChange] {
        var reader = PastReader(releases: releases, tree: tree)
        var pasts: [(release: Releases.Package, package: LocalPackage, base: Releases.Base)] = []
        for release in packages {
            guard let package = tree.package(release.name),
                package.role == .imp || package.role == .api || package.isLibrary
            else { continue }
            // Only the step of an Api is checked after the commit that raises the version.
            let bases = package.role == .api ? release.bases : Array(release.bases.prefix(1))
            for package in try [package] + tree.libraries(shownBy: package) {
                for base in bases where try reader.isTouched(package, since: base) {
                    pasts.append((release, package, base))
                }
            }
        }
        let states = try reader.states(pasts.map { ($0.package, $0.base) })
        var changes = try zip(pasts, states).compactMap { past, state -> PackageChange? in
            guard let state else { return nil }
            if past.package.name != past.release.name {
                // A library that an Api did not import at its release was not shown to callers.
                let api = pasts.indices.first { other in
                    pasts[other].package.name == past.release.name
                        && pasts[other].base.commit == past.base.commit
                }
                if let api, tree.declares(pasts[api].package, past.package),
                    states[api]?.depends(on: past.package) == false
                {
                    return nil
                }
            }
            return try PackageChange(past.release, past.package, past.base, state, tree)
        }
        let small = changes.indices.filter { !changes[$0].isRaised && changes[$0].surface.isChanged }
        let (made, open) = (
            small.filter { changes[$0].made != nil }, small.filter { changes[$0].made == nil }
        )
        let past = try reader.states(
            made.flatMap { index in
                [changes[index].base, changes[index].made].compactMap { base in
                    base.map { (changes[index].package, $0) }
                }
            })
        for (number, index) in made.enumerated() {
            guard let old = past[2 * number], let new = past[2 * number + 1] else { continue }
            try changes[index].judge(as: new, since: old)
        }
        for index in open {
            let (allowances, change) = (try allowances.value, changes[index])
            let areAllowed = change.surface.breaks.allSatisfy {
                allowances.allows(Rule.versionStep.id, at: change.place(of: $0))
            }
            if areAllowed { changes[index].accepted = change.surface.breaks.first }
        }
        return changes.joined(in: tree)
    }

    /// Adds the breaks of a library that the Api shows.
    mutating func add(_ library: PackageChange) {
        let areAccepted = (surface.breaks.isEmpty || isAccepted) && library.isAccepted
        accepted = areAccepted ? accepted ?? library.accepted : nil
        surface.add(library.surface, of: library.package.name, at: library.package.place)
        files = (files + library.files).sorted()
    }

    /// A change of an Api itself that changed nothing, since the same release as a change of a library that the Api shows.
    func ofApi(_ api: LocalPackage) -> PackageChange {
        var change = self
        (change.package, change.files, change.surface, change.accepted) = (api, [], .init(), nil)
        return change
    }

    /// The release of the current version, if the change is compared with an earlier one.
    private var made: Releases.Base? { release.base.flatMap { $0.commit == base.commit ? nil : $0 } }

    /// Keeps what the release of the current version had changed already: all later changes await the next release, and
    /// are compared with this one. Breaks that comments of its commit accepted are accepted for good.
    private mutating func judge(as new: PastReader.State, since old: PastReader.State) throws {
        let (then, accepted) = try new.changes(since: old, of: package)
        // A declaration that has changed again since then is still broken.
        let breaks = then.breaks.compactMap { then in
            surface.breaks.first { $0.subject == then.subject }.map {
                ApiSurface.Break(what: then.what, place: $0.place, isUnannounced: then.isUnannounced)
            }
        }
        surface.breaks = breaks.filter { !accepted.contains($0.what) }
        if surface.breaks.isEmpty { self.accepted = breaks.first }
        let hasAdded = then.breaks.isEmpty ? then.isChanged : !then.additions.isEmpty
        surface.isChanged = !breaks.isEmpty || hasAdded && surface.isChanged
    }

    /// Returns nil if no code changed.
    private init?(
        _ release: Releases.Package, _ package: LocalPackage, _ base: Releases.Base, _ past: PastReader.State,
        _ tree: Tree
    ) throws {
        let manifest = tree.contents(of: package.manifestPath) ?? Data()
        let now = ManifestTerms(
            try ManifestSource(Array(manifest), in: tree.root), package.manifest, in: package.manifestPath)
        let new = past.new.paths.mapValues { path in
            let text = tree.contents(of: path)
            guard let literal = package.versionLiterals.first(where: { $0.file.path == path }) else {
                return text
            }
            // The version in the code is not a change.
            return text.map {
                let released = String(decoding: $0, as: UTF8.self)
                    .replacing("\"\(literal.text)\"", with: "\"\(release.version)\"")
                return Data(released.utf8)
            }
        }
        var names = past.touched.filter { name in
            // The manifest may exclude a file that stays.
            let isMoved = past.old.compiled.contains(name) != past.new.compiled.contains(name)
            return isMoved && past.files[name] != nil && new[name] != nil
                || !SourceCode.isSame(past.files[name], new[name] ?? nil, in: name)
        }
        // A file that moved inside its target has not changed.
        for name in names where new[name] == nil {
            func isMoved(_ other: String) -> Bool {
                past.files[other] == nil && PathText.split(other).name == PathText.split(name).name
                    && other.prefix { $0 != "/" } == name.prefix { $0 != "/" }
                    && SourceCode.isSame(past.files[name], new[other] ?? nil, in: name)
            }
            if let other = names.first(where: isMoved) { names.subtract([name, other]) }
        }
        let isManifestChanged = past.terms.code != now.code
        if names.isEmpty, !isManifestChanged { return nil }
        (self.release, self.package, self.base) = (release, package, base)
        files =
            (names.map { past.new.paths[$0] ?? past.old.paths[$0] ?? $0 }
            + (isManifestChanged ? [package.manifestPath] : [])).sorted()
        surface =
            package.role == .imp
            ? .init() : try past.surfaceChanges(of: package, to: past.new, new.compactMapValues(\.self), now)
    }
}

private enum Changes: Derived {
    static func value(in context: RuleContext) throws -> [PackageChange] {
        try context.releases.map {
            try PackageChange.all(
                of: $0.imps + $0.apis + $0.libraries, $0, context.tree, context.allowances)
        } ?? []
    }
}

extension RuleContext {
    /// What changed in each package since its releases.
    var changes: [PackageChange] { get throws { try value(of: Changes.self) } }
}

extension Tree {
    /// The contents of those of these files that can be read, by path.
    func contents(of paths: [String]) -> [String: Data] {
        Dictionary(paths.map { ($0, contents(of: $0)) }) { first, _ in first }.compactMapValues(\.self)
    }
}
