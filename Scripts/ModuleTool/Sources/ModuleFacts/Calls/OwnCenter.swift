import ModuleKit
import SwiftSyntax

extension FactVisitor {
    /// The registry on which a method is called, if code around the call makes it.
    func ownCenter(of called: some SyntaxProtocol) -> SourceFacts.Center? {
        called.parent?.as(MemberAccessExprSyntax.self)?.base?.ownCenter.map { own in
            .init(position: lines.position(own.value), isPassedOn: own.isPassedOn)
        }
    }

    /// The new registry that a call passes on. `.init()` may be one if no argument looks like another.
    func passedCenter(_ call: FunctionCallExprSyntax) -> Position? {
        let arguments = call.arguments.map(\.expression)
        let own = arguments.lazy.compactMap { [ownCenters] argument in
            argument.isNewCenter || ownCenters.contains(argument.lastName) ? argument.ownCenter?.value : nil
        }.first
        let implicit = arguments.first { argument in
            let called = argument.as(FunctionCallExprSyntax.self)?.calledExpression
            return called?.as(MemberAccessExprSyntax.self)?.base == nil && called?.lastName == "init"
        }
        return (own ?? implicit.flatMap { arguments.contains(where: isRegistry) ? nil : $0 }).map(
            lines.position)
    }

    /// Whether an expression is a registry by its spelling: `center`, `ApiCenter.shared`.
    func isRegistry(_ expression: ExprSyntax?) -> Bool {
        expression?.trimmedDescription.lowercased().contains("center") ?? false
    }
}

extension ExprSyntax {
    /// The registry that an expression stands for, if code around it makes the registry: the expression that makes it,
    /// and whether anything but registrations uses it.
    var ownCenter: (value: ExprSyntax, isPassedOn: Bool)? {
        if isNewCenter { return (self, false) }
        let member = self.as(MemberAccessExprSyntax.self)
        guard member == nil || member?.base?.trimmedDescription == "self" else { return nil }
        let name = lastName
        for around in sequence(first: Syntax(self), next: \.parent) {
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

    /// Whether the expression is `ApiCenter()`.
    var isNewCenter: Bool {
        guard let called = self.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
        return called.lastName == "ApiCenter"
            || called.lastName == "init"
                && called.as(MemberAccessExprSyntax.self)?.base?.lastName == "ApiCenter"
    }
}

extension SyntaxProtocol {
    fileprivate func declaresParameter(_ name: String) -> Bool {
        if functionParameters.contains(where: { $0.innerName.text.unquoted == name }) { return true }
        let closure = Syntax(self).as(ClosureExprSyntax.self)?.signature
        return closure?.tokens(viewMode: .sourceAccurate).contains { $0.text.unquoted == name } ?? false
    }

    /// Whether code uses a registry by its name for anything but registrations.
    fileprivate func passesOn(_ name: String) -> Bool {
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
