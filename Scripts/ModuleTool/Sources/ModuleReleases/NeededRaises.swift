import ModuleRules
import ModuleVersions

extension RuleContext {
    /// The released versions of each Api and library, by name.
    package func releasedVersions() throws -> [String: [SemanticVersion]] {
        let packages = try releases.map { $0.apis + $0.libraries } ?? []
        return Dictionary(packages.map { ($0.name, $0.versions) }) { first, _ in first }
    }

    /// The releases that are due: one for each pair or library that changed since its last release, with the smallest
    /// version step that its changes require, in the order of VERSIONS.md. A package that was never released is due if
    /// it has unreleased notes, and keeps its version.
    package func neededRaises() throws -> [VersionRaise] {
        guard let table = try versions.value, let releases = try releases else { return [] }
        let packages = releases.apis + releases.libraries
        let changes = try self.changes
        return try packages.compactMap { package -> VersionRaise? in
            if package.isNew {
                return try awaitsRelease(package.row)
                    ? VersionRaise(name: package.row, step: nil, imps: []) : nil
            }
            let owned = releases.imps.filter {
                (table.row(of: $0.name)?.api.owner ?? $0.name) == package.row
            }
            // The newest base comes first: the commit that set the package's last committed version.
            let surface = changes.first {
                $0.release.name == package.name && $0.base.commit == package.bases.first?.commit
                    && !$0.isRaisedEnough && $0.surface.isChanged
            }
            let changed = (owned + (surface == nil ? [package] : [])).compactMap { release in
                changes.first { $0.release.name == release.name && $0.isUnreleased }.map {
                    (release.name, $0.files)
                }
            }
            guard let step = surface?.step ?? (changed.isEmpty ? nil : .patch) else { return nil }
            return VersionRaise(
                name: package.row, step: step,
                imps: changed.map(\.0).filter { table.row(of: $0) != nil },
                reasons: (surface?.effects ?? []).map { "\(package.name): \($0.what)" }
                    + changed.map { name, files in
                        let count = files.count == 1 ? "1 file:" : "\(files.count) files, such as"
                        return "\(name) changed in \(count) \(files[0])"
                    },
                unannounced: try surface.map(unannounced) ?? [])
        }
    }

    /// The removals that neither a comment nor `.modules.yml` allows, with their places.
    private func unannounced(in change: PackageChange) throws -> [String] {
        guard isError(.versionDeprecation) else { return [] }
        let allowances = try allowances.value
        return change.unannounced.compactMap { removal in
            let place = change.place(of: removal)
            let rules = [Rule.versionStep.id, Rule.versionDeprecation.id]
            return rules.contains { allowances.allows($0, at: place) }
                ? nil : "\(place): \(change.text(of: removal))"
        }
    }
}
