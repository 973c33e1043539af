import SwiftSyntax

/// The types that a file writes for its variables and parameters.
///
/// Scopes do not count: a name with several types in one file has none, as far as this reader knows.
struct VariableTypes {
    private var written: [String: [TypeSyntax]] = [:]
    /// The values of variables without a written type.
    private var values: [String: [ExprSyntax]] = [:]

    mutating func add(_ name: TokenSyntax, _ type: TypeSyntax?, _ value: ExprSyntax? = nil) {
        if let type {
            written[name.text.unquoted, default: []].append(type)
        } else if let value {
            values[name.text.unquoted, default: []].append(value)
        }
    }

    /// The name of an expression's type: `ApiCenter` for a parameter `c: ApiCenter`, for `ApiCenter()` and for
    /// `ApiCenter.shared`. Nil if the file does not tell.
    func type(of expression: ExprSyntax) -> String? {
        var names: Set<String> = []
        let found = types(of: expression, &names)
        return found.count == 1 ? found.first : nil
    }

    /// - Parameter seen: The variables that lead to the expression. Variables may have each other as their values.
    private func types(of expression: ExprSyntax, _ seen: inout Set<String>) -> Set<String> {
        switch expression.as(ExprSyntaxEnum.self) {
        case .optionalChainingExpr(let node): return types(of: node.expression, &seen)
        case .forceUnwrapExpr(let node): return types(of: node.expression, &seen)
        case .tryExpr(let node): return types(of: node.expression, &seen)
        case .functionCallExpr(let node): return Self.named(node.calledExpression)
        case .memberAccessExpr(let node) where node.declName.baseName.text == "shared":
            return node.base.map(Self.named) ?? []
        case .memberAccessExpr(let node) where node.base?.trimmedDescription != "self":
            return Self.named(expression)
        default:
            let (name, type) = (expression.lastName, Self.named(expression))
            guard type.isEmpty, seen.insert(name).inserted else { return type }
            let types = Set(written[name, default: []].compactMap(\.plainName))
            return values[name, default: []].reduce(types) { $0.union(self.types(of: $1, &seen)) }
        }
    }

    /// The name in the expressions `X` and `M.X`, if it is the name of a type.
    private static func named(_ expression: ExprSyntax) -> Set<String> {
        let name = expression.lastName
        return name.first?.isUppercase == true ? [name] : []
    }
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
            let parameter = Syntax(self).genericParameters.first { $0.name.text == name }
            return parameter.map { $0.inheritedType?.plainName } ?? name
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
}
