import SwiftSyntax

extension Condition {
    /// Reads the condition of an `#if`: `!`, `&&`, `||` and parentheses. Any other expression becomes an atom.
    static func read(_ expression: ExprSyntax) -> Condition {
        if let sequence = expression.as(SequenceExprSyntax.self) { return folded(Array(sequence.elements)) }
        if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let inner = tuple.elements.first
        {
            return read(inner.expression)
        }
        if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            return .not(read(prefix.expression))
        }
        if let literal = expression.as(BooleanLiteralExprSyntax.self) {
            return literal.literal.text == "true" ? .always : .not(.always)
        }
        return .atom(expression.trimmedDescription)
    }

    /// Parses an unfolded operator sequence such as `a && b || c`; `&&` binds tighter than `||`.
    private static func folded(_ elements: [ExprSyntax]) -> Condition {
        func split(_ elements: [ExprSyntax], at name: String) -> [[ExprSyntax]] {
            elements.split { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == name }.map(Array.init)
        }
        let alternatives = split(elements, at: "||").map { alternative in
            split(alternative, at: "&&").map { part in
                part.count == 1
                    ? read(part[0]) : .atom(part.map(\.trimmedDescription).joined(separator: " "))
            }.reduce(Condition.always) { $0.and($1) }
        }
        return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
    }
}

extension IfConfigDeclSyntax {
    /// The branches, each with the condition under which it is compiled.
    var branches: [(condition: Condition, elements: IfConfigClauseSyntax.Elements?)] {
        var earlier = Condition.always
        return clauses.map { clause in
            let own = clause.condition.map(Condition.read) ?? .always
            defer { earlier = earlier.and(.not(own)) }
            return (earlier.and(own), clause.elements)
        }
    }
}
