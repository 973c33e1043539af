import SwiftSyntax

extension ExprSyntax {
    /// The name of the expression's type, as far as the file says it: `ApiCenter` for a parameter `c: ApiCenter`, for
    /// `ApiCenter()` and for `ApiCenter.shared`. Nil if other files decide.
    var declaredType: String? {
        switch self.as(ExprSyntaxEnum.self) {
        case .optionalChainingExpr(let node): node.expression.declaredType
        case .forceUnwrapExpr(let node): node.expression.declaredType
        case .tryExpr(let node): node.expression.declaredType
        case .functionCallExpr(let node): node.calledExpression.writtenType
        case .declReferenceExpr(let node): writtenType ?? Syntax(self).type(of: node.baseName.text.unquoted)
        case .memberAccessExpr(let node) where node.base?.trimmedDescription == "self":
            Syntax(self).members?.type(of: node.declName.baseName.text.unquoted) ?? nil
        case .memberAccessExpr(let node):
            writtenType ?? (node.declName.baseName.text == "shared" ? node.base?.writtenType : nil)
        default: nil
        }
    }

    /// The name in the expressions `X` and `M.X`; nil if it is not the name of a type.
    private var writtenType: String? { lastName.first?.isUppercase == true ? lastName : nil }
}

extension TypeSyntax {
    /// The name of a type without `inout`, `any` and the marks of an optional; for a generic parameter, of its
    /// constraint. Nil for all types that are not named.
    fileprivate var plainName: String? {
        switch self.as(TypeSyntaxEnum.self) {
        case .attributedType(let type): return type.baseType.plainName
        case .optionalType(let type): return type.wrappedType.plainName
        case .implicitlyUnwrappedOptionalType(let type): return type.wrappedType.plainName
        case .someOrAnyType(let type): return type.constraint.plainName
        case .tupleType(let type): return type.elements.count == 1 ? type.elements.first?.type.plainName : nil
        case .memberType(let type): return type.trimmedDescription
        case .identifierType(let type):
            let name = type.name.text.unquoted
            for parameter in Syntax(self).genericParameters where parameter.name.text == name {
                return parameter.inheritedType?.plainName
            }
            return name
        default: return nil
        }
    }
}

extension Syntax {
    /// The generic parameters of the declarations around the node. Only callers know the types of these parameters.
    var genericParameters: [GenericParameterSyntax] {
        sequence(first: self, next: \.parent).flatMap { node in
            node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause.map {
                Array($0.parameters)
            } ?? []
        }
    }

    /// The declared type of the variable or parameter that a name stands for at this place; nil if it is unknown.
    fileprivate func type(of name: String) -> String? {
        var child = self
        while let scope = child.parent {
            if let found = scope.type(of: name, before: child) { return found }
            child = scope
        }
        return nil
    }

    /// The members of the type around the node, as far as they stand in this file.
    fileprivate var members: MemberLists? {
        sequence(first: self, next: \.parent).first { $0.asProtocol((any DeclGroupSyntax).self) != nil }
            .map(MemberLists.init)
    }

    /// The type of a variable that a scope declares, such as a function with its parameters: `.some(nil)` if it declares
    /// the variable without a type that the file tells, and nil if it does not declare the variable.
    private func type(of name: String, before child: Syntax) -> String?? {
        if let function = self.as(FunctionDeclSyntax.self) {
            return function.signature.parameterClause.type(of: name)
        }
        if let initializer = self.as(InitializerDeclSyntax.self) {
            return initializer.signature.parameterClause.type(of: name)
        }
        if let closure = self.as(ClosureExprSyntax.self), !child.is(ClosureSignatureSyntax.self) {
            return closure.signature?.type(of: name)
        }
        if let condition = self.as(IfExprSyntax.self)?.conditions, Syntax(condition) != child {
            return condition.type(of: name)
        }
        if let items = self.as(CodeBlockItemListSyntax.self) {
            let isGlobal = parent?.is(SourceFileSyntax.self) == true
            let visible = isGlobal ? Array(items) : Array(items.prefix { Syntax($0) != child })
            for item in visible.reversed() {
                let found =
                    item.item.as(VariableDeclSyntax.self)?.type(of: name)
                    ?? item.item.as(GuardStmtSyntax.self)?.conditions.type(of: name)
                if let found { return found }
            }
        }
        return asProtocol((any DeclGroupSyntax).self) == nil ? nil : MemberLists(self).type(of: name)
    }
}

/// The declarations of one type in a file, and its extensions.
private struct MemberLists {
    let groups: [any DeclGroupSyntax]

    init(_ node: Syntax) {
        let path = node.path
        let file = node.root.as(SourceFileSyntax.self)?.statements.compactMap {
            $0.item.asProtocol((any DeclGroupSyntax).self)
        }
        let others = (file ?? []).filter { Syntax($0).path == path }
        groups = (node.asProtocol((any DeclGroupSyntax).self).map { [$0] } ?? []) + others
    }

    func type(of name: String) -> String?? {
        for member in groups.flatMap(\.memberBlock.members) {
            if let found = member.decl.as(VariableDeclSyntax.self)?.type(of: name) { return found }
        }
        return nil
    }
}

extension VariableDeclSyntax {
    fileprivate func type(of name: String) -> String?? {
        for binding in bindings where binding.pattern.trimmedDescription.unquoted == name {
            if let type = binding.typeAnnotation?.type { return .some(type.plainName) }
            guard let value = binding.initializer?.value else { return .some(nil) }
            // The values of properties and globals may refer to each other in a circle.
            let items = parent?.as(CodeBlockItemSyntax.self)?.parent
            let isLocal = items?.parent.map { !$0.is(SourceFileSyntax.self) } ?? false
            let isFinal = value.is(FunctionCallExprSyntax.self) || value.lastName == "shared"
            return .some(isLocal || isFinal ? value.declaredType : nil)
        }
        return nil
    }
}

extension FunctionParameterClauseSyntax {
    fileprivate func type(of name: String) -> String?? {
        parameters.first { ($0.secondName ?? $0.firstName).text.unquoted == name }.map(\.type.plainName)
    }
}

extension ClosureSignatureSyntax {
    fileprivate func type(of name: String) -> String?? {
        if let captured = capture?.items.first(where: { $0.name.text == name })?.initializer {
            return .some(captured.value.declaredType)
        }
        switch parameterClause {
        case .simpleInput(let names): return names.contains { $0.name.text == name } ? .some(nil) : nil
        case .parameterClause(let clause):
            return clause.parameters.first { ($0.secondName ?? $0.firstName).text == name }
                .map { $0.type?.plainName }
        default: return nil
        }
    }
}

extension ConditionElementListSyntax {
    fileprivate func type(of name: String) -> String?? {
        for binding in compactMap({ $0.condition.as(OptionalBindingConditionSyntax.self) })
        where binding.pattern.trimmedDescription == name {
            let type = binding.typeAnnotation?.type.plainName ?? binding.initializer?.value.declaredType
            // `if let center` has the type of the variable outside.
            if type != nil || binding.initializer != nil { return .some(type) }
        }
        return nil
    }
}
