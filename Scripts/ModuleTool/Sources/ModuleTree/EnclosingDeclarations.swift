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

extension SourceFacts.Body {
    /// Reads a function, an initializer, or a variable that is not local.
    init(of declaration: Syntax) {
        let (group, variable) = (declaration.group, declaration.as(VariableDeclSyntax.self))
        let path = group?.path
        let type = path?.split(separator: ".").last.map(String.init)
        let isStored = variable.map { variable in
            type != nil && !variable.modifiers.contains { ["static", "lazy"].contains($0.name.text) }
                && variable.bindings.allSatisfy { $0.accessorBlock == nil }
        }
        let own =
            declaration.as(FunctionDeclSyntax.self)?.name.text.unquoted
            ?? variable?.bindings.first?.pattern.trimmedDescription
        let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
        let outer = group?.as(ExtensionDeclSyntax.self)?.modifiers
        self.init(
            name: (isStored == true ? nil : own) ?? type ?? "", parent: path,
            isPublic: modifiers?.isPublic(in: outer) ?? false)
    }
}
