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

extension LineTable {
    /// The `#if` conditions around a node, and the branches around it, such as the body of an `if`. Each branch is a
    /// separate atom.
    func conditions(around node: some SyntaxProtocol) -> (compiled: Condition, branches: Condition) {
        var (compiled, branches) = (Condition.always, Condition.always)
        var child = Syntax(node)
        while let parent = child.parent {
            if let block = parent.parent?.as(IfConfigDeclSyntax.self) {
                let index = Self.siblings(before: child, in: parent).count
                compiled = block.branches[index].condition.and(compiled)
            }
            branches = branch(of: child, in: parent).and(branches)
            child = parent
        }
        return (compiled, branches)
    }

    private static func siblings(before child: Syntax, in parent: Syntax) -> [Syntax] {
        Array(parent.children(viewMode: .sourceAccurate).prefix { $0 != child })
    }

    /// The condition under which a node's code is executed, provided that its parent's code is executed.
    private func branch(of child: Syntax, in parent: Syntax) -> Condition {
        switch child.keyPathInParent {
        case \IfExprSyntax.body: return atom("if", parent)
        case \IfExprSyntax.elseBody: return .not(atom("if", parent))
        case \GuardStmtSyntax.body: return .not(atom("guard", parent))
        case \ForStmtSyntax.body: return atom("for", parent)
        case \WhileStmtSyntax.body: return atom("while", parent)
        case \CatchClauseSyntax.body: return atom("catch", parent)
        case \UnresolvedTernaryExprSyntax.thenExpression: return atom("?", parent)
        default: break
        }
        let earlier = Self.siblings(before: child, in: parent)
        var conditions: [Condition] = []
        if parent.is(CodeBlockItemListSyntax.self) {
            conditions = earlier.compactMap(passed)
        } else if let cases = parent.as(SwitchCaseListSyntax.self) {
            conditions = earlier.map { .not(atom("case", $0)) }
            if earlier.count < cases.count - 1 { conditions.append(atom("case", child)) }
        } else if parent.parent?.is(SequenceExprSyntax.self) == true {
            conditions = earlier.compactMap(skipped)
        }
        return conditions.reduce(.always) { $0.and($1) }
    }

    private func atom(_ keyword: String, _ node: Syntax) -> Condition {
        let position = position(node)
        return .branch("\(keyword) at \(position.line):\(position.column)")
    }

    /// The condition under which execution continues after a statement; nil if it is not an early exit such as `guard`.
    private func passed(_ statement: Syntax) -> Condition? {
        guard let item = statement.as(CodeBlockItemSyntax.self)?.item else { return nil }
        if item.is(GuardStmtSyntax.self) { return atom("guard", Syntax(item)) }
        guard let condition = item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self),
            let last = condition.body.statements.last?.item,
            last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self)
        else { return nil }
        return .not(atom("if", Syntax(condition)))
    }

    /// The condition under which the operands after `a ? b :`, `&&`, `||` or `??` are evaluated; nil for other parts
    /// of an expression.
    private func skipped(_ part: Syntax) -> Condition? {
        if part.is(UnresolvedTernaryExprSyntax.self) { return .not(atom("?", part)) }
        guard let sign = part.as(BinaryOperatorExprSyntax.self)?.operator.text,
            ["&&", "||", "??"].contains(sign)
        else { return nil }
        return atom(sign, part)
    }
}
