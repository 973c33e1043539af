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
        misspelt requirement, or a declaration that only the package itself can use.

        Breaks it:  public func link(in center: ApiCenter) -> [Link]
        Fix it:     correct the name, or remove `public`.
        """

    private static let members: Set = [
        "init init", "func register", "func prepare", "func links", "func handle",
        "let name", "let version", "let after", "var name", "var version", "var after",
    ]

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.filter { $0.role == .imp }.flatMap { package in
            package.sources.flatMap { file in
                file.facts.declarations.filter { declaration in
                    declaration.isPublic && declaration.parent == package.moduleType
                        && !Self.members.contains("\(declaration.keyword) \(declaration.name)")
                }.map { declaration in
                    finding(
                        file.place(declaration.position),
                        "\(declaration.keyword) \(declaration.name) of \(package.moduleType) is not part of Module",
                        fix: "correct its name, or remove `public`")
                }
            }
        }
    }
}
