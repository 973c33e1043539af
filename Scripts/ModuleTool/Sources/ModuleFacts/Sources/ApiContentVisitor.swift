import SwiftSyntax

/// Finds what an Api package must not contain: everything but protocols, structs, enums, type aliases, constants, and
/// functions that use only the Api and Swift's value types, with attributes that do not change what code runs.
final class ApiContentVisitor: SyntaxVisitor {
    private(set) var forbidden: [SourceFacts.ForbiddenDeclaration] = []
    /// The extensions that contain more than constants. An Api may extend only its own types in this way.
    private(set) var extensions: [SourceFacts.Declaration] = []
    private let lines: LineTable

    init(lines: LineTable) {
        self.lines = lines
        super.init(viewMode: .sourceAccurate)
    }

    private func report(_ node: some SyntaxProtocol, _ what: String, fix: String, names: Set<String> = []) {
        let around = sequence(first: Syntax(node), next: \.parent).first { $0.is(ExtensionDeclSyntax.self) }
        forbidden.append(
            .init(
                what: what, fix: fix, position: lines.position(node), names: names,
                extended: around?.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription))
    }

    // MARK: What is allowed

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .decl(let declaration) = node.item else {
            report(node, "code outside a declaration in an Api package", fix: "Move it to the IMP package.")
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
                fix: "Remove it, or move the code to the IMP package.")
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
            fix: "Declare a protocol or a struct here, and move the rest to the IMP package.")
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

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        for parameter in node.parameterClause?.parameters ?? [] {
            if let value = parameter.defaultValue { check(value, of: node.name.text, at: value.value) }
        }
        return .skipChildren
    }

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
                check(accessors, of: binding.pattern.trimmedDescription)
                check(binding.initializer, of: binding.pattern.trimmedDescription, at: binding.pattern)
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
                    fix: "Add a type annotation, so that this tool can detect when the type changes.")
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
                fix: "Make it a `let` with a literal, or move it to the IMP package.")
        } else {
            check(binding.initializer, of: name, at: binding.pattern)
        }
    }

    private func check(_ value: InitializerClauseSyntax?, of name: String, at place: some SyntaxProtocol) {
        guard let value else { return }
        checkNames(in: value.value, "the value of \(name)", at: place)
    }

    private func checkDefaults(of node: some SyntaxProtocol) {
        for parameter in node.functionParameters {
            if let value = parameter.defaultValue {
                check(value, of: parameter.innerName.text, at: value.value)
            }
        }
    }

    // MARK: Behaviour

    /// Reports the names in code that are neither its own nor those of values. The rule knows which ones the Api declares.
    ///
    /// - Parameter scope: The declaration whose arguments the code may name.
    private func checkNames(
        in code: some SyntaxProtocol, _ subject: String, at place: some SyntaxProtocol, scope: Syntax? = nil
    ) {
        let names = FreeNames.of(code, in: scope ?? Syntax(code))
        if names.isEmpty { return }
        report(
            place, "\(subject) in an Api package uses \(names.sorted().joined(separator: ", "))",
            fix: "Move the code to the IMP package, and declare a requirement for it in the protocol.",
            names: names)
    }

    private func check(_ accessors: AccessorBlockSyntax, of name: String) {
        checkNames(in: accessors, name, at: accessors, scope: accessors.parent.map(Syntax.init))
        for accessor in accessors.accessors.as(AccessorDeclListSyntax.self) ?? []
        where !["get", "set"].contains(accessor.accessorSpecifier.text) {
            report(
                accessor, "\(accessor.accessorSpecifier.text) of \(name) in an Api package",
                fix: "Move the code to the IMP package.")
        }
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(of: node)
        if let body = node.body {
            checkNames(in: body, "\(node.name.text)()", at: node.name, scope: Syntax(node))
        }
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(of: node)
        if let body = node.body { checkNames(in: body, "init", at: node.initKeyword, scope: Syntax(node)) }
        return .skipChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        checkDefaults(of: node)
        if let accessors = node.accessorBlock { check(accessors, of: "subscript") }
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
