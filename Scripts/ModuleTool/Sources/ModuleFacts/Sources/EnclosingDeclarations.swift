import SwiftSyntax

extension SyntaxProtocol {
    /// The type, extension or body around a declaration; nil at the top level.
    var group: Syntax? {
        var node = parent
        while let current = node, current.kind != .sourceFile {
            if current.kind == .codeBlock || current.kind == .closureExpr || current.kind == .accessorBlock
                || current.kind == .switchCase || current.asProtocol((any DeclGroupSyntax).self) != nil
            {
                return current
            }
            node = current.parent
        }
        return nil
    }
}

extension Syntax {
    /// The types around a declaration, such as `RideModule.Inner`; empty inside a body.
    var path: String? {
        let name =
            self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            ?? asProtocol((any NamedDeclSyntax).self)?.name.text.unquoted
        guard let name else { return "" }
        guard let outer = group?.path else { return name }
        return outer.isEmpty ? "" : outer + "." + name
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
}

extension SyntaxProtocol {
    /// The parameters of a function, an initialiser or a subscript; empty for any other node.
    var functionParameters: FunctionParameterListSyntax {
        let node = Syntax(self)
        let signature =
            node.as(FunctionDeclSyntax.self)?.signature ?? node.as(InitializerDeclSyntax.self)?.signature
        let clause = signature?.parameterClause ?? node.as(SubscriptDeclSyntax.self)?.parameterClause
        return clause?.parameters ?? []
    }
}

extension FunctionParameterSyntax {
    /// The name in the body.
    var innerName: TokenSyntax { secondName ?? firstName }

    /// Whether the type is a function type, or an optional one.
    var isFunction: Bool {
        let parts = sequence(first: type) { type in
            let tuple = type.as(TupleTypeSyntax.self)?.elements
            return type.as(AttributedTypeSyntax.self)?.baseType ?? type.as(OptionalTypeSyntax.self)?
                .wrappedType
                ?? (tuple?.count == 1 ? tuple?.first?.type : nil)
        }
        return parts.contains { $0.is(FunctionTypeSyntax.self) }
    }
}

extension SourceFacts.Body {
    /// Reads a file's top level, a function, an initializer, a deinitializer, a subscript, a variable that is not local, or
    /// a local variable with a closure.
    init(of declaration: Syntax) {
        let (group, variable) = (declaration.group, declaration.as(VariableDeclSyntax.self))
        let path = group?.path
        let type = path?.split(separator: ".").last.map(String.init)
        let isStored = variable.map { variable in
            type != nil && !variable.modifiers.contains { ["static", "lazy"].contains($0.name.text) }
                && variable.bindings.allSatisfy { $0.accessorBlock == nil }
        }
        let function = declaration.as(FunctionDeclSyntax.self)
        let closure = declaration.as(PatternBindingSyntax.self)
        let own =
            function?.name.text.unquoted
            ?? (variable?.bindings.first ?? closure)?.pattern.trimmedDescription
        let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
        let outer = group?.as(ExtensionDeclSyntax.self)?.modifiers
        let words = Set((modifiers ?? []).map(\.name.text)).union((outer ?? []).map(\.name.text))
        let isHidden = path == "" || !words.isDisjoint(with: ["private", "fileprivate"])
        let isLoose = path == nil || closure != nil || !words.isDisjoint(with: ["static", "class"])
        let signature =
            function?.signature ?? declaration.as(InitializerDeclSyntax.self)?.signature
        self.init(
            name: (isStored == true ? nil : own) ?? type ?? "", parent: path,
            isPublic: modifiers?.isPublic(in: outer) ?? false, labels: signature.flatMap(Self.labels),
            callers: closure == nil
                && (function == nil || function?.attributes.isEmpty == false || own == "main")
                ? .any : isHidden ? .file : isLoose ? .package : .any,
            parameters: (signature == nil ? [] : declaration.functionParameters).filter(\.isFunction).map {
                .init(
                    label: $0.firstName.text.unquoted, name: $0.innerName.text.unquoted)
            })
    }

    /// The labels of the arguments, those with a default behind a question mark; nil if a call may repeat one.
    private static func labels(of signature: FunctionSignatureSyntax) -> [String]? {
        let parameters = signature.parameterClause.parameters
        if parameters.contains(where: { $0.ellipsis != nil }) { return nil }
        return parameters.map { parameter in
            (parameter.defaultValue == nil ? "" : "?") + parameter.firstName.text.unquoted
        }
    }

    /// Whether a call or another use of a body's name may mean this body.
    package func accepts(_ use: SourceFacts.Use) -> Bool {
        guard let labels, var given = use.labels?[...] else { return true }
        for label in labels {
            if given.first == String(label.drop { $0 == "?" }) {
                given.removeFirst()
            } else if !label.hasPrefix("?") {
                return false
            }
        }
        return given.isEmpty
    }
}
