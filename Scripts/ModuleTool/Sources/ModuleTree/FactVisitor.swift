import SwiftSyntax

/// Collects imports, Api calls and declarations. Imports and calls carry the `#if` condition around them.
final class FactVisitor: SyntaxVisitor {
    private(set) var facts = SourceFacts()
    private let lines: LineTable
    private let looksIntoBodies: Bool
    private var condition = Condition.always
    private var parents: [(name: String, isPublicExtension: Bool)] = []
    /// The generic parameters of the enclosing declarations, whose types only callers know.
    private var generics: [[String]] = []

    init(lines: LineTable, looksIntoBodies: Bool) {
        (self.lines, self.looksIntoBodies) = (lines, looksIntoBodies)
        super.init(viewMode: .sourceAccurate)
    }

    private func position(_ node: some SyntaxProtocol) -> Position {
        lines.position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    // MARK: Conditions

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
        let outer = condition
        var earlier: [Condition] = []
        for clause in node.clauses {
            let own = clause.condition.map(ConditionReader.condition) ?? .always
            condition = earlier.reduce(outer) { $0.and(.not($1)) }.and(own)
            earlier.append(own)
            if let elements = clause.elements { walk(elements) }
        }
        condition = outer
        return .skipChildren
    }

    // MARK: Imports

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        if let module = node.path.first {
            facts.imports.append(
                .init(module: module.name.text.unquoted, position: position(node), condition: condition))
        }
        return .skipChildren
    }

    // MARK: Calls

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard looksIntoBodies else { return .skipChildren }
        let name: String? =
            if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
                member.declName.baseName.text.unquoted
            } else if let plain = node.calledExpression.as(DeclReferenceExprSyntax.self) {
                plain.baseName.text.unquoted
            } else {
                nil
            }
        guard let name else { return .visitChildren }
        if let kind = SourceFacts.ApiUse.Kind(rawValue: name), kind != .module,
            let first = node.arguments.first, first.label?.text == "type"
        {
            facts.calls.append(
                .init(
                    kind: kind, type: literalType(first.expression),
                    argument: first.expression.trimmedDescription, position: position(node.calledName),
                    condition: condition))
        } else if name.hasSuffix("Module"), name.first?.isUppercase == true {
            facts.calls.append(
                .init(
                    kind: .module, type: name, argument: name, position: position(node), condition: condition)
            )
        }
        return .visitChildren
    }

    /// A reference to `api`, `requireApi` or `registerApi` that is not a call, such as
    /// `center.api(type:fileID:line:)`. The type argument of such a reference is unknown.
    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if looksIntoBodies, node.argumentNames?.arguments.first?.name.text == "type",
            let kind = SourceFacts.ApiUse.Kind(rawValue: node.baseName.text.unquoted), kind != .module
        {
            facts.calls.append(
                .init(
                    kind: kind, type: nil, argument: "the method itself", position: position(node),
                    condition: condition))
        }
        return .visitChildren
    }

    /// The name of the type in `X.self`, `M.X.self`, `(any X).self` or `B<X>.self`: `X`, `M.X`, `X` or
    /// `B<X>`. Returns nil for any other expression, and for generic parameters.
    private func literalType(_ expression: ExprSyntax) -> String? {
        guard let access = expression.as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == "self",
            let base = access.base
        else { return nil }
        var text = base.trimmedDescription
        if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
        if text.hasPrefix("any ") { text.removeFirst(4) }
        text = text.replacing("`", with: "").replacing(" ", with: "")
        let parts = text.split(omittingEmptySubsequences: false) { ".<>,".contains($0) }
        let unknown = Set(generics.joined()).union(["Self"])
        let areNames = parts.enumerated().allSatisfy { index, part in
            // The part after the `>` of a generic type is empty.
            if part.isEmpty { return index == parts.count - 1 && text.hasSuffix(">") }
            return (part.first.map { $0.isLetter || $0 == "_" } ?? false) && !unknown.contains(String(part))
                && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        let isType =
            base.is(DeclReferenceExprSyntax.self) || base.is(MemberAccessExprSyntax.self)
            || base.is(GenericSpecializationExprSyntax.self) || base.is(TupleExprSyntax.self)
        return areNames && isType && text.first?.isUppercase == true ? text : nil
    }

    // MARK: Bodies

    /// Declarations inside a body are local, so their parent is recorded without a name.
    private func enterBody() -> SyntaxVisitorContinueKind {
        parents.append(("", false))
        return looksIntoBodies ? .visitChildren : .skipChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: CodeBlockSyntax) { parents.removeLast() }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: ClosureExprSyntax) { parents.removeLast() }

    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: AccessorBlockSyntax) { parents.removeLast() }

    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { enterBody() }
    override func visitPost(_ node: SwitchCaseSyntax) { parents.removeLast() }

    override func visit(_ node: InitializerClauseSyntax) -> SyntaxVisitorContinueKind {
        looksIntoBodies ? .visitChildren : .skipChildren
    }

    // MARK: Declarations

    private func declare(
        _ keyword: String, _ name: String, _ modifiers: DeclModifierListSyntax, _ node: some SyntaxProtocol,
        literal: String? = nil
    ) {
        let isPublic =
            modifiers.contains { $0.name.text == "public" || $0.name.text == "open" }
            || (parents.last?.isPublicExtension ?? false)
        guard isPublic || keyword == "protocol" || Self.typeKeywords.contains(keyword) || literal != nil
        else {
            return
        }
        facts.declarations.append(
            .init(
                keyword: keyword, name: name, parent: parents.last?.name, isPublic: isPublic,
                literal: literal, position: position(node)))
    }

    private static let typeKeywords: Set = ["struct", "class", "enum", "actor", "protocol"]

    private func open(
        _ name: String, _ parameters: GenericParameterClauseSyntax? = nil, isPublicExtension: Bool = false
    ) -> SyntaxVisitorContinueKind {
        parents.append((name, isPublicExtension))
        push(parameters)
        return .visitChildren
    }

    private func close() {
        parents.removeLast()
        generics.removeLast()
    }

    private func push(_ parameters: GenericParameterClauseSyntax?) {
        generics.append(parameters?.parameters.map(\.name.text) ?? [])
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("protocol", node.name.text.unquoted, node.modifiers, node.name)
        return .skipChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("struct", node.name.text.unquoted, node.modifiers, node.name)
        return open(node.name.text.unquoted, node.genericParameterClause)
    }
    override func visitPost(_ node: StructDeclSyntax) { close() }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("class", node.name.text.unquoted, node.modifiers, node.name)
        return open(node.name.text.unquoted, node.genericParameterClause)
    }
    override func visitPost(_ node: ClassDeclSyntax) { close() }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("actor", node.name.text.unquoted, node.modifiers, node.name)
        return open(node.name.text.unquoted, node.genericParameterClause)
    }
    override func visitPost(_ node: ActorDeclSyntax) { close() }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("enum", node.name.text.unquoted, node.modifiers, node.name)
        return open(node.name.text.unquoted, node.genericParameterClause)
    }
    override func visitPost(_ node: EnumDeclSyntax) { close() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.extendedType.trimmedDescription
        return open(name, isPublicExtension: node.modifiers.contains { $0.name.text == "public" })
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { close() }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("func", node.name.text.unquoted, node.modifiers, node.name)
        push(node.genericParameterClause)
        return looksIntoBodies ? .visitChildren : .skipChildren
    }
    override func visitPost(_ node: FunctionDeclSyntax) { generics.removeLast() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("init", "init", node.modifiers, node.initKeyword)
        push(node.genericParameterClause)
        return looksIntoBodies ? .visitChildren : .skipChildren
    }
    override func visitPost(_ node: InitializerDeclSyntax) { generics.removeLast() }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("subscript", "subscript", node.modifiers, node.subscriptKeyword)
        push(node.genericParameterClause)
        return looksIntoBodies ? .visitChildren : .skipChildren
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { generics.removeLast() }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("typealias", node.name.text.unquoted, node.modifiers, node.name)
        return .skipChildren
    }

    override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind {
        declare("macro", node.name.text.unquoted, node.modifiers, node.name)
        return .skipChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for binding in node.bindings {
            let name =
                binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
                ?? binding.pattern.trimmedDescription
            let isVersion = name == "version" && (parents.last?.name.hasSuffix("Module") ?? false)
            let literal =
                isVersion
                ? binding.initializer?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue : nil
            declare(node.bindingSpecifier.text, name, node.modifiers, binding.pattern, literal: literal)
        }
        return looksIntoBodies ? .visitChildren : .skipChildren
    }
}

extension FunctionCallExprSyntax {
    /// The name of the called function: `api` in `center.api(type: X.self)`.
    fileprivate var calledName: Syntax {
        calledExpression.as(MemberAccessExprSyntax.self).map { Syntax($0.declName) }
            ?? Syntax(calledExpression)
    }
}

extension String {
    /// The name without backticks.
    var unquoted: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }
}
