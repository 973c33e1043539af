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
        let word =
            node.asProtocol((any DeclGroupSyntax).self)?.introducer
            ?? node.tokens(viewMode: .sourceAccurate).first { token in
                Self.words.contains(token.text) || token.text.hasPrefix("#")
            }
        let name = node.asProtocol((any NamedDeclSyntax).self)?.name
        report(
            name.map(Syntax.init) ?? Syntax(node),
            [word?.text ?? "this declaration", name?.text].compactMap(\.self).joined(separator: " ")
                + " in an Api package",
            fix: "declare a protocol or a struct here, and move the rest to the IMP package")
        return .skipChildren
    }

    private static let words: Set = ["deinit", "macro", "operator", "precedencegroup"]

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
        } else {
            check(binding.initializer, of: name, at: binding.pattern)
        }
    }

    private func check(_ value: InitializerClauseSyntax?, of name: String, at place: some SyntaxProtocol) {
        guard let value = value?.value, !PlainValue.isPlain(value) else { return }
        report(
            place, "the value of \(name) in an Api package is not plain",
            fix: "write a literal, have callers pass the value, or get it through the Api's protocol")
    }

    private func checkDefaults(_ parameters: FunctionParameterClauseSyntax) {
        for parameter in parameters.parameters {
            let name = (parameter.secondName ?? parameter.firstName).text
            if let value = parameter.defaultValue { check(value, of: name, at: value.value) }
        }
    }

    // MARK: Behaviour

    private func check(_ accessors: AccessorBlockSyntax, of name: String, at place: some SyntaxProtocol) {
        check(accessors.accessors.as(CodeBlockItemListSyntax.self), .value, of: name, at: place)
        for accessor in accessors.accessors.as(AccessorDeclListSyntax.self) ?? [] {
            switch accessor.accessorSpecifier.text {
            case "get": check(accessor.body?.statements, .value, of: name, at: place)
            case "set": check(accessor.body?.statements, .command, of: name, at: place)
            case let word: reportBody(of: "\(word) of \(name)", at: accessor)
            }
        }
    }

    private func check(
        _ body: CodeBlockItemListSyntax?, _ kind: PlainValue.Body, of name: String,
        at place: some SyntaxProtocol
    ) {
        if let body, !plain.isPlain(body, kind) { reportBody(of: name, at: place) }
    }

    private func reportBody(of name: String, at place: some SyntaxProtocol) {
        report(
            place, "\(name) in an Api package has a body that is more than one plain statement",
            fix: "move the code to the IMP package, and declare a requirement for it in the protocol")
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(node.signature.parameterClause)
        let parameters = Array(node.signature.parameterClause.parameters)
        let kind: PlainValue.Body =
            switch (node.name.text, parameters.map(\.firstName.text)) {
            case ("hash", ["into"]), ("encode", ["to"]):
                .calls(of: (parameters[0].secondName ?? parameters[0].firstName).text)
            case ("==", _), ("<", _): .comparison
            default:
                ["Void", "()"].contains(node.signature.returnClause?.type.trimmedDescription ?? "Void")
                    ? .command : .value
            }
        check(node.body?.statements, kind, of: "\(node.name.text)()", at: node.name)
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(node.signature.parameterClause)
        check(node.body?.statements, .initializer, of: "init", at: node.initKeyword)
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
