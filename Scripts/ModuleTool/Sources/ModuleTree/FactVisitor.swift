import SwiftSyntax

/// Collects imports, Api calls and declarations. Imports and calls carry the `#if` condition around them.
final class FactVisitor: ConditionVisitor {
    private(set) var facts = SourceFacts()
    private let looksIntoBodies: Bool
    private var parents: [(name: String, isPublicExtension: Bool)] = []
    /// The generic parameters of the enclosing declarations, whose types only callers know.
    private var generics: [[String]] = []

    init(lines: LineTable, looksIntoBodies: Bool) {
        self.looksIntoBodies = looksIntoBodies
        super.init(lines: lines)
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

    private func add(
        _ kind: SourceFacts.ApiUse.Kind, _ type: String?, _ argument: String, at node: some SyntaxProtocol
    ) {
        // A branch matters only where something must happen.
        let isRequest = kind == .api || kind == .requireApi
        facts.calls.append(
            .init(
                kind: kind, type: type, argument: argument, position: position(node),
                condition: isRequest ? condition : condition.and(branches)))
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard looksIntoBodies else { return .skipChildren }
        let member = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName
        guard let called = member ?? node.calledExpression.as(DeclReferenceExprSyntax.self) else {
            return .visitChildren
        }
        let name = called.baseName.text.unquoted
        if let kind = SourceFacts.ApiUse.Kind(rawValue: name), kind != .module,
            let first = node.arguments.first, kind == .register ? node.registers : first.label?.text == "type"
        {
            add(kind, literalType(first.expression), first.expression.trimmedDescription, at: called)
        } else if name.isModuleType {
            add(.module, name, name, at: node)
        }
        return .visitChildren
    }

    /// Finds `XModule.init` and, where the context says the type, `.init`.
    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if looksIntoBodies, node.declName.baseName.text == "init",
            let name = node.base.map({ $0.lastName }) ?? node.contextualModule, name.isModuleType
        {
            add(.module, name, name, at: node)
        }
        return .visitChildren
    }

    /// A reference to `api`, `requireApi`, `registerApi` or `register` that is not a call, such as
    /// `center.api(type:fileID:line:)`. The type argument of such a reference is unknown.
    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if looksIntoBodies, let kind = SourceFacts.ApiUse.Kind(rawValue: node.baseName.text.unquoted),
            let labels = node.argumentNames?.arguments.map(\.name.text),
            kind == .register ? labels.dropFirst().first == "scope" : labels.first == "type"
        {
            add(kind, nil, "the method itself", at: node)
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
        let isType =
            base.is(DeclReferenceExprSyntax.self) || base.is(MemberAccessExprSyntax.self)
            || base.is(GenericSpecializationExprSyntax.self) || base.is(TupleExprSyntax.self)
        return isType ? plainType(base.trimmedDescription) : nil
    }

    /// The name in `X`, `M.X`, `(any X)` or `B<X>`; nil for any other type, and for generic parameters.
    private func plainType(_ written: String) -> String? {
        var text = written
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
        return areNames && text.first?.isUppercase == true ? text : nil
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
        guard isPublic || Self.typeKeywords.contains(keyword) || literal != nil else { return }
        facts.declarations.append(
            .init(
                keyword: keyword, name: name, parent: parent, isPublic: isPublic,
                literal: literal, position: position(node)))
    }

    /// The types around a declaration, such as `RideModule.Inner`; empty inside a body, and nil at the top level.
    private var parent: String? {
        if parents.isEmpty { return nil }
        return parents.contains { $0.name.isEmpty } ? "" : parents.map(\.name).joined(separator: ".")
    }

    private static let typeKeywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

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
        let type = node.initializer.value.trimmedDescription
        declare("typealias", node.name.text.unquoted, node.modifiers, node.name, literal: plainType(type))
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
    /// Whether a call of `register` has the form of `center.register(X.self, scope: .once) { … }`. Other types
    /// have methods of this name too, such as `container.register(X.self) { … }`.
    fileprivate var registers: Bool {
        let labels = arguments.map { $0.label?.text }
        guard labels.first == .some(nil) else { return false }
        let own = labels.dropFirst()
        guard own.allSatisfy({ ["scope", "impBuilder", "fileID", "line"].contains($0) }) else { return false }
        if own.contains("scope") || own.contains("impBuilder") { return true }
        let receiver = calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription ?? ""
        return trailingClosure != nil && receiver.lowercased().contains("center")
    }
}

extension ExprSyntax {
    /// The name `X` in the expressions `X` and `M.X`; otherwise empty.
    fileprivate var lastName: String {
        let name = self.as(MemberAccessExprSyntax.self)?.declName ?? self.as(DeclReferenceExprSyntax.self)
        return name?.baseName.text.unquoted ?? ""
    }
}

extension MemberAccessExprSyntax {
    /// The one module type in the type that the context gives to `.init()`, as in `let m: XModule = .init()`.
    fileprivate var contextualModule: String? {
        var node = parent?.as(FunctionCallExprSyntax.self).map(Syntax.init) ?? Syntax(self)
        while let parent = node.parent {
            node = parent
            let type: Syntax? =
                if let binding = node.as(PatternBindingSyntax.self) {
                    binding.typeAnnotation.map(Syntax.init)
                } else if let function = node.as(FunctionDeclSyntax.self) {
                    function.signature.returnClause.map(Syntax.init)
                } else if let parameter = node.as(FunctionParameterSyntax.self) {
                    Syntax(parameter.type)
                } else if let sequence = node.as(SequenceExprSyntax.self) {
                    sequence.elements.last?.as(TypeExprSyntax.self).map(Syntax.init)
                } else {
                    nil
                }
            if let type {
                let names = type.tokens(viewMode: .sourceAccurate).map(\.text.unquoted).filter(\.isModuleType)
                return names.count == 1 ? names[0] : nil
            }
            if node.is(FunctionCallExprSyntax.self) || node.is(PatternBindingSyntax.self) { return nil }
        }
        return nil
    }
}

extension String {
    /// The name without backticks.
    var unquoted: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }

    /// Whether this is the name of a module type, such as `RideModule`.
    fileprivate var isModuleType: Bool {
        hasSuffix("Module") && count > 6 && first?.isUppercase == true
    }
}
