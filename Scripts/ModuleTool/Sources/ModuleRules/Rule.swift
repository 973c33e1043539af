import ModuleTree
import ModuleVersions

/// One rule of the tree.
package protocol Rule: Sendable {
    /// The identifier that findings carry and `modules explain` takes: words with hyphens.
    var id: String { get }
    var group: RuleGroup { get }

    /// Why the rule exists, and the source document that made it. Every finding says it.
    var why: String { get }

    /// What the rule looks at, what breaks it and how to mend it.
    var explanation: String { get }

    /// Where the tree breaks it.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when it cannot be judged, which is never a pass.
    func findings(in subject: Subject) throws -> [Finding]
}

/// The families that rules come in; `modules check` takes their names too.
package enum RuleGroup: String, Sendable, CaseIterable {
    case pairs, layers, imports, registration, versions
}

/// What the rules judge: a tree, and what is worked out from it once for all of them.
package struct Subject: Sendable {
    package let tree: Tree
    package let graph: PackageGraph

    /// The revision to compare versions with; nil to compare each pair with its own last release.
    package let since: String?

    /// Who declares which type.
    let types: Shared<TypeNames>
    /// Each app with each of its selections.
    let apps: Shared<[LinkedApp]>
    /// VERSIONS.md; nil when there is none.
    let versions: Shared<VersionTable?>
    /// The past of each row; nil when there is no table.
    let releases: Shared<Releases?>
    let apiChanges: Shared<ApiChanges>

    /// - Parameter since: The revision to compare versions with; nil for each pair's own releases.
    package init(_ tree: Tree, since: String? = nil) {
        self.tree = tree
        self.since = since
        graph = PackageGraph(tree)
        let types = Shared { TypeNames(tree) }
        self.types = types
        apps = Shared { LinkedApp.all(in: tree, try types.value) }
        let versions = Shared { VersionTable(root: tree.root) }
        let releases = Shared {
            try versions.value.map { try Releases(tree: tree, table: $0.file, since: since) }
        }
        (self.versions, self.releases) = (versions, releases)
        apiChanges = Shared { try releases.value.map { try ApiChanges($0, tree) } ?? ApiChanges() }
    }
}

extension Rule {
    /// A finding of this rule.
    func finding(
        _ place: SourcePlace, _ what: String, mend: String, notes: [Finding.Note] = []
    ) -> Finding {
        Finding(rule: id, place: place, what: what, why: why, mend: mend, notes: notes)
    }
}

extension LocalPackage {
    /// The first line of the manifest, for findings about the package as a whole.
    var place: SourcePlace { SourcePlace(path: manifestPath) }

    /// The targets that are not tests.
    var mainTargets: [LocalTarget] { targets.filter { $0.kind != .test } }
}
