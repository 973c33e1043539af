import Foundation
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

    let types: Lazy<TypeNames>
    /// Every app, once for each selection of its traits.
    let apps: Lazy<[LinkedApp]>
    /// The contents of VERSIONS.md; nil if the tree has no such file, or no versions.
    let versions: Lazy<VersionsFile?>
    /// The history of each row of VERSIONS.md; nil if the tree has no such file, or no commit.
    let releases: Lazy<Releases?>
    /// What changed in each package since its releases.
    let changes: Lazy<[PackageChange]>

    /// The comments that allow findings.
    let allowances: Lazy<Allowances>
    /// The end of the root manifest, which every manifest repeats; nil if it has no shared settings.
    let sharedSettings: Lazy<ArraySlice<Substring>?>
    let hiddenUses: Lazy<HiddenUses>
    /// The products that no package of the tree provides, by name.
    let fetched: Lazy<[String: FetchedProduct]>

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
        hiddenUses = Lazy { HiddenUses(tree) }
        fetched = Lazy {
            let products = tree.packages.flatMap { package in
                package.targets.flatMap { target in
                    target.dependencies.filter { tree.package(owning: $0, of: package) == nil }.map {
                        FetchedProduct(
                            dependency: $0, place: target.place(of: $0, in: package),
                            packages: tree.identities(of: $0, in: package))
                    }
                }
            }
            return Dictionary(products.map { ($0.dependency.name, $0) }) { first, _ in first }
        }
        let types = Lazy { TypeNames(tree) }
        self.types = types
        apps = Lazy { tree.hasPairs ? LinkedApp.all(in: tree, try types.value) : [] }
        let versions = Lazy {
            guard tree.hasVersions else { return VersionsFile?.none }
            return tree.contents(of: VersionsFile.path).map {
                VersionsFile(String(decoding: $0, as: UTF8.self))
            }
        }
        let releases = Lazy {
            if !tree.hasVersions { return Releases?.none }
            if since == nil, try GitRepository.isUnborn(root: tree.root) { return Releases?.none }
            return try versions.value.map { try Releases(tree: tree, table: $0, since: since) }
        }
        let allowances = Lazy { try Allowances(tree) }
        (self.versions, self.releases, self.allowances) = (versions, releases, allowances)
        changes = Lazy {
            try releases.value.map {
                try PackageChange.all(of: $0.imps + $0.apis + $0.libraries, $0, tree, allowances)
            } ?? []
        }
        sharedSettings = Lazy {
            let end = tree.lines(of: "Package.swift")?.drop { !$0.hasPrefix(SharedSettings.mark) } ?? []
            return end.isEmpty ? nil : end
        }
    }

    /// Those of the given rules that `.modules.yml` does not turn off.
    package func active(_ rules: [Rule]) -> [Rule] { rules.filter { !settings.isOff($0) } }

    var packages: [LocalPackage] { tree.packages }
    var apis: [LocalPackage] { packages.filter { $0.role == .api } }
    /// The packages that are IMPs or, where pairs are required, have to become IMPs.
    var imps: [LocalPackage] { packages.filter { $0.role == .imp } }
    /// The IMPs of Apis. The rule pair-halves reports the others, which may be helpers in the wrong layer.
    var complete: [LocalPackage] { imps.filter { tree.api(of: $0) != nil } }
    /// The IMPs that have versions.
    var versioned: [LocalPackage] { tree.names.versions == .table ? complete : [] }
    var halves: [LocalPackage] { packages.filter { $0.role == .api || $0.role == .imp } }
    var layered: [LocalPackage] { packages.filter { $0.layer != nil } }

    /// The number of rows in the tables of VERSIONS.md.
    func rows() throws -> Int { try versions.value.map { $0.rows.count + $0.libraries.count } ?? 0 }
}

extension Tree {
    /// The contents of those of these files that can be read, by path.
    func contents(of paths: [String]) -> [String: Data] {
        Dictionary(paths.map { ($0, contents(of: $0)) }) { first, _ in first }.compactMapValues(\.self)
    }
}

extension Tree {
    /// The name of a package on which a manifest depends.
    func name(of dependency: Manifest.Dependency, in package: LocalPackage) -> String {
        self.package(reachedBy: dependency, of: package)?.name ?? dependency.name
    }
}

extension LocalPackage {
    /// The first line of the manifest, for findings about the package as a whole.
    var place: SourcePlace { SourcePlace(path: manifestPath) }
}
