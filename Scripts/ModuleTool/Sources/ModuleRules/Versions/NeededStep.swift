import ModuleTree
import ModuleVersions

/// The smallest step that the changes of a pair or a library since its last release need.
package struct NeededStep: Sendable {
    package let name: String
    package let step: VersionStep
    /// The changed IMPs of the pair's Api: its own and alternatives. Empty for a library.
    package let imps: [String]
    /// The changes that need the step, one line each.
    package let reasons: [String]
}

extension RuleContext {
    /// The steps of all pairs and libraries that changed since their last release, in the order of VERSIONS.md.
    package func neededSteps() throws -> [NeededStep] {
        guard let table = try versions.value, let releases = try releases.value else { return [] }
        let packages = releases.apis + releases.libraries
        let surfaces = try SurfaceChange.all(of: packages, releases, tree)
        return try packages.compactMap { package -> NeededStep? in
            let sources =
                releases.imps.filter { imp in
                    (table.row(of: imp.name)?.api.owner ?? imp.name) == package.row
                } + releases.libraries.filter { $0.name == package.name }
            let changed = try sources.map { ($0, try changedSources(of: $0)) }.filter { !$0.1.isEmpty }
            // The newest base comes first: the commit that set the package's last committed version.
            let surface = surfaces.first {
                $0.release.name == package.name && $0.base.commit == package.bases.first?.commit
                    && !$0.isRaised
            }
            guard let step = surface?.step ?? (changed.isEmpty ? nil : .patch) else { return nil }
            let breaks = surface?.surface.breaks ?? []
            let seen = breaks.isEmpty && surface != nil ? ["something was added or deprecated"] : breaks
            return NeededStep(
                name: package.row, step: step,
                imps: changed.map(\.0.name).filter { table.row(of: $0) != nil },
                reasons: seen.map { "\(package.name): \($0)" }
                    + changed.map { source, files in
                        let count = files.count == 1 ? "1 file:" : "\(files.count) files, such as"
                        return "\(source.name) changed in \(count) \(files[0])"
                    })
        }
    }
}
