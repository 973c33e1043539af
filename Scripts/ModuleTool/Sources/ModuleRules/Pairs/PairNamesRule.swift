import ModuleTree

/// Folder, package, product and target of a module have one name, and no two packages share a folder name.
struct PairNamesRule: Rule {
    let id = "pair-names"
    let group = RuleGroup.pairs
    let why = "SwiftPM tells local packages apart by their folder's name, and people by the module's"
    let explanation = """
        In the layers the folder's name is the name of the package, of a product and of a target. Folder \
        names are unique in the whole tree, whatever their case: SwiftPM takes a local package's identity \
        from it, and two of one identity are mixed up silently.

        Breaks it:  Packages/Business/Ride with `name: "Rides"`; a second folder called `ride`
        Mend it:    write the folder's name in the manifest, or rename the folder.
        """

    func findings(in subject: Subject) -> [Finding] {
        // Two apps of one tree, which never meet, may well have packages of one name.
        guard subject.tree.hasPairs else { return [] }
        var findings: [Finding] = []
        var first: [String: LocalPackage] = [:]
        for package in subject.tree.packages where !package.path.isEmpty {
            if let other = first.updateValue(package, forKey: package.name.lowercased()) {
                findings.append(
                    finding(
                        package.place, "two packages lie in a folder called \(package.name)",
                        mend: "rename one of the folders and its package",
                        notes: [.init(other.place, "the other one")]))
            }
            guard package.layer != nil, package.role != .app else { continue }
            if package.manifest.name != package.name {
                findings.append(
                    finding(
                        package.place, "the package in \(package.path) is named \(package.manifest.name)",
                        mend: "name: \"\(package.name)\" in \(package.manifestPath)"))
            }
            if !package.targets.contains(where: { $0.name == package.name }) {
                findings.append(
                    finding(
                        package.place, "\(package.name) has no target \(package.name)",
                        mend: ".target(name: \"\(package.name)\") in \(package.manifestPath)"))
            }
            if package.modules(ofProduct: package.name).contains(package.name) == false {
                findings.append(
                    finding(
                        package.place, "\(package.name) has no product \(package.name) of its target",
                        mend: ".library(name: \"\(package.name)\", targets: [\"\(package.name)\"]) in "
                            + package.manifestPath))
            }
        }
        return findings
    }
}
