import ModuleTree

/// An Api package contains only protocols, plain types and name constants.
struct ApiContentRule: Rule {
    let id = "api-content"
    let group = RuleGroup.pairs
    let subject = RuleSubject.apis
    let why = "an Api consists of protocols and the types that both sides share"
    let source: String? = "1-ApiCenter, 说明 1 and 5"
    let explanation = """
        An Api package may contain protocols, the structs and enums in their signatures, and constants for \
        the names of routes and notifications. It must not contain classes, actors, stored objects or \
        functions with behaviour, nor anything else: no `deinit`, no observers such as `didSet`, no macros, no \
        operators, no code of other languages, and no attributes such as `@_cdecl`. A function may have a body of one statement: a value, a choice between \
        values, a throw, or, if it returns nothing, a call to another function of the same file. The body must \
        not contain closures, loops or assignments, or call methods of other types' objects, such as \
        `FileManager.default`. The function `hash(into:)` may call its hasher, `encode(to:)` its encoder's \
        containers, `==` and `<` may have several such statements, and initialisers may copy their arguments. \
        A constant, a default argument and the default of a stored property must be a literal or be made \
        from literals, such as `Notification.Name("ride.refresh")`. An extension of another module's type \
        may only contain such constants. A public constant or variable must have a type annotation, unless \
        it is a plain literal, because the checker compares the Api's declarations as they are written.

        Breaks it:  public static let shared = RideStore()
        Fix it:     store the object in the IMP and provide it through the protocol.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.filter { $0.role == .api }.flatMap { package in
            let files = package.sources
            let declarations = files.flatMap(\.facts.declarations).filter {
                $0.parent == nil && $0.keyword != "extension"
            }
            let types = Set(
                declarations.filter { ["struct", "enum", "protocol", "class", "actor"].contains($0.keyword) }
                    .map(\.name) + package.mainTargets.map(\.name))
            // A type alias is the Api's own if its type is.
            let own = types.union(
                declarations.filter { alias in
                    alias.literal.map { types.contains(String($0.prefix { $0 != "." && $0 != "<" })) }
                        ?? false
                }.map(\.name))
            let foreign = package.mainTargets.filter { $0.kind != .regular || $0.files.isEmpty }
            return foreign.map { target in
                finding(
                    target.declaration.position.in(package.manifestPath),
                    "the target \(target.name) of an Api package is not a Swift library",
                    fix: "move the target to the IMP package")
            }
                + files.flatMap { file in
                    file.facts.forbidden.map { finding(file.place($0.position), $0.what, fix: $0.fix) }
                        + file.facts.declarations.filter { declaration in
                            declaration.keyword == "extension"
                                && !own.contains(String(declaration.name.prefix { $0 != "." && $0 != "<" }))
                        }.map { declaration in
                            finding(
                                file.place(declaration.position),
                                "an Api package extends \(declaration.name), a type of another module",
                                fix: "move the extension to the IMP package, or declare a type of your own")
                        }
                }
        }
    }
}
