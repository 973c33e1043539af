import SwiftSyntax

/// Collects imports, Api calls and declarations. Calls carry the `#if` condition around them.
final class FactVisitor: SyntaxVisitor {
    private(set) var facts = SourceFacts()
    private let lines: LineTable

    private let moduleSuffix: String

    /// - Parameter moduleSuffix: The suffix of module type names.
    init(lines: LineTable, moduleSuffix: String) {
        (self.lines, self.moduleSuffix) = (lines, moduleSuffix)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Imports

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        if let module = node.path.first {
            facts.imports.append(.init(module: module.name.text.unquoted, position: lines.position(node)))
        }
        return .skipChildren
    }

    // MARK: Calls

    private func add(
        _ kind: SourceFacts.ApiUse.Kind, _ type: String?, _ argument: String, at node: some SyntaxProtocol
    ) {
        // Branches matter for registrations and module types, but not for requests.
        let isRequest = kind == .api || kind == .requireApi
        let (compiled, branches) = lines.conditions(around: node)
        facts.calls.append(
            .init(
                kind: kind, type: type, argument: argument, position: lines.position(node),
                condition: isRequest ? compiled : compiled.and(branches)))
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let member = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName
        guard let called = member ?? node.calledExpression.as(DeclReferenceExprSyntax.self) else {
            return .visitChildren
        }
        let name = called.baseName.text.unquoted
        if let kind = SourceFacts.ApiUse.Kind(rawValue: name), kind != .module,
            let first = node.arguments.first, kind == .register ? node.registers : first.label?.text == "type"
        {
            add(kind, literalType(first.expression), first.expression.trimmedDescription, at: called)
        } else if name.isModuleType(moduleSuffix) {
            add(.module, name, name, at: node)
        } else if let pattern = node.routePattern {
            facts.routes.append(
                .init(
                    pattern: pattern.trimmedDescription.replacing("`", with: ""),
                    position: lines.position(pattern))
            )
        }
        return .visitChildren
    }

