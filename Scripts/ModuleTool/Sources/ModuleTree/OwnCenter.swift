import SwiftSyntax

extension SyntaxProtocol {
    /// The registry on which a method is called, if code around the call makes it: the expression that makes it, and
    /// whether anything but registrations uses it.
    var ownCenter: (value: ExprSyntax, isPassedOn: Bool)? {
        guard let base = parent?.as(MemberAccessExprSyntax.self)?.base else { return nil }
        if base.isNewCenter { return (base, false) }
        let member = base.as(MemberAccessExprSyntax.self)
        guard member == nil || member?.base?.trimmedDescription == "self" else { return nil }
        let name = base.lastName
        for around in sequence(first: Syntax(base), next: \.parent) {
            if around.declaresParameter(name) { return nil }
            let statements = around.as(CodeBlockItemListSyntax.self)?.map { Syntax($0.item) }
            let members = around.as(MemberBlockItemListSyntax.self)?.map { Syntax($0.decl) }
            let found = (statements ?? members ?? []).lazy.compactMap { $0.as(VariableDeclSyntax.self) }
                .flatMap(\.bindings).first { $0.pattern.trimmedDescription.unquoted == name }
            guard let found else { continue }
            guard let value = found.initializer?.value, value.isNewCenter else { return nil }
            return (value, around.passesOn(name))
        }
        return nil
    }

    private func declaresParameter(_ name: String) -> Bool {
        let node = Syntax(self)
        let clause =
            node.as(FunctionDeclSyntax.self)?.signature.parameterClause
            ?? node.as(InitializerDeclSyntax.self)?.signature.parameterClause
        if let clause {
            return clause.parameters.contains { ($0.secondName ?? $0.firstName).text.unquoted == name }
        }
        let closure = node.as(ClosureExprSyntax.self)?.signature
        return closure?.tokens(viewMode: .sourceAccurate).contains { $0.text.unquoted == name } ?? false
    }

    /// Whether code uses a registry by its name for anything but registrations.
    private func passesOn(_ name: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            guard token.text.unquoted == name, let use = token.parent?.as(DeclReferenceExprSyntax.self)
            else { return false }
            let access = use.parent?.as(MemberAccessExprSyntax.self)
            let isSelf = access?.declName == use && access?.base?.trimmedDescription == "self"
            let method = isSelf ? access?.parent?.as(MemberAccessExprSyntax.self) : access
            return !Self.registrations.contains(method?.declName.baseName.text ?? "")
        }
    }

    private static var registrations: Set<String> {
        ["allOrNothing", "register", "registerApi", "removeApi", "replaceApi"]
    }
}

extension ExprSyntax {
    /// Whether the expression is `ApiCenter()`.
    fileprivate var isNewCenter: Bool {
        guard let called = self.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
        return called.lastName == "ApiCenter"
            || called.lastName == "init"
                && called.as(MemberAccessExprSyntax.self)?.base?.lastName == "ApiCenter"
    }
}
