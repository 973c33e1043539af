import Foundation
import ModuleTree

/// Every local dependency leads to a package.
struct PackageFoundRule: Rule {
    let id = "package-found"
    let group = RuleGroup.imports
    let subject = RuleSubject.packages
    let why = "no rule can check a package that the tool does not find"
    let explanation = """
        The path of `.package(path:)` must point to a folder with a Package.swift. A folder of the tree whose \
        name begins with a dot does not count, because the tool skips hidden folders.

        Breaks it:  .package(path: "../RideAip")
        Fix it:     .package(path: "../RideApi")
        """

    func findings(in context: RuleContext) -> [Finding] {
        let tree = context.tree
        return tree.packages.flatMap { package in
            package.manifest.dependencies.compactMap { dependency in
                guard let path = dependency.path,
                    tree.folder(path, from: package).flatMap(tree.package(in:)) == nil
                else { return nil }
                let folder = PathText.join(PathText.join(tree.root, package.path), path)
                // The rule manifest-read reports a package whose manifest cannot be read.
                let ignored = tree.unread.map(\.folder) + (tree.configuration?.exclude ?? [])
                if ignored.contains(where: { (folder + "/").hasPrefix("\(tree.root)/\($0)/") }) { return nil }
                let exists = FileManager.default.fileExists(atPath: folder + "/Package.swift")
                // The check of this tree does not cover packages outside the tree.
                if exists, !folder.hasPrefix(tree.root + "/") { return nil }
                return finding(
                    dependency.position.in(package.manifestPath),
                    exists
                        ? "the package \(path) is in a hidden folder, which no rule checks"
                        : "there is no package at the path \(path)",
                    fix: exists
                        ? "move the package to a folder that is not hidden"
                        : "correct the path or remove the dependency; if the package is a submodule, fetch it "
                            + "first; if git ignores it, generate it first")
            }
        }
    }
}
