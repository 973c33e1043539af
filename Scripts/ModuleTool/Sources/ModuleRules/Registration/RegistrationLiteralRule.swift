import ModuleTree

/// Types of registrations and questions can be read from the source.
struct RegistrationLiteralRule: Rule {
    let id = "registration-literal"
    let group = RuleGroup.registration
    let why =
        "a type that is only known at run time cannot be proved to be registered (1-ApiCenter: nothing hard-coded, all typed)"
    let explanation = """
        In whatever an app may link, the type of `registerApi(type:)`, `api(type:)` and `requireApi(type:)` is \
        written out: `Name.self`. A variable, a generic parameter or a function's result is a finding, never \
        skipped. Only the package that declares the registry passes on others' types.

        Breaks it:  func ask<T>(_ type: T.Type) -> T? { center.api(type: type) }
        Mend it:    ask for the protocol by its name where it is needed.
        """

    func findings(in subject: Subject) throws -> [Finding] {
        let tree = subject.tree
        guard tree.hasPairs else { return [] }
        let machinery = try subject.types.value.machinery
        return tree.packages.filter { !machinery.contains($0.path) && $0.role != .other }.flatMap { package in
            package.mainTargets.flatMap(\.files).map { tree.files[$0] }.flatMap { file in
                file.facts.calls.filter { $0.type == nil }.map { call in
                    finding(
                        file.place(call.position),
                        "\(call.kind.rawValue)(type: \(call.argument)) does not name its type",
                        mend: "write the protocol out: \(call.kind.rawValue)(type: XxxApiProtocol.self)")
                }
            }
        }
    }
}
