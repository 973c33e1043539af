import ModuleTree

/// Every registration and request of an Api spells out its type.
struct RegistrationLiteralRule: Rule {
    let id = "registration-literal"
    let group = RuleGroup.registration
    let subject = RuleSubject.halves
    let why = "a type that is known only at run time cannot be proved to be registered"
    let source: String? = "1-ApiCenter: nothing hard-coded, everything typed"
    let explanation = """
        In every target that an app can link, the argument of `registerApi(type:)`, `register(_:)`, \
        `api(type:)` and `requireApi(type:)` must be a type that is spelled out: `Name.self`. A variable, a generic \
        parameter or the result of a function breaks the rule. Only the package that declares the registry \
        may pass on types from its callers.

        Breaks it:  func ask<T>(_ type: T.Type) -> T? { center.api(type: type) }
        Fix it:     request the protocol by its name where it is needed.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        guard tree.hasPairs else { return [] }
        let types = try context.types.value
        return tree.packages.filter { $0.role != .other }.flatMap { package in
            package.mainTargets.flatMap { types.calls(in: $0, of: package) }.flatMap { file, calls in
                calls.filter { $0.type == nil }.map { call in
                    let start = call.kind.rawValue + (call.kind == .register ? "(" : "(type: ")
                    return finding(
                        file.place(call.position), "\(start)\(call.argument)) does not name its type",
                        fix: "spell out the protocol: \(start)XxxApiProtocol.self)")
                }
            }
        }
    }
}
