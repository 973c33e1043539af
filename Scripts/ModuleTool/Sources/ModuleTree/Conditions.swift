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

extension Condition {
    /// The `#if` conditions around a node.
    init(around node: some SyntaxProtocol) {
        self = .always
        var child = Syntax(node)
        while let parent = child.parent {
            if let block = parent.parent?.as(IfConfigDeclSyntax.self),
                let index = block.clauses.firstIndex(where: { Syntax($0) == child })
            {
                let branch = block.branches[block.clauses.distance(from: block.clauses.startIndex, to: index)]
                self = branch.condition.and(self)
            }
            child = parent
        }
    }
}

extension LineTable {
    /// What decides at run time whether a node is executed, such as `if at 12:9`; nil if it always is.
    func branch(around node: some SyntaxProtocol) -> String? {
        var child = Syntax(node)
        while let parent = child.parent {
            if let (keyword, node) = Self.branch(of: child, in: parent) {
                let position = position(node)
                return "\(keyword) at \(position.line):\(position.column)"
            }
            child = parent
        }
        return nil
    }

    private static func branch(of child: Syntax, in parent: Syntax) -> (keyword: String, node: Syntax)? {
        if let keyword = keywords[parent.kind] { return (keyword, parent) }
        let earlier = parent.children(viewMode: .sourceAccurate).prefix { $0 != child }
        if parent.is(CodeBlockItemListSyntax.self) {
            return earlier.lazy.compactMap { item in exit(item).map { ($0, item) } }.first
        }
        // `a ? b : c` is an operator and its operands, until operators are folded.
        let isOperand = parent.parent?.is(SequenceExprSyntax.self) == true
        let choice =
            isOperand
            ? earlier.first { part in
                part.is(UnresolvedTernaryExprSyntax.self)
                    || ["&&", "||", "??"].contains(part.as(BinaryOperatorExprSyntax.self)?.operator.text)
            } : nil
        return choice.map { ($0.firstToken(viewMode: .sourceAccurate)?.text ?? "", $0) }
    }

    private static let keywords: [SyntaxKind: String] = [
        .ifExpr: "if", .guardStmt: "guard", .forStmt: "for", .whileStmt: "while", .catchClause: "catch",
        .switchCase: "case", .unresolvedTernaryExpr: "?",
    ]

    /// The keyword of a statement such as `guard`, after which execution may not continue; nil for other statements.
    private static func exit(_ statement: Syntax) -> String? {
        guard let item = statement.as(CodeBlockItemSyntax.self)?.item else { return nil }
        if item.is(GuardStmtSyntax.self) { return "guard" }
        let condition = item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
        let last = condition?.body.statements.last?.item
        return last?.is(ReturnStmtSyntax.self) == true || last?.is(ThrowStmtSyntax.self) == true ? "if" : nil
    }
}
