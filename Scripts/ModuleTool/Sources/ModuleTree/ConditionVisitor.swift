import SwiftSyntax

/// Tracks under which conditions the visited code is compiled and executed.
class ConditionVisitor: SyntaxVisitor {
    /// The `#if` conditions around the visited node.
    private(set) var condition = Condition.always
    /// The branches around the visited node, such as the body of an `if`. Each branch is an atom of its own.
    private(set) var branches = Condition.always

    let lines: LineTable

    init(lines: LineTable) {
        self.lines = lines
        super.init(viewMode: .sourceAccurate)
    }

    func position(_ node: some SyntaxProtocol) -> Position {
        lines.position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        let outer = condition
        for (own, elements) in node.branches {
            condition = outer.and(own)
            if let elements { walk(elements) }
        }
        condition = outer
        return .skipChildren
    }

    // MARK: Branches

    private func walk(_ node: some SyntaxProtocol, in branch: Condition) {
        let outer = branches
        branches = branches.and(branch)
        walk(node)
        branches = outer
    }

    private func branch(_ keyword: String, _ node: some SyntaxProtocol) -> Condition {
        let position = position(node)
        return .branch("\(keyword) at \(position.line):\(position.column)")
    }

    /// Visits statements. The statements after an early exit, such as `guard`, stand in a branch.
    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
        let outer = branches
        for item in node {
            walk(item)
            if let guarded = item.item.as(GuardStmtSyntax.self) {
                branches = branches.and(branch("guard", guarded))
            } else if let condition = item.item.as(ExpressionStmtSyntax.self)?.expression.as(
                IfExprSyntax.self),
                let last = condition.body.statements.last?.item,
                last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self)
            {
                branches = branches.and(.not(branch("if", condition)))
            }
        }
        branches = outer
        return .skipChildren
    }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        walk(node.conditions)
        walk(node.body, in: .not(branch("guard", node)))
        return .skipChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        let own = branch("if", node)
        walk(node.conditions)
        walk(node.body, in: own)
        if let other = node.elseBody { walk(other, in: .not(own)) }
        return .skipChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        walk(node.subject)
        var others = Condition.always
        for (index, element) in node.cases.enumerated() {
            let own = branch("case", element)
            walk(element, in: index == node.cases.count - 1 ? others : others.and(own))
            others = others.and(.not(own))
        }
        return .skipChildren
    }

    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        walk(node.sequence)
        walk(node.body, in: branch("for", node))
        return .skipChildren
    }

    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
        walk(node.conditions)
        walk(node.body, in: branch("while", node))
        return .skipChildren
    }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
        walk(node.body, in: branch("catch", node))
        return .skipChildren
    }

    /// Visits the branches of `a ? b : c`, and the second operands of `a && b`, `a || b` and `a ?? b`.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let outer = branches
        for element in node.elements {
            if let ternary = element.as(UnresolvedTernaryExprSyntax.self) {
                let own = branch("?", ternary)
                walk(ternary.thenExpression, in: own)
                branches = branches.and(.not(own))
            } else if let sign = element.as(BinaryOperatorExprSyntax.self)?.operator,
                ["&&", "||", "??"].contains(sign.text)
            {
                branches = branches.and(branch(sign.text, element))
            } else {
                walk(element)
            }
        }
        branches = outer
        return .skipChildren
    }
}
