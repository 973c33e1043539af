import ModuleTree

/// An IMP's only public declaration is its module type.
struct ImpPublicRule: Rule {
    let id = "imp-public"
    let group = RuleGroup.pairs
    let subject = RuleSubject.imps
    let why = "protocol and implementation are separate: the IMP is private"
    let source: String? = "1-ApiCenter, Protocol 方案 2"
    let explanation = """
        The only public declarations of the package `Xxx` may be the type `XxxModule`, which the app \
        registers, and its members. Operators, exported C functions and `@_exported import` are public too. Types \
        that callers need belong in the Api package.

        Breaks it:  public struct RideService
        Fix it:     remove `public`; tests can use `@testable import`.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.filter { $0.role == .imp }.flatMap { package in
            package.mainTargets.flatMap { target in findings(target, of: package, in: context.tree) }
        }
    }

    private func findings(_ target: LocalTarget, of package: LocalPackage, in tree: Tree) -> [Finding] {
        let entry = package.moduleType
        let declarations = target.files.flatMap(\.facts.declarations)
        // A public member of an internal type is not visible from outside. Only its own file sees a private type.
        func hidden(_ declarations: [SourceFacts.Declaration], isPrivate: Bool) -> Set<String> {
            Set(
                declarations.filter {
                    !$0.isPublic && $0.isPrivate == isPrivate && $0.keyword != "protocol" && $0.parent == nil
                }.map(\.name))
        }
        let shared = hidden(declarations, isPrivate: false)
        var findings = target.files.flatMap { file in
            let hidden = shared.union(hidden(file.facts.declarations, isPrivate: true))
            return file.facts.declarations.filter { declaration in
                guard declaration.isPublic else { return false }
                guard let parent = declaration.parent else { return declaration.name != entry }
                let owner = parent.split(separator: ".").first.map(String.init) ?? parent
                return owner != entry && !hidden.contains(owner)
            }.map { declaration in
                finding(
                    file.place(declaration.position),
                    "\(declaration.keyword) \(declaration.name) of the IMP \(package.name) is public",
                    fix:
                        "remove `public`, or move the declaration to \(tree.api(of: package)?.name ?? package.apiName)"
                )
            }
        }
        if target.name == package.name, !declarations.contains(where: { $0.name == entry && $0.isPublic }) {
            findings.append(
                finding(
                    target.declaration.position.in(package.manifestPath),
                    "\(package.name) has no public type named \(entry)",
                    fix: "write `public struct \(entry): Module` in \(target.folder)/\(entry).swift"))
        }
        return findings
    }
}
