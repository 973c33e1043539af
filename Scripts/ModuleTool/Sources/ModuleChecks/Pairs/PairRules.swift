import ModuleRules
import ModuleTree

extension Rule {
    static let pairHalves = Rule("pair-halves", in: .pairs, needsWholeTree: true, over: \.halves) {
        half, report in
        let tree = report.tree
        let other = half.role == .api ? half.pairName : half.apiName
        let wanted = half.path.dropLast(half.name.count) + other
        if tree.package(in: String(wanted)) != nil { return }
        if half.role == .imp {
            if tree.api(of: half) != nil { return }
            report(
                half.place, "\(half.name) has no Api package named \(other)",
                fix:
                    "If the package is a helper and no module, move it to a lower layer"
                    + (report.context.helperLayer(below: half).map { ", such as \($0)" } ?? "")
                    + "; otherwise add the package \(wanted), or register another pair's protocol as an alternative IMP."
            )
        } else if let elsewhere = tree.package(other) {
            report(
                half.place, "\(half.name) and its IMP are in different folders",
                fix: "Run: git mv \(elsewhere.path) \(wanted)", notes: [.init(elsewhere.place, "the IMP")])
        } else {
            report(
                half.place, "\(half.name) has no IMP named \(other)",
                fix: "Add the package \(wanted), or remove \(half.path).")
        }
    }

    static let pairNames = Rule("pair-names", in: .pairs, counting: { $0.named.count }) { report in
        let hasReleasedLibraries = try report.context.versions.value?.libraries.isEmpty == false
        var first: [String: LocalPackage] = [:]
        for package in report.context.named {
            let (name, manifest) = (package.name, package.manifestPath)
            if let other = first.updateValue(package, forKey: name.lowercased()) {
                report(
                    package.place, "two packages have a folder named \(name)",
                    fix: "Rename one of the folders and its package.",
                    notes: [.init(other.place, "the other package")])
            }
            let isHalf = package.role == .api || package.role == .imp
            guard isHalf || hasReleasedLibraries && package.isLibrary else { continue }
            if package.manifest.name != name {
                report(
                    package.place, "the package in \(package.path) is named \(package.manifest.name)",
                    fix: "Write name: \"\(name)\" in \(manifest).")
            }
            if !package.targets.contains(where: { $0.name == name }) {
                report(
                    package.place, "\(name) has no target named \(name)",
                    fix: "Add .target(name: \"\(name)\") in \(manifest).")
            }
            if !package.targets(ofProduct: name).contains(where: { $0.module == name }) {
                report(
                    package.place, "\(name) has no product named \(name) with the target \(name)",
                    fix: "Add .library(name: \"\(name)\", targets: [\"\(name)\"]) in \(manifest).")
            }
        }
    }
}

extension RuleContext {
    /// A folder for libraries in a layer below that of a package; nil if there is none.
    func helperLayer(below package: LocalPackage) -> String? {
        let layers = tree.configuration?.layers.filter { layer in
            layer.rank < package.layer?.rank ?? 0 && [.none, .optional].contains(layer.pairs) && !layer.isApps
        }
        return layers?.last?.folders.first
    }

    /// The packages whose folders need unique names. A tree that is not set up for pairs may contain separate apps whose
    /// packages have equal names. One that is set up begins with the findings that its first pair would cause, so that a
    /// baseline contains them.
    fileprivate var named: [LocalPackage] {
        let isSetUp =
            tree.configuration?.layers.contains { [.optional, .required].contains($0.pairs) } == true
        return isSetUp || tree.hasPairs ? packages.filter { !$0.path.isEmpty } : []
    }
}
