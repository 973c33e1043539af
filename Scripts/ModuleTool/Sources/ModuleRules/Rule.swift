import Foundation
import ModuleTree
import ModuleVersions

package protocol Rule: Sendable {
    /// The rule's identifier in findings and on the command line: words joined by hyphens.
    var id: String { get }
    var group: RuleGroup { get }
    var subject: RuleSubject { get }
    /// Whether a missing package could cause false findings, for example about the pairs that an app lacks.
    var needsWholeTree: Bool { get }

    /// Why the rule exists. Every finding quotes this text.
    var why: String { get }

    /// The source document of this architecture that requires the rule, for `modules explain`.
    var source: String? { get }

    /// What the rule checks, an example that breaks it, and the fix.
    var explanation: String { get }

    /// Returns the places where a tree breaks the rule.
    func findings(in context: RuleContext) throws -> [Finding]
}

/// The groups of rules. `modules check` accepts the names of groups and of rules.
package enum RuleGroup: String, Sendable, CaseIterable {
    case pairs, layers, imports, registration, versions
}

/// The tree to check, with derived data that is computed once for all rules.
package struct RuleContext: Sendable {
    package let tree: Tree
    package let graph: PackageGraph

    /// The revision to compare versions with; nil compares each package with its own last release.
    package let since: String?

    let types: Lazy<TypeNames>
    /// Every app, once for each selection of its traits.
    let apps: Lazy<[LinkedApp]>
    /// The contents of VERSIONS.md; nil if the tree has no such file, or no layers.
    let versions: Lazy<VersionsFile?>
    /// The history of each row of VERSIONS.md; nil if the tree has no such file, or no commit.
    let releases: Lazy<Releases?>
    /// The differences between each Api's surface and its releases.
    let apiChanges: Lazy<[SurfaceChange]>

    /// - Parameter since: The revision to compare versions with; nil compares each package with its own last
    ///   release.
    package init(_ tree: Tree, since: String? = nil) {
        self.tree = tree
        self.since = since
        graph = PackageGraph(tree)
        let types = Lazy { TypeNames(tree) }
        self.types = types
        apps = Lazy { LinkedApp.all(in: tree, try types.value) }
        let versions = Lazy {
            guard tree.hasLayers else { return VersionsFile?.none }
            return FileManager.default.contents(atPath: tree.root + "/" + VersionsFile.path)
                .map { VersionsFile(String(decoding: $0, as: UTF8.self)) }
        }
        let releases = Lazy {
            if since == nil, try GitRepository.isUnborn(root: tree.root) { return Releases?.none }
            return try versions.value.map { try Releases(tree: tree, table: $0, since: since) }
        }
        (self.versions, self.releases) = (versions, releases)
        apiChanges = Lazy {
            try releases.value.map { try SurfaceChange.all(of: $0.apis, $0, tree) } ?? []
        }
    }
}

extension Rule {
    package var needsWholeTree: Bool { false }
    package var source: String? { nil }

    package func finding(
        _ place: SourcePlace, _ what: String, fix: String, notes: [Finding.Note] = [],
        repair: Finding.Repair? = nil
    ) -> Finding {
        Finding(rule: id, place: place, what: what, why: why, fix: fix, notes: notes, repair: repair)
    }
}

extension LocalPackage {
    /// The first line of the manifest, for findings about the package as a whole.
    var place: SourcePlace { SourcePlace(path: manifestPath) }

    /// All targets except tests and the fakes of an Api.
    var mainTargets: [LocalTarget] {
        targets.filter { target in target.kind != .test && !fakes.contains { $0 === target } }
    }

    /// The files of these targets.
    var sources: [SourceFile] { mainTargets.flatMap(\.files) }
}
