import Foundation
import ModuleFacts
import ModuleKit
import ModuleTree
import ModuleVersions

extension ExportedPackage {
    /// What callers see of the difference between two exports. An IMP has no callers.
    ///
    /// - Parameter root: The root of the tree, for errors.
    func changes(
        from old: [String: Data], to new: [String: Data], at root: String
    ) throws -> ApiSurface.Changes {
        if source.role == .imp { return .init() }
        func state(_ files: [String: Data]) throws -> ApiSurface.Changes.State {
            let manifest = try ManifestSource(Array(files["Package.swift"] ?? Data()), in: root)
            let layout = PackageFiles(manifest.literal ?? source.manifest, in: "", of: Set(files.keys))
            let terms = ManifestTerms(manifest, layout.manifest, in: "Package.swift")
            return (layout, layout.paths.compactMapValues { files[$0] }, terms)
        }
        return try .init(of: source, from: state(old), to: state(new))
    }

    /// Refuses a version that changes more for callers than its step from an exported version says.
    func refuseStep(
        from version: SemanticVersion, _ old: [String: Data], to new: [String: Data], at root: String
    ) throws {
        let changes = try changes(from: old, to: new, at: root)
        let step = version.step(for: changes)
        if version.isRaised(to: self.version, by: step) { return }
        let effects = changes.breaks.map(\.what)
        throw Diagnostic(
            .refused, at: VersionsFile.path,
            "\(name) was exported as \(version), and needs a \(step) step from there, but is now \(self.version).",
            why: effects.isEmpty
                ? "Something was added or deprecated." : effects.prefix(5).joined(separator: "\n"),
            fix: "Run: " + bump(step))
    }
}
