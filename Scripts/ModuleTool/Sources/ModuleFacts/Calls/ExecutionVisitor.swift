import SwiftSyntax

/// Follows what decides whether the visited code is executed: the body around it, the `#if` conditions, and branches.
///
/// All of it is kept on stacks. A walk to the root of the tree for each call would take time that grows with the square of
/// a chain's length.
class ExecutionVisitor: SyntaxAnyVisitor {
    var bodies: [SourceFacts.Body] = []
    let lines: LineTable

    private var frames = ExecutionFrames()
    private var conditions: [Condition] = []
    private var exitsBefore: [Int] = []
    /// The number of statements so far that skip the rest of a `repeat` or of a labelled statement.
    private var skips: [SyntaxIdentifier: Int] = [:]

    init(lines: LineTable) {
        self.lines = lines
        super.init(viewMode: .sourceAccurate)
    }

    /// The `#if` conditions around the visited node.
    var condition: Condition { conditions.last ?? .always }

    /// What decides whether the body around the visited node executes it; nil if the body always does.
    var branch: String? { frames.last.branch }

    /// The `try` that may end the code around the visited node, if the body continues after its error.
    var attempt: String? { frames.last.attempt }

    /// The functions that got the closures around the visited node, outer ones first.
    var closures: [SourceFacts.Closure] { frames.last.closures }

    /// The index of the body around the visited node, which is added if it is new.
    func enclosingBody() -> Int {
        if let body = frames.body.body { return body }
        if let declaration = frames.body.declaration { bodies.append(SourceFacts.Body(of: declaration)) }
        frames.body.body = bodies.count - 1
        return bodies.count - 1
    }

    override func visitAnyPost(_ node: Syntax) { frames.leave(node) }

    @discardableResult
    private func enter(
        _ node: some SyntaxProtocol, _ word: String? = nil, at place: Syntax? = nil
    ) -> SyntaxVisitorContinueKind {
        frames.enter(node, branch: word.map { text($0, at: place ?? Syntax(node)) } ?? branch)
        return .visitChildren
    }

    @discardableResult
    private func enterBody(
        _ node: some SyntaxProtocol, of declaration: Syntax? = nil
    ) -> SyntaxVisitorContinueKind {
        frames.enterBody(node, of: declaration ?? Syntax(node))
        return .visitChildren
    }

    /// Marks the rest of the innermost list or operator sequence as code that may not be executed.
    private func cut(_ word: String, at place: Syntax) {
        if frames.last.isCut { return }
        (frames.last.branch, frames.last.isCut) = (text(word, at: place), true)
    }

    private func text(_ word: String, at node: Syntax) -> String {
        let position = lines.position(node)
        return "\(word) at \(position.line):\(position.column)"
    }

    // MARK: Bodies

