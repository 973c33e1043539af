import SwiftSyntax

/// Follows what decides whether the visited code is executed: the body around it, the `#if` conditions, and branches.
///
/// All of it is kept on stacks. A walk to the root of the tree for each call would take time that grows with the square of
/// a chain's length.
class ExecutionVisitor: SyntaxVisitor {
    var bodies: [SourceFacts.Body] = []
    let lines: LineTable

    /// A node with code that is executed together, or not at all.
    private struct Frame {
        let node: SyntaxIdentifier
        /// What decides at run time whether the code is executed, such as `if at 12:9`; nil if its body always does.
        var branch: String?
        /// The `try` that may skip the code, if the body continues after its error.
        var attempt: String?
        /// The block of the `do` whose `catch` lets the body continue after an error in the code.
        var catcher: SyntaxIdentifier?
        /// The functions that got the closures around the code, outer ones first.
        var closures: [SourceFacts.Closure] = []
        /// Whether an earlier statement of the same list, or an operator, may end the execution.
        var isCut = false
        /// The number of statements so far that may leave the body around this node, if the node is a body of its own.
        var exits: Int?
        /// The declaration whose code is executed together; nil for a part of a body.
        var declaration: Syntax?
        /// The index in ``bodies``. A body is added if it contains a call or a use.
        var body: Int?
    }

    private var frames: [Frame] = []
    /// The indices of the frames of bodies.
    private var bodyFrames: [Int] = []
    private var conditions: [Condition] = []
    /// The number of statements of the current body that may leave it.
    private var exits = 0
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
    var branch: String? { frames.last?.branch }

    /// The `try` that may end the code around the visited node, if the body continues after its error.
    var attempt: String? { frames.last?.attempt }

    /// The functions that got the closures around the visited node, outer ones first.
    var closures: [SourceFacts.Closure] { frames.last?.closures ?? [] }

    /// The index of the body around the visited node, which is added if it is new.
    func enclosingBody() -> Int {
        let index = bodyFrames[bodyFrames.count - 1]
        if let body = frames[index].body { return body }
        if let declaration = frames[index].declaration { bodies.append(SourceFacts.Body(of: declaration)) }
        frames[index].body = bodies.count - 1
        return bodies.count - 1
    }

    @discardableResult
    private func enter(
        _ node: some SyntaxProtocol, _ word: String? = nil, at place: Syntax? = nil
    ) -> SyntaxVisitorContinueKind {
        let branch = word.map { text($0, at: place ?? Syntax(node)) } ?? self.branch
        frames.append(
            Frame(
                node: node.id, branch: branch, attempt: attempt, catcher: frames.last?.catcher,
                closures: closures))
        return .visitChildren
    }

    @discardableResult
    private func enterBody(
        _ node: some SyntaxProtocol, of declaration: Syntax? = nil
    ) -> SyntaxVisitorContinueKind {
        bodyFrames.append(frames.count)
        frames.append(Frame(node: node.id, exits: exits, declaration: declaration ?? Syntax(node)))
        exits = 0
        return .visitChildren
    }

    private func leave(_ node: some SyntaxProtocol) {
        guard let frame = frames.last, frame.node == node.id else { return }
        frames.removeLast()
        if frame.declaration != nil { bodyFrames.removeLast() }
        if let before = frame.exits { exits = before }
    }

    /// Marks the rest of the innermost list or operator sequence as code that may not be executed.
    private func cut(_ word: String, at place: Syntax) {
        guard let last = frames.indices.last, !frames[last].isCut else { return }
        (frames[last].branch, frames[last].isCut) = (text(word, at: place), true)
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

    override func visitPost(_ node: FunctionDeclSyntax) { leave(node) }

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

    override func visitPost(_ node: InitializerDeclSyntax) { leave(node) }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { enterBody(node) }

    override func visitPost(_ node: DeinitializerDeclSyntax) { leave(node) }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { enterBody(node) }

    override func visitPost(_ node: SubscriptDeclSyntax) { leave(node) }

    /// A local variable belongs to the function around it.
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        node.group?.path == "" ? .visitChildren : enterBody(node)
    }

    override func visitPost(_ node: VariableDeclSyntax) { leave(node) }

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
        frames[frames.count - 1].exits = exits
        if !isCalled {
            let (branch, closures) = execution(of: Passing(Syntax(node)), at: Syntax(node))
            (frames[frames.count - 1].branch, frames[frames.count - 1].closures) = (branch, closures)
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

    override func visitPost(_ node: ClosureExprSyntax) { leave(node) }

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

    override func visitPost(_ node: IfExprSyntax) { leave(node) }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        enter(node, "guard")
        exits += 1
        return .visitChildren
    }

    override func visitPost(_ node: GuardStmtSyntax) { leave(node) }

    /// The sequence of a loop is always evaluated.
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
        if let loop = node.parent, loop.is(ForStmtSyntax.self) { enter(node, "for", at: loop) }
        if let block = node.parent?.as(DoStmtSyntax.self), !block.catchClauses.isEmpty {
            enter(node)
            if !block.catchClauses.allSatisfy(\.endsExecution) { frames[frames.count - 1].catcher = node.id }
        }
        return .visitChildren
    }

    override func visitPost(_ node: CodeBlockSyntax) { leave(node) }

    /// After an error, `try?` continues in any case, and `try` in a `do` whose `catch` does.
    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        let mark = node.questionOrExclamationMark?.text ?? ""
        let catcher = frames.last?.catcher
        guard mark == "?" || mark.isEmpty && catcher != nil else { return .visitChildren }
        let attempt = self.attempt ?? text("try" + mark, at: Syntax(node))
        enter(node)
        frames[frames.count - 1].attempt = attempt
        // The error of a `try` skips the rest of the `do`.
        for index in frames.indices.reversed() where mark.isEmpty {
            frames[index].attempt = attempt
            if frames[index].node == catcher { break }
        }
        return .visitChildren
    }

    override func visitPost(_ node: TryExprSyntax) { leave(node) }

    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { enter(node, "while") }

    override func visitPost(_ node: WhileStmtSyntax) { leave(node) }

    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind { enter(node, "catch") }

    override func visitPost(_ node: CatchClauseSyntax) { leave(node) }

    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { enter(node, "case") }

    override func visitPost(_ node: SwitchCaseSyntax) { leave(node) }

    /// `a ? b : c` is an operator and its operands, until operators are folded.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind { enter(node) }

    override func visitPost(_ node: SequenceExprSyntax) { leave(node) }

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

    override func visitPost(_ node: CodeBlockItemListSyntax) { leave(node) }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        exitsBefore.append(exits)
        return .visitChildren
    }

    override func visitPost(_ node: CodeBlockItemSyntax) {
        if exits > exitsBefore.removeLast() {
            cut(node.firstToken(viewMode: .sourceAccurate)?.text ?? "", at: Syntax(node))
        }
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        exits += 1
        return .visitChildren
    }

    override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind {
        exits += 1
        return .visitChildren
    }

    override func visit(_ node: BreakStmtSyntax) -> SyntaxVisitorContinueKind {
        skip(from: node, to: node.label)
    }

    override func visit(_ node: ContinueStmtSyntax) -> SyntaxVisitorContinueKind {
        skip(from: node, to: node.label)
    }

    override func visitPost(_ node: RepeatStmtSyntax) { exits -= skips.removeValue(forKey: node.id) ?? 0 }

    override func visitPost(_ node: LabeledStmtSyntax) { exits -= skips.removeValue(forKey: node.id) ?? 0 }

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
            exits += 1
        }
        return .skipChildren
    }
}
