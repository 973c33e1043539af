import ModuleTree

/// A module type's public members are the requirements of `Module`.
struct ModuleMembersRule: Rule {
    let id = "module-members"
    let group = RuleGroup.pairs
    let subject = RuleSubject.imps
    let why = "Module's requirements have defaults, so the compiler accepts a misspelt one and never calls it"
    let explanation = """
        The public members of the type `XxxModule` may be its initialisers, and `name`, `version`, `after`, \
        `register(in:)`, `prepare(in:)`, `links(in:)` and `handle(_:in:)`. Any other public member is a \
        misspelt requirement, or a declaration that only the package itself can use. A module with `links(in:)` \
        conforms to LinkAnswering: the app asks only such modules for their links.

        Breaks it:  public func link(in center: ApiCenter) -> [Link]
        Fix it:     correct the name, or remove `public`.
        """

    private static let members: Set = [
        "init init", "func register", "func prepare", "func links", "func handle",
        "let name", "let version", "let after", "var name", "var version", "var after",
    ]

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.filter { $0.role == .imp }.flatMap { package in
            let members = package.sources.flatMap { file in
                file.facts.declarations.filter { $0.parent == package.moduleType }.map { (file, $0) }
            }
            let answersLinks = members.contains {
                $1.keyword == SourceFacts.Declaration.conformance && $1.name == "LinkAnswering"
            }
            return members.compactMap { file, member in
                let spelling = "\(member.keyword) \(member.name)"
                if spelling == "func links", !answersLinks {
                    return finding(
                        file.place(member.position),
                        "\(package.moduleType) has links, but does not conform to LinkAnswering, so the app never asks it",
                        fix: "write `: Module, LinkAnswering`, or rename the function")
                }
                guard member.isPublic, !Self.members.contains(spelling) else { return nil }
                return finding(
                    file.place(member.position), "\(spelling) of \(package.moduleType) is not part of Module",
                    fix: "correct its name, or remove `public`")
            }
        }
    }
}
