import SwiftSyntax

/// Distinguishes plain values and simple bodies from behaviour.
struct PlainValue {
    /// The functions and types that the file declares.
    private let functions: Set<String>
    private let types: Set<String>

    init(_ file: some SyntaxProtocol) {
        let tokens = file.tokens(viewMode: .sourceAccurate)
        let names = zip(tokens.map(\.text), tokens.dropFirst().map(\.text.unquoted))
        functions = Set(names.filter { $0.0 == "func" }.map(\.1))
        types = Set(names.filter { ["struct", "enum", "protocol", "typealias"].contains($0.0) }.map(\.1))
    }

    /// Whether an expression consists of literals, names, and calls to initialisers and static functions with at
    /// least one argument: `"journey_vc"`, `Notification.Name("x")` and `.seconds(1)` are plain, `Service()` is not.
    static func isPlain(_ value: ExprSyntax) -> Bool {
        if let call = value.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? "X"
            // `.random(in: 1...6)` looks like the case of an enum.
            if call.calledExpression.lastName == "random" { return false }
            return call.trailingClosure == nil && call.additionalTrailingClosures.isEmpty
                && !call.arguments.isEmpty && call.arguments.allSatisfy { isPlain($0.expression) }
                && name.first?.isUppercase == true
        }
        if let text = value.as(StringLiteralExprSyntax.self) {
            return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
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
        return value.literalType != nil || value.is(NilLiteralExprSyntax.self)
            || value.is(DeclReferenceExprSyntax.self)
    }

    /// What a body may do besides nothing, returning one value, choosing between values, and throwing.
    enum Body {
        case value
        /// It calls another function of the file.
        case command
        /// It copies arguments to properties, or calls another initialiser.
        case initializer
        /// It has any number of such statements.
        case comparison
        /// It calls methods of an argument, and of containers obtained from the argument.
        case calls(of: String)
    }

    func isPlain(_ body: CodeBlockItemListSyntax, _ kind: Body) -> Bool {
        switch kind {
        case .comparison: return !hasBehaviour(body)
        case .value: return body.count <= 1 && !hasBehaviour(body)
        case .command:
            guard case .expr(let expression)? = body.first?.item else { return isPlain(body, .value) }
            let called = expression.withoutEffects.as(FunctionCallExprSyntax.self)?.calledExpression
            let receiver = called?.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription ?? "self"
            return isPlain(body, .value) && ["self", "Self"].contains(receiver)
        case .initializer: return body.allSatisfy(setsProperty) || isPlain(body, .command)
        case .calls(let argument):
            var known: Set = [argument]
            return body.allSatisfy { calls(&known, in: $0) } || isPlain(body, .command)
        }
    }

    /// Whether code contains closures, loops, assignments, `defer` or `do`, or calls that may do more than return
    /// a value.
    private func hasBehaviour(_ node: some SyntaxProtocol) -> Bool {
        let visitor = BehaviourVisitor(self)
        visitor.walk(node)
        return visitor.found
    }

    /// Whether a statement is `self.x = x`, an assignment of tuples, or a call to another initialiser.
    private func setsProperty(_ statement: CodeBlockItemSyntax) -> Bool {
        if let sequence = statement.item.as(SequenceExprSyntax.self) {
            let elements = Array(sequence.elements)
            return elements.count >= 3 && elements[1].is(AssignmentExprSyntax.self)
                && !elements[2...].contains(where: hasBehaviour)
        }
        guard case .expr(let expression) = statement.item, !hasBehaviour(expression) else { return false }
        let called = expression.withoutEffects.as(FunctionCallExprSyntax.self)?.calledExpression
        return called?.trimmedDescription == "self.init"
    }

    /// Whether a statement calls a method of one of these objects, or gives such a call's result a name. Adds the name.
    private func calls(_ known: inout Set<String>, in statement: CodeBlockItemSyntax) -> Bool {
        let binding = statement.item.as(VariableDeclSyntax.self)?.bindings.first
        guard let value = binding?.initializer?.value ?? statement.item.as(ExprSyntax.self),
            known.contains(value.withoutEffects.root), !hasBehaviour(value)
        else { return false }
        if let binding { known.insert(binding.pattern.trimmedDescription) }
        return true
    }

    /// Whether a call creates a value, or calls a function of the file or of a value.
    fileprivate func isHarmless(_ called: ExprSyntax) -> Bool {
        if called.lastName == "random" { return false }
        let name =
            called.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? called.trimmedDescription.unquoted
        // Types begin with a capital letter, and `.name` is a case or an initialiser of the expected type.
        if name.first?.isUppercase == true || name == "init" { return true }
        guard let member = called.as(MemberAccessExprSyntax.self) else { return functions.contains(name) }
        let root = member.base?.root ?? ""
        return root.first?.isUppercase != true || root == "Self" || types.contains(root)
    }
}

extension ExprSyntax {
    /// The expression without `try` and `await`.
    fileprivate var withoutEffects: ExprSyntax {
        if let attempt = self.as(TryExprSyntax.self) { return attempt.expression.withoutEffects }
        return self.as(AwaitExprSyntax.self)?.expression.withoutEffects ?? self
    }

    /// The name at the beginning of `a.b(c).d`; empty for the call `a()`, and for other expressions.
    fileprivate var root: String {
        if let member = self.as(MemberAccessExprSyntax.self) { return member.base?.root ?? "" }
        if let call = self.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.is(DeclReferenceExprSyntax.self) ? "" : call.calledExpression.root
        }
        if let chain = self.as(OptionalChainingExprSyntax.self) { return chain.expression.root }
        if let unwrapped = self.as(ForceUnwrapExprSyntax.self) { return unwrapped.expression.root }
        return self.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
    }
}

/// Finds closures, loops, assignments, `defer` and `do` statements, and calls that may have effects.
private final class BehaviourVisitor: SyntaxAnyVisitor {
    private(set) var found = false
    private let plain: PlainValue

    init(_ plain: PlainValue) {
        self.plain = plain
        super.init(viewMode: .sourceAccurate)
    }

    private static let kinds: Set<SyntaxKind> = [
        .closureExpr, .forStmt, .whileStmt, .repeatStmt, .assignmentExpr, .deferStmt, .doStmt,
    ]

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        if node.is(ExpressionPatternSyntax.self) { return .skipChildren }
        let called = node.as(FunctionCallExprSyntax.self)?.calledExpression
        let sign = node.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        found =
            found || Self.kinds.contains(node.kind) || called.map { !plain.isHarmless($0) } ?? false
            || sign.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!=="].contains(sign)
        return found ? .skipChildren : .visitChildren
    }
}