    override func visit(_ node: SourceFileSyntax) -> SyntaxVisitorContinueKind { enterBody(node) }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        enterBody(node, node.signature)
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enterBody(node, node.signature)
    }

    /// A function that takes a closure is known even if it does nothing.
    private func enterBody(
        _ node: some DeclSyntaxProtocol, _ signature: FunctionSignatureSyntax
    ) -> SyntaxVisitorContinueKind {
        enterBody(node)
        if signature.parameterClause.parameters.contains(where: \.isFunction) { _ = enclosingBody() }
        return .visitChildren
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { enterBody(node) }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { enterBody(node) }

    /// A local variable belongs to the function around it.
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        node.group?.path == "" ? .visitChildren : enterBody(node)
    }

    /// A closure that is the value of a variable is executed when the variable is called, and one that is called is part
    /// of the code around it. Whether one that is passed to a function is executed depends on the function: see
    /// ``Passing``. Any other one may be stored, and never be executed.
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        if let binding = node.parent?.parent?.as(PatternBindingSyntax.self),
            node.parent?.kind == .initializerClause
        {
            return enterBody(node, of: Syntax(binding))
        }
        let isCalled = node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id
        enter(node)
        // A `return` in the closure leaves only the closure.
        frames.last.exits = frames.exits
        if !isCalled {
            let (branch, closures) = execution(of: Passing(Syntax(node)), at: Syntax(node))
            (frames.last.branch, frames.last.closures) = (branch, closures)
        }
        return .visitChildren
    }

    /// What decides whether code is executed that the visited code passes to a function, or stores if it passes it to none.
    func execution(
        of passing: Passing?, at node: Syntax
    ) -> (branch: String?, closures: [SourceFacts.Closure]) {
        switch passing {
        case .executed: (branch, closures)
        case .uncertain(let word): (text(word, at: node), closures)
        case .unknown(let function, let label):
            (branch, closures + [.init(function: function, label: label)])
        case nil: (text("closure", at: node), closures)
        }
    }

    // MARK: Conditions

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        let all = node.parent?.parent?.as(IfConfigDeclSyntax.self)
        let index = all?.clauses.firstIndex(of: node).map {
            all?.clauses.distance(from: all?.clauses.startIndex ?? $0, to: $0) ?? 0
        }
        let own = all.flatMap { all in index.map { all.branches[$0].condition } } ?? .always
        conditions.append(condition.and(own))
        return .visitChildren
    }

    override func visitPost(_ node: IfConfigClauseSyntax) { conditions.removeLast() }

    // MARK: Branches

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind { enter(node, "if") }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        enter(node, "guard")
        frames.exits += 1
        return .visitChildren
    }

    /// The sequence of a loop is always evaluated.
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
        if let loop = node.parent, loop.is(ForStmtSyntax.self) { enter(node, "for", at: loop) }
        if let block = node.parent?.as(DoStmtSyntax.self), !block.catchClauses.isEmpty {
            enter(node)
            if !block.catchClauses.allSatisfy(\.endsExecution) { frames.last.catcher = node.id }
        }
        return .visitChildren
    }

    /// After an error, `try?` continues in any case, and `try` in a `do` whose `catch` does.
    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        let mark = node.questionOrExclamationMark?.text ?? ""
        let catcher = frames.last.catcher
        guard mark == "?" || mark.isEmpty && catcher != nil else { return .visitChildren }
        let attempt = self.attempt ?? text("try" + mark, at: Syntax(node))
        enter(node)
        frames.last.attempt = attempt
        // The error of a `try` skips the rest of the `do`.
        if mark.isEmpty { frames.skip(to: catcher, after: attempt) }
        return .visitChildren
    }

    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { enter(node, "while") }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind { enter(node, "catch") }

    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { enter(node, "case") }

    /// `a ? b : c` is an operator and its operands, until operators are folded.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind { enter(node) }

    override func visit(_ node: UnresolvedTernaryExprSyntax) -> SyntaxVisitorContinueKind {
        cut("?", at: Syntax(node))
        return .visitChildren
    }

    override func visit(_ node: BinaryOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if ["&&", "||", "??"].contains(node.operator.text) { cut(node.operator.text, at: Syntax(node)) }
        return .skipChildren
    }

    // MARK: Statements that leave a body

    override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind { enter(node) }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        exitsBefore.append(frames.exits)
        return .visitChildren
    }

    override func visitPost(_ node: CodeBlockItemSyntax) {
        if frames.exits > exitsBefore.removeLast() {
            cut(node.firstToken(viewMode: .sourceAccurate)?.text ?? "", at: Syntax(node))
        }
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        frames.exits += 1
        return .visitChildren
    }

    override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind {
        frames.exits += 1
        return .visitChildren
    }

    override func visit(_ node: BreakStmtSyntax) -> SyntaxVisitorContinueKind {
        skip(from: node, to: node.label)
    }

    override func visit(_ node: ContinueStmtSyntax) -> SyntaxVisitorContinueKind {
        skip(from: node, to: node.label)
    }

    override func visitPost(_ node: RepeatStmtSyntax) {
        frames.exits -= skips.removeValue(forKey: node.id) ?? 0
    }

    override func visitPost(_ node: LabeledStmtSyntax) {
        frames.exits -= skips.removeValue(forKey: node.id) ?? 0
    }

    /// Counts a statement that leaves a `repeat` or a labelled statement. Any other loop is a branch itself.
    private func skip(from node: some StmtSyntaxProtocol, to label: TokenSyntax?) -> SyntaxVisitorContinueKind
    {
        let left = sequence(first: Syntax(node), next: \.parent).first { around in
            if let label { return around.as(LabeledStmtSyntax.self)?.label.text == label.text }
            return [.forStmt, .whileStmt, .repeatStmt].contains(around.kind)
                || around.is(SwitchExprSyntax.self) && node.is(BreakStmtSyntax.self)
        }
        if let left, left.is(RepeatStmtSyntax.self) || left.is(LabeledStmtSyntax.self) {
            skips[left.id, default: 0] += 1
            frames.exits += 1
        }
        return .skipChildren
    }
}