    /// Finds `XModule.init` and, where the context determines the type, `.init`.
    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if node.declName.baseName.text == "init",
            let name = node.base.map({ $0.lastName }) ?? node.contextualModule(moduleSuffix),
            name.isModuleType(moduleSuffix)
        {
            add(.module, name, name, at: node)
        }
        return .visitChildren
    }

    /// A reference to `api`, `requireApi`, `registerApi` or `register` that is not a call, such as
    /// `center.api(type:fileID:line:)`. The type argument of such a reference is unknown.
    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let kind = SourceFacts.ApiUse.Kind(rawValue: node.baseName.text.unquoted),
            let labels = node.argumentNames?.arguments.map(\.name.text),
            kind == .register ? labels.dropFirst().first == "scope" : labels.first == "type"
        {
            add(kind, nil, "the method itself", at: node)
        }
        return .visitChildren
    }

    /// The name of the type in `X.self`, `M.X.self`, `(any X).self` or `B<X>.self`; nil for any other expression.
    private func literalType(_ expression: ExprSyntax) -> String? {
        guard let access = expression.as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == "self",
            let base = access.base
        else { return nil }
        let isType =
            base.is(DeclReferenceExprSyntax.self) || base.is(MemberAccessExprSyntax.self)
            || base.is(GenericSpecializationExprSyntax.self) || base.is(TupleExprSyntax.self)
        return isType ? typeName(base.trimmedDescription, at: expression) : nil
    }

    /// The name in `X`, `M.X`, `(any X)` or `B<X>`; nil for any other type, and for generic parameters.
    private func typeName(_ written: String, at node: some SyntaxProtocol) -> String? {
        var text = written
        if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
        if text.hasPrefix("any ") { text.removeFirst(4) }
        text = text.replacing("`", with: "").replacing(" ", with: "")
        let parts = text.split(omittingEmptySubsequences: false) { ".<>,".contains($0) }
        let unknown = Set(Syntax(node).generics + ["Self"])
        let areNames = parts.enumerated().allSatisfy { index, part in
            // The part after the `>` of a generic type is empty.
            if part.isEmpty { return index == parts.count - 1 && text.hasSuffix(">") }
            return (part.first.map { $0.isLetter || $0 == "_" } ?? false) && !unknown.contains(String(part))
                && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        return areNames && text.first?.isUppercase == true ? text : nil
    }

    // MARK: Declarations

    private static let typeKeywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if case .decl(let declaration) = node.item { declare(declaration) }
        return .visitChildren
    }

    override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind {
        declare(node.decl)
        return .visitChildren
    }

    private func declare(_ node: DeclSyntax) {
        declareConformances(node)
        let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
        for attribute in attributes.compactMap({ $0.as(AttributeSyntax.self) })
        where ["_cdecl", "_silgen_name", "c", "_exported"].contains(attribute.name) {
            let name = node.asProtocol((any NamedDeclSyntax).self)?.name.text
            declareExposed(
                "@" + attribute.name, name ?? node.as(ImportDeclSyntax.self)?.path.trimmedDescription ?? "",
                at: node)
        }
        switch node.as(DeclSyntaxEnum.self) {
        case .operatorDecl(let node): declareExposed("operator", node.name.text, at: node)
        case .precedenceGroupDecl(let node): declareExposed("precedencegroup", node.name.text, at: node)
        case .variableDecl(let node):
            for binding in node.bindings {
                let value = binding.initializer?.value.literal
                let isVersion =
                    binding.pattern.trimmedDescription == "version"
                    && node.group?.path?.isModuleType(moduleSuffix) == true
                declare(
                    node.bindingSpecifier, binding.pattern, node.modifiers,
                    literal: isVersion ? value : nil)
            }
        case .initializerDecl(let node): declare(node.initKeyword, node.initKeyword, node.modifiers)
        case .subscriptDecl(let node): declare(node.subscriptKeyword, node.subscriptKeyword, node.modifiers)
        case .functionDecl(let node): declare(node.funcKeyword, node.name, node.modifiers)
        case .macroDecl(let node): declare(node.macroKeyword, node.name, node.modifiers)
        case .typeAliasDecl(let node):
            let type = typeName(node.initializer.value.trimmedDescription, at: node)
            declare(node.typealiasKeyword, node.name, node.modifiers, literal: type)
        default:
            guard let group = node.asProtocol((any DeclGroupSyntax).self),
                let name = node.asProtocol((any NamedDeclSyntax).self)?.name
            else { return }
            declare(group.introducer, name, group.modifiers)
        }
    }

    /// Adds the protocols that a module type or an extension of it names after its colon.
    private func declareConformances(_ node: DeclSyntax) {
        guard let clause = node.asProtocol((any DeclGroupSyntax).self)?.inheritanceClause,
            let type = Syntax(node).path, type.isModuleType(moduleSuffix)
        else { return }
        for token in clause.inheritedTypes.tokens(viewMode: .sourceAccurate) {
            guard case .identifier(let name) = token.tokenKind else { continue }
            facts.declarations.append(
                .init(
                    keyword: SourceFacts.Declaration.conformance, name: name.unquoted, parent: type,
                    isPublic: false, literal: nil, position: lines.position(token)))
        }
    }

    private static func isPrivate(_ modifier: DeclModifierSyntax) -> Bool {
        ["private", "fileprivate"].contains(modifier.name.text) && modifier.detail == nil
    }

    /// Adds a declaration that other modules see although it has no access modifier.
    private func declareExposed(_ keyword: String, _ name: String, at node: some SyntaxProtocol) {
        facts.declarations.append(
            .init(
                keyword: keyword, name: name, parent: nil, isPublic: true, literal: nil,
                position: lines.position(node)))
    }

    private func declare(
        _ keyword: TokenSyntax, _ name: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax,
        literal: String? = nil
    ) {
        let group = modifiers.parent?.group
        let isPublic = (Array(modifiers) + Array(group?.as(ExtensionDeclSyntax.self)?.modifiers ?? []))
            .contains { $0.name.text == "public" || $0.name.text == "open" }
        let isOfModule = group?.path?.isModuleType(moduleSuffix) == true
        if isPublic || isOfModule || Self.typeKeywords.contains(keyword.text) || literal != nil {
            facts.declarations.append(
                .init(
                    keyword: keyword.text, name: name.trimmedDescription.unquoted, parent: group?.path,
                    isPublic: isPublic, isPrivate: modifiers.contains { Self.isPrivate($0) },
                    literal: literal,
                    position: lines.position(name)))
        }
    }
}

extension SyntaxProtocol {
    /// The type, extension or body around a declaration; nil at the top level.
    fileprivate var group: Syntax? {
        var node = parent
        while let current = node, current.kind != .sourceFile {
            if current.kind == .codeBlock || current.kind == .closureExpr || current.kind == .accessorBlock
                || current.kind == .switchCase || current.asProtocol((any DeclGroupSyntax).self) != nil
            {
                return current
            }
            node = current.parent
        }
        return nil
    }
}

extension Syntax {
    /// The types around a declaration, such as `RideModule.Inner`; empty inside a body.
    fileprivate var path: String? {
        let name =
            self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
            ?? asProtocol((any NamedDeclSyntax).self)?.name.text.unquoted
        guard let name else { return "" }
        guard let outer = group?.path else { return name }
        return outer.isEmpty ? "" : outer + "." + name
    }

    /// The generic parameters of the declarations around the node. Only callers know the types of these parameters.
    fileprivate var generics: [String] {
        sequence(first: self, next: \.parent).flatMap { node in
            node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause?.parameters
                .map(\.name.text) ?? []
        }
    }
}
