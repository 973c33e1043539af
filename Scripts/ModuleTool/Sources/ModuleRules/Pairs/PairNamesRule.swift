import ModuleTree

/// A module's folder, package, product and target have the same name, and folder names are unique.
struct PairNamesRule: Rule {
    let id = "pair-names"
    let group = RuleGroup.pairs
    let subject = RuleSubject.halves
    let why = "SwiftPM identifies a local package by its folder, and people identify a pair by its module"
    let explanation = """
        If a package is half of a pair, the package, one of its products and one of its targets must have \
        the name of the folder. The same applies to a library, if VERSIONS.md lists libraries. In a tree \
        with pairs, folder names must be unique, ignoring case: SwiftPM uses them as the identities of local \
        packages, and silently confuses packages with the same identity.

        Breaks it:  Packages/Business/Ride with `name: "Rides"`; a second folder called `ride`
        Fix it:     use the folder's name in the manifest, or rename the folder.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        // Without pairs, a tree may contain separate apps whose packages have equal names.
        guard context.tree.hasPairs else { return [] }
        let hasReleasedLibraries = try context.versions.value?.libraries.isEmpty == false
        var findings: [Finding] = []
        var first: [String: LocalPackage] = [:]
        for package in context.tree.packages where !package.path.isEmpty {
            if let other = first.updateValue(package, forKey: package.name.lowercased()) {
                findings.append(
                    finding(
                        package.place, "two packages have a folder named \(package.name)",
                        fix: "rename one of the folders and its package",
                        notes: [.init(other.place, "the other package")]))
            }
            let isHalf = package.role == .api || package.role == .imp
            guard isHalf || hasReleasedLibraries && package.isLibrary else { continue }
            if package.manifest.name != package.name {
                findings.append(
                    finding(
                        package.place, "the package in \(package.path) is named \(package.manifest.name)",
                        fix: "write name: \"\(package.name)\" in \(package.manifestPath)"))
            }
            if !package.targets.contains(where: { $0.name == package.name }) {
                findings.append(
                    finding(
                        package.place, "\(package.name) has no target named \(package.name)",
                        fix: "add .target(name: \"\(package.name)\") in \(package.manifestPath)"))
            }
            if !package.targets(ofProduct: package.name).contains(where: { $0.module == package.name }) {
                findings.append(
                    finding(
                        package.place,
                        "\(package.name) has no product named \(package.name) with the target \(package.name)",
                        fix: "add .library(name: \"\(package.name)\", targets: [\"\(package.name)\"]) in "
                            + package.manifestPath))
            }
        }
        return findings
    }
}
