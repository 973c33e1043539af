import ModuleTree

/// The findings of one rule in one target or, outside targets, in one package. Long reports are grouped by target,
/// because one edit usually fixes all findings of a target.
struct FindingGroup {
    /// A rule with more findings than this is reported in groups.
    static let limit = 10

    private let owner: String
    private let findings: [Finding]

    /// The groups, in the order of their first findings.
    static func all(of findings: [Finding], in tree: Tree) -> [FindingGroup] {
        let owners = Owners(tree)
        var groups: [[String]: Int] = [:]
        var sorted: [(owner: String, findings: [Finding])] = []
        for finding in findings {
            let owner = owners.name(at: finding.place)
            let index = groups[[finding.rule, owner], default: sorted.count]
            if index == sorted.count { sorted.append((owner, [])) }
            groups[[finding.rule, owner]] = index
            sorted[index].findings.append(finding)
        }
        return sorted.map { FindingGroup(owner: $0.owner, findings: $0.findings) }
    }

    /// The groups as text. Only the first group of a rule says why the rule exists.
    static func text(of groups: [FindingGroup]) -> [String] {
        var explained: Set<String> = []
        return groups.map { $0.text(saysWhy: explained.insert($0.findings[0].rule).inserted) }
    }

    private func text(saysWhy: Bool) -> String {
        let first = findings[0]
        let kinds = Dictionary(grouping: findings, by: \.what).values.sorted { $0[0] < $1[0] }
        let shown = kinds.prefix(5).map { same in
            "\n  \(same[0].place): \(same[0].what)" + (same.count > 1 ? " (\(same.count) places)" : "")
        }
        let fixes = Set(findings.map(\.fix)).count
        return "\(first.rule): \(findings.count) finding\(findings.count == 1 ? "" : "s") in \(owner)"
            + shown.joined() + (kinds.count > 5 ? "\n  and \(kinds.count - 5) more" : "")
            + (saysWhy ? "\n  why:  \(first.why)" : "") + "\n  fix:  \(first.fix)"
            + (fixes == 1 ? "" : ", and \(fixes - 1) more like this")
    }

    /// Finds the target that a place belongs to.
    private struct Owners {
        private let tree: Tree
        private var files: [String: String] = [:]
        private var manifests: [String: LocalPackage] = [:]

        init(_ tree: Tree) {
            self.tree = tree
            for package in tree.packages {
                manifests[package.manifestPath] = package
                for target in package.targets where !tree.isMirror(target, of: package) {
                    for file in target.files { files[file.path] = "the target \(target.name)" }
                }
            }
        }

        func name(at place: SourcePlace) -> String {
            if let owner = files[place.path] { return owner }
            // In a manifest, the lines of a target extend to the next target.
            let target = manifests[place.path]?.targets.map {
                ($0.declaration.position.in(place.path), $0.name)
            }
            .filter { $0.0 <= place && $0.0.line > 1 }.max { $0.0 < $1.0 }
            if let target { return "the target \(target.1)" }
            return tree.owner(ofFolder: PathText.split(place.path).folder).map { "the package \($0.name)" }
                ?? place.path
        }
    }
}
