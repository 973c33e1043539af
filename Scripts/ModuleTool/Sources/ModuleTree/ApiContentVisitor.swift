import SwiftSyntax

/// Finds what an Api package must not contain: everything but protocols, structs, enums, type aliases, constants, and
/// functions with a simple body, with attributes that do not change what code runs.
final class ApiContentVisitor: SyntaxVisitor {
    private(set) var forbidden: [SourceFacts.ForbiddenDeclaration] = []
    /// The extensions that contain more than constants. An Api may extend only its own types in this way.
    private(set) var extensions: [SourceFacts.Declaration] = []
    private let lines: LineTable
    private let plain: PlainValue

    init(lines: LineTable, _ file: SourceFileSyntax) {
        (self.lines, plain) = (lines, PlainValue(file))
        super.init(viewMode: .sourceAccurate)
    }

    private func report(_ node: some SyntaxProtocol, _ what: String, fix: String) {
        forbidden.append(.init(what: what, fix: fix, position: lines.position(node)))
    }

    // MARK: What is allowed

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .decl(let declaration) = node.item else {
            report(node, "code outside a declaration in an Api package", fix: "move it to the IMP package")
            return .skipChildren
        }
        return check(declaration)
    }

    override func visit(_ node: MemberBlockItemSyntax) -> SyntaxVisitorContinueKind { check(node.decl) }

    private func check(_ node: DeclSyntax) -> SyntaxVisitorContinueKind {
        let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
        for attribute in attributes.compactMap({ $0.as(AttributeSyntax.self) })
        where !Self.attributes.contains(attribute.name) && !attribute.name.hasSuffix("Actor") {
            report(
                attribute, "@\(attribute.name) in an Api package",
                fix: "remove it, or move the code to the IMP package")
        }
        if Self.kinds.contains(node.kind) { return .visitChildren }
        if let keyword = node.asProtocol((any DeclGroupSyntax).self)?.introducer.text,
            let name = node.asProtocol((any NamedDeclSyntax).self)?.name
        {
            report(
                name, "\(keyword) \(name.text) in an Api package",
                fix:
                    "declare a protocol\(keyword == "class" ? " or a struct" : "") here, and move the \(keyword) to the IMP package"
            )
            return .skipChildren
        }
        let word = node.tokens(viewMode: .sourceAccurate).first { token in
            ["deinit", "macro", "operator", "precedencegroup"].contains(token.text)
                || token.text.hasPrefix("#")
        }
        report(
            node, "\(word?.text ?? "this declaration") in an Api package", fix: "move it to the IMP package")
        return .skipChildren
    }

    /// The declarations that an Api may contain. The visits of these nodes check their contents.
    private static let kinds: Set<SyntaxKind> = [
        .importDecl, .protocolDecl, .structDecl, .enumDecl, .enumCaseDecl, .extensionDecl, .typeAliasDecl,
        .associatedTypeDecl, .functionDecl, .initializerDecl, .subscriptDecl, .variableDecl, .ifConfigDecl,
    ]

    /// The attributes that an Api may use, besides global actors.
    private static let attributes: Set = [
        "available", "concurrent", "discardableResult", "dynamicMemberLookup", "frozen", "inlinable",
        "nonexhaustive", "objc", "preconcurrency", "safe", "Sendable", "unsafe", "usableFromInline",
    ]

    // MARK: Types

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let isConstants = node.memberBlock.members.allSatisfy { member in
            let variable = member.decl.as(VariableDeclSyntax.self)
            return variable?.bindingSpecifier.text == "let" && variable?.isStatic == true
        }
        if !isConstants || node.inheritanceClause != nil {
            extensions.append(
                .init(
                    keyword: "extension", name: node.extendedType.trimmedDescription,
                    position: lines.position(node.extendedType)))
        }
        return .visitChildren
    }

    // MARK: Stored values

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        var isSaid = false
        for binding in node.bindings.reversed() {
            let known = forbidden.count
            if let accessors = binding.accessorBlock {
                check(accessors, of: binding.pattern.trimmedDescription, at: binding.pattern)
            } else {
                checkStored(binding, in: node)
            }
            // In `let a, b: Int`, the type follows the last name.
            isSaid = isSaid || binding.typeAnnotation != nil
            if forbidden.count == known, node.isPublic, !isSaid,
                binding.initializer?.value.literalType == nil
            {
                report(
                    binding.pattern, "\(binding.pattern.trimmedDescription) has no type annotation",
                    fix: "add a type annotation, so that this tool can detect when the type changes")
            }
        }
        return .skipChildren
    }

    private func checkStored(_ binding: PatternBindingSyntax, in node: VariableDeclSyntax) {
        let name = binding.pattern.trimmedDescription
        let isLazy = node.modifiers.contains { $0.name.text == "lazy" }
        let isKept = node.isStatic || !node.isInType
        if isLazy || isKept && node.bindingSpecifier.text == "var" {
            report(
                binding.pattern, "\(name) is mutable state in an Api package",
                fix: "make it a `let` with a literal, or move it to the IMP package")
        } else if let value = binding.initializer?.value, !PlainValue.isPlain(value) {
            report(
                binding.pattern,
                isKept
                    ? "the constant \(name) in an Api package does not have a plain value"
                    : "the default value of \(name) in an Api package is not a plain value",
                fix: isKept
                    ? "store it in the IMP package and provide it through the protocol; only plain values, such as literals, may be constants here"
                    : "write a literal, or have the initialiser's callers pass the value"
            )
        }
    }

    private func checkDefaults(_ parameters: FunctionParameterClauseSyntax?) {
        for parameter in parameters?.parameters ?? [] {
            guard let value = parameter.defaultValue?.value, !PlainValue.isPlain(value) else { continue }
            report(
                value,
                "the default value of \((parameter.secondName ?? parameter.firstName).text) in an Api package is not a plain value",
                fix: "write a literal, or have callers pass the value")
        }
    }

    // MARK: Behaviour

    private func check(_ accessors: AccessorBlockSyntax, of name: String, at place: some SyntaxProtocol) {
        if let body = accessors.accessors.as(CodeBlockItemListSyntax.self) {
            checkBody(body, of: name, at: place)
        }
        for accessor in accessors.accessors.as(AccessorDeclListSyntax.self) ?? [] {
            guard ["get", "set"].contains(accessor.accessorSpecifier.text) else {
                reportBehaviour(of: "\(accessor.accessorSpecifier.text) of \(name)", at: accessor)
                continue
            }
            if let body = accessor.body {
                let isGetter = accessor.accessorSpecifier.text == "get"
                checkBody(body.statements, of: name, at: place, returnsValue: isGetter)
            }
        }
    }

    private func checkBody(
        _ body: CodeBlockItemListSyntax, of name: String, at place: some SyntaxProtocol,
        returnsValue: Bool = true
    ) {
        if !plain.isPlain(body, returnsValue: returnsValue) { reportBehaviour(of: name, at: place) }
    }

    private func reportBehaviour(of name: String, at place: some SyntaxProtocol) {
        report(
            place, "\(name) in an Api package has a body that is more than one plain statement",
            fix: "move the code to the IMP package, and declare a requirement for it in the protocol")
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(node.signature.parameterClause)
        guard let body = node.body?.statements else { return .skipChildren }
        let parameters = Array(node.signature.parameterClause.parameters)
        let isAllowed =
            switch (node.name.text, parameters.map(\.firstName.text)) {
            case ("hash", ["into"]), ("encode", ["to"]):
                plain.onlyCalls((parameters[0].secondName ?? parameters[0].firstName).text, in: body)
            case ("==", _), ("<", _): !plain.hasBehaviour(body)
            default: false
            }
        let result = node.signature.returnClause?.type.trimmedDescription ?? "Void"
        if !isAllowed {
            checkBody(
                body, of: "\(node.name.text)()", at: node.name,
                returnsValue: !["Void", "()"].contains(result))
        }
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(node.signature.parameterClause)
        if let body = node.body, !plain.onlySetsProperties(body.statements) {
            checkBody(body.statements, of: "init", at: node.initKeyword, returnsValue: false)
        }
        return .skipChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(node.parameterClause)
        if let accessors = node.accessorBlock {
            check(accessors, of: "subscript", at: node.subscriptKeyword)
        }
        return .skipChildren
    }
}

extension VariableDeclSyntax {
    fileprivate var isPublic: Bool {
        modifiers.isPublic(in: parent?.parent?.parent?.parent?.as(ExtensionDeclSyntax.self)?.modifiers)
    }

    fileprivate var isStatic: Bool { modifiers.contains { $0.name.text == "static" } }

    /// Whether the variable is a member of a type or an extension.
    fileprivate var isInType: Bool {
        var node = parent
        while let current = node {
            if current.is(MemberBlockSyntax.self) { return true }
            node = current.parent
        }
        return false
    }
}
