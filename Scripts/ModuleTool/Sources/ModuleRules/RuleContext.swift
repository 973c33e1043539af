import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

/// The tree to check, with derived data that is computed once for all rules.
package struct RuleContext: Sendable {
    package let tree: Tree
    package let graph: PackageGraph
    /// The places of all targets. A dependency that a manifest computes has the place of its target, as other
    /// dependencies may have, so such a place identifies no cause.
    let targetPlaces: Set<SourcePlace>

    /// The rules that are off or only warn.
    let settings: RuleSettings

    /// The revision to compare versions with; nil compares each package with its own last release.
    package let since: String?

    /// The contents of VERSIONS.md; nil if the tree has no such file, or no versions.
    package let versions: Lazy<VersionsFile?>
    /// The comments that allow findings.
    package let allowances: Lazy<Allowances>
    private let derived = DerivedValues()

    /// - Parameters:
    ///   - since: The revision to compare versions with; nil compares each package with its own last
    ///     release.
    ///   - relied: The groups of rules that count even if `.modules.yml` turns a rule off or into a warning.
    package init(_ tree: Tree, since: String? = nil, relyingOn relied: Set<RuleGroup> = []) {
        self.tree = tree
        self.since = since
        settings = RuleSettings(tree.names, relyingOn: relied)
        graph = PackageGraph(tree)
        targetPlaces = Set(
            tree.packages.flatMap { package in
                package.targets.map { $0.declaration.position.in(package.manifestPath) }
            })
        versions = Lazy {
            guard tree.hasVersions else { return VersionsFile?.none }
            return tree.contents(of: VersionsFile.path).map {
                VersionsFile(String(decoding: $0, as: UTF8.self))
            }
        }
        allowances = Lazy { try Allowances(tree) }
    }

    /// Returns a derived value, which is computed at its first use.
    package func value<Key: Derived>(of key: Key.Type) throws -> Key.Value {
        try derived.value(of: key, in: self)
    }

    /// Those of the given rules that `.modules.yml` does not turn off.
    package func active(_ rules: [Rule]) -> [Rule] { rules.filter { !settings.isOff($0) } }

    /// Whether findings of a rule fail a check: `.modules.yml` neither turns the rule off nor into a warning.
    package func isError(_ rule: Rule) -> Bool { !settings.isOff(rule) && !settings.isWarning(rule.id) }

    package var packages: [LocalPackage] { tree.packages }
    package var apis: [LocalPackage] { packages.filter { $0.role == .api } }
    /// The packages that are IMPs or, where pairs are required, have to become IMPs.
    package var imps: [LocalPackage] { packages.filter { $0.role == .imp } }
    /// The IMPs of Apis. The rule pair-halves reports the others, which may be helpers in the wrong layer.
    package var complete: [LocalPackage] { imps.filter { tree.api(of: $0) != nil } }
    /// The IMPs that have versions.
    package var versioned: [LocalPackage] { tree.names.versions == .table ? complete : [] }
    package var halves: [LocalPackage] { packages.filter { $0.role == .api || $0.role == .imp } }
    package var layered: [LocalPackage] { packages.filter { $0.layer != nil } }
}

extension Tree {
    /// The name of a package on which a manifest depends.
    package func name(of dependency: Manifest.Dependency, in package: LocalPackage) -> String {
        self.package(reachedBy: dependency, of: package)?.name ?? dependency.name
    }
}

extension LocalPackage {
    /// The first line of the manifest, for findings about the package as a whole.
    package var place: SourcePlace { SourcePlace(path: manifestPath) }
}
