import SwiftSyntax

/// Collects imports, Api calls and declarations. Calls carry the `#if` condition around them.
final class FactVisitor: ExecutionVisitor {
    private var found = SourceFacts()

    private let moduleSuffix: String
    /// The names of the variables so far whose values are new registries.
    private(set) var ownCenters: Set<String> = []

    /// - Parameter moduleSuffix: The suffix of module type names.
    init(lines: LineTable, moduleSuffix: String) {
        self.moduleSuffix = moduleSuffix
        super.init(lines: lines)
    }

    /// The facts of the visited file.
    var facts: SourceFacts {
        var facts = found
        // Only code that knows a registry can pass it on, and only code that creates modules starts them.
        if facts.imports.contains(where: { $0.module == "ApiCenter" }) || !facts.calls.isEmpty {
            facts.bodies = bodies
        }
        return facts
    }

    // MARK: Imports

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        if let module = node.path.first {
            found.imports.append(
                .init(
                    module: module.name.text.unquoted, position: lines.position(node),
                    condition: condition == .always ? nil : condition,
                    isExported: node.attributes.names.contains("_exported")))
        }
        return .skipChildren
    }

    // MARK: Calls

    private func add(
        _ kind: SourceFacts.ApiUse.Kind, _ type: String?, _ argument: String, at node: some SyntaxProtocol
    ) {
        // Branches matter for registrations and module types, but not for requests.
        found.calls.append(
            .init(
                kind: kind, type: type, argument: argument, position: lines.position(node),
                condition: condition, branch: kind.isRequest ? nil : branch ?? doubt(around: node),
                attempt: kind.isRequest ? nil : attempt, closures: kind.isRegistration ? closures : [],
                center: kind.isRegistration ? ownCenter(of: node) : nil, body: enclosingBody()))
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if node.initializer?.value.isNewCenter == true {
            ownCenters.insert(node.pattern.trimmedDescription.unquoted)
        }
        return .visitChildren
    }

    /// The question mark in `center?.register`, with its position.
    private func doubt(around called: some SyntaxProtocol) -> String? {
        let base = called.parent?.as(MemberAccessExprSyntax.self)?.base
        return base?.as(OptionalChainingExprSyntax.self).map { chain in
            let position = lines.position(chain.questionMark)
            return "? at \(position.line):\(position.column)"
        }
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let member = node.calledExpression.as(MemberAccessExprSyntax.self)?.declName
        guard let called = member ?? node.calledExpression.as(DeclReferenceExprSyntax.self) else {
            return .visitChildren
        }
        let name = called.baseName.text.unquoted
        if let kind = node.registryUse, let first = node.arguments.first?.expression {
            let receiver = node.calledExpression.as(MemberAccessExprSyntax.self)?.base
            let type = literalType(first)
            // Other types have a method `register(_:)` with a closure too.
            if type != nil || kind != .register || node.arguments.count > 1 || isRegistry(receiver) {
                add(kind, type, first.trimmedDescription, at: called)
            }
        } else if name.isModuleType(moduleSuffix) {
            add(.module, name, name, at: node)
        } else if let pattern = node.routePattern {
            found.routes.append(
                .init(
                    pattern: pattern.trimmedDescription.replacing("`", with: ""),
                    position: lines.position(pattern))
            )
        }
        return .visitChildren
    }

    /// Finds `XModule.init`, where the context determines the type `.init`, and `XModule.self`, with which other code
    /// can create the module.
    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        let member = node.declName.baseName.text
        if member == "init" || member == "self",
            let name = node.base?.lastName ?? (member == "init" ? node.contextualModule(moduleSuffix) : nil),
            name.isModuleType(moduleSuffix)
        {
            add(.module, name, member == "self" ? name + ".self" : name, at: node)
        }
        return .visitChildren
    }

    /// Finds a method of a registry that is used as a value, such as `center.api` or `center.api(type:fileID:line:)`. Its
    /// type argument is unknown.
    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let access = node.parent?.as(MemberAccessExprSyntax.self).flatMap { $0.declName == node ? $0 : nil }
        noteUse(of: node, in: access)
        guard let kind = SourceFacts.ApiUse.Kind(rawValue: node.baseName.text.unquoted), kind != .module
        else { return .visitChildren }
        // `ApiCenter.api(center)` is a method too, unlike all other calls.
        let call = (access?.parent ?? node.parent)?.as(FunctionCallExprSyntax.self)
        if call?.registryUse != nil || call?.arguments.first?.label != nil { return .visitChildren }
        let labels = node.argumentNames?.arguments.map(\.name.text) ?? []
        let isNamed = labels.contains(kind == .register ? "scope" : kind == .removeApi ? "api" : "type")
        if isNamed || isRegistry(access?.base) { add(kind, nil, "the method itself", at: node) }
        return .visitChildren
    }

    /// Adds a name that is called or used as a value to the body around it.
    private func noteUse(of node: DeclReferenceExprSyntax, in access: MemberAccessExprSyntax?) {
        let whole = access.map(Syntax.init) ?? Syntax(node)
        let call = whole.parent?.as(FunctionCallExprSyntax.self)
        let isBase = whole.parent?.as(MemberAccessExprSyntax.self)?.base.map(Syntax.init) == whole
        guard let kind = whole.parent?.kind, call != nil || isBase || Self.uses.contains(kind),
            call?.registryUse == nil
        else { return }
        let labels = call.flatMap { call in
            call.trailingClosure == nil ? call.arguments.map { $0.label?.text.unquoted ?? "_" } : nil
        }
        let passing = kind == .labeledExpr ? Passing(whole) : nil
        let (branch, closures) =
            passing == nil ? (self.branch, self.closures) : execution(of: passing, at: whole)
        bodies[enclosingBody()].uses.insert(
            .init(
                name: node.baseName.text.unquoted, labels: labels,
                condition: condition == .always ? nil : condition,
                branch: branch ?? doubt(around: node) ?? attempt,
                isCalled: call?.calledExpression.id == whole.id || passing != nil,
                closures: closures, center: call.flatMap(passedCenter)))
    }

    /// The nodes that use a name as a value.
    private static let uses: Set<SyntaxKind> = [
        .arrayElement, .codeBlockItem, .dictionaryElement, .exprList, .forStmt, .initializerClause,
        .labeledExpr, .returnStmt, .unresolvedTernaryExpr,
    ]

    // MARK: Types

    /// The name of the type in `X.self`, `M.X.self`, `(any X).self`, `X?.self` or `B<X>.self`; nil for any other expression.
    private func literalType(_ expression: ExprSyntax) -> String? {
        guard let access = expression.as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == "self",
            let base = access.base
        else { return nil }
        return typeName(base.trimmedDescription, at: expression)
    }

    /// The name in `X`, `M.X`, `M::X`, `(any X)` or `B<X>`, and `Optional<X>` for `X?`; nil for any other type, and for
    /// generic parameters.
    private func typeName(_ written: String, at node: some SyntaxProtocol) -> String? {
        var text = written.replacing("`", with: "").replacing("::", with: ".")
        if text.hasPrefix("Optional<"), text.hasSuffix(">") { text = text.dropFirst(9).dropLast() + "?" }
        if text.hasSuffix("?") {
            return typeName(String(text.dropLast()), at: node).map { "Optional<\($0)>" }
        }
        if text.hasPrefix("("), text.hasSuffix(")") { text = String(text.dropFirst().dropLast()) }
        if text.hasPrefix("any ") { text.removeFirst(4) }
        text = text.replacing(" ", with: "")
        let parts = text.split(omittingEmptySubsequences: false) { ".<>,".contains($0) }
        let unknown = Set(Syntax(node).genericParameters.map(\.name.text) + ["Self"])
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
        return super.visit(node)
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
                let value = binding.initializer?.value.literal ?? binding.accessorBlock?.value?.literal
                let isVersion =
                    binding.pattern.trimmedDescription == "version"
                    && node.group?.path?.isModuleType(moduleSuffix) == true
                declare(
                    node.bindingSpecifier, binding.pattern, node.modifiers,
                    literal: isVersion ? value : nil)
            }
        case .initializerDecl(let node): declare(node.initKeyword, node.initKeyword, node.modifiers)
        case .subscriptDecl(let node): declare(node.subscriptKeyword, node.subscriptKeyword, node.modifiers)
        case .functionDecl(let node): declare(node.funcKeyword, node.name, node.modifiers, node.signature)
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
            found.declarations.append(
                .init(
                    keyword: SourceFacts.Declaration.conformance, name: name.unquoted, parent: type,
                    position: lines.position(token)))
        }
    }

    /// Adds a declaration that other modules see although it has no access modifier.
    private func declareExposed(_ keyword: String, _ name: String, at node: some SyntaxProtocol) {
        found.declarations.append(
            .init(keyword: keyword, name: name, isPublic: true, position: lines.position(node)))
    }

    private func declare(
        _ keyword: TokenSyntax, _ name: some SyntaxProtocol, _ modifiers: DeclModifierListSyntax,
        _ signature: FunctionSignatureSyntax? = nil, literal: String? = nil
    ) {
        let group = modifiers.parent?.group
        let isPublic = modifiers.isPublic(in: group?.as(ExtensionDeclSyntax.self)?.modifiers)
        let isOfModule = group?.path?.isModuleType(moduleSuffix) == true
        if isPublic || isOfModule || Self.typeKeywords.contains(keyword.text) || literal != nil {
            found.declarations.append(
                .init(
                    keyword: keyword.text, name: name.trimmedDescription.unquoted, parent: group?.path,
                    isPublic: isPublic, signature: isOfModule ? signature?.labels : nil,
                    isPrivate: ["private", "fileprivate"].contains(modifiers.access),
                    literal: literal, position: lines.position(name)))
        }
    }
}

extension DeclModifierListSyntax {
    /// The written access level, such as `public`; nil if no level is written.
    var access: String? {
        first { $0.detail == nil && Self.levels.contains($0.name.text) }?.name.text
    }

    private static var levels: Set<String> {
        ["open", "public", "package", "internal", "fileprivate", "private"]
    }

    /// Whether other modules see a declaration with these modifiers in an extension with those; nil if it is in no
    /// extension.
    func isPublic(in extended: DeclModifierListSyntax?) -> Bool {
        ["public", "open"].contains(access ?? extended?.access)
    }
}

extension FunctionSignatureSyntax {
    /// The labels in the function's full name, such as `(_:in:)`, followed by ` async` if it is asynchronous.
    fileprivate var labels: String {
        "(" + parameterClause.parameters.map { $0.firstName.text.unquoted + ":" }.joined() + ")"
            + (effectSpecifiers?.asyncSpecifier == nil ? "" : " async")
    }
}
