import SwiftSyntax

/// Distinguishes plain values and simple bodies from behaviour.
enum PlainValue {
    /// Whether an expression consists of literals, names, and calls with at least one argument:
    /// `"journey_vc"`, `Notification.Name("x")` and `.init(rawValue: "x")` are plain, `Service()` is not.
    static func isPlain(_ value: ExprSyntax) -> Bool {
        if let call = value.as(FunctionCallExprSyntax.self) {
            return call.trailingClosure == nil && call.additionalTrailingClosures.isEmpty
                && !call.arguments.isEmpty && call.arguments.allSatisfy { isPlain($0.expression) }
        }
        if let array = value.as(ArrayExprSyntax.self) {
            return array.elements.allSatisfy { isPlain($0.expression) }
        }
        if let dictionary = value.as(DictionaryExprSyntax.self) {
            guard case .elements(let elements) = dictionary.content else { return true }
            return elements.allSatisfy { isPlain($0.key) && isPlain($0.value) }
        }
        if let sequence = value.as(SequenceExprSyntax.self) {
            return sequence.elements.allSatisfy { $0.is(BinaryOperatorExprSyntax.self) || isPlain($0) }
        }
        if let prefix = value.as(PrefixOperatorExprSyntax.self) { return isPlain(prefix.expression) }
        if let member = value.as(MemberAccessExprSyntax.self) { return member.base.map(isPlain) ?? true }
        return value.is(StringLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
            || value.is(FloatLiteralExprSyntax.self) || value.is(BooleanLiteralExprSyntax.self)
            || value.is(NilLiteralExprSyntax.self) || value.is(DeclReferenceExprSyntax.self)
    }

    /// Whether a body has at most one statement, without closures, loops or assignments: a value, a choice
    /// between values, a forwarding call or a throw.
    static func isPlain(_ body: CodeBlockItemListSyntax) -> Bool {
        guard body.count <= 1 else { return false }
        let visitor = BehaviourVisitor(viewMode: .sourceAccurate)
        visitor.walk(body)
        return !visitor.found
    }

    /// Whether an initialiser only copies its arguments: `self.x = x`, also as a tuple.
    static func onlySetsProperties(_ body: CodeBlockItemListSyntax) -> Bool {
        body.allSatisfy { item in
            guard let sequence = item.item.as(SequenceExprSyntax.self) else {
                return false
            }
            let elements = Array(sequence.elements)
            guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) else { return false }
            let visitor = BehaviourVisitor(viewMode: .sourceAccurate)
            for element in elements[2...] { visitor.walk(element) }
            return !visitor.found
        }
    }
}

/// Finds closures, loops, assignments, and `defer` and `do` statements.
private final class BehaviourVisitor: SyntaxVisitor {
    private(set) var found = false

    private func stop() -> SyntaxVisitorContinueKind {
        found = true
        return .skipChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { stop() }
    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind { stop() }
    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { stop() }
    override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind { stop() }
    override func visit(_ node: AssignmentExprSyntax) -> SyntaxVisitorContinueKind { stop() }
    override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind { stop() }
    override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind { stop() }
}
