import SwiftSyntax

/// Finds declarations that an Api package must not contain: classes, actors, stored state, and functions with
/// behaviour.
final class PurityVisitor: SyntaxVisitor {
    private(set) var impurities: [SourceFacts.Impurity] = []
    private let lines: LineTable

    init(lines: LineTable) {
        self.lines = lines
        super.init(viewMode: .sourceAccurate)
    }

    private func report(_ node: some SyntaxProtocol, _ what: String, mend: String) {
        impurities.append(
            .init(
                what: what, mend: mend,
                position: lines.position(node.positionAfterSkippingLeadingTrivia.utf8Offset)))
    }

    // MARK: Types

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        report(
            node.name, "class \(node.name.text) in an Api package",
            mend: "declare a protocol or a struct here, and move the class to the IMP package")
        return .skipChildren
    }

    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
        report(
            node.name, "actor \(node.name.text) in an Api package",
            mend: "declare a protocol here, and move the actor to the IMP package")
        return .skipChildren
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: Stored values

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isStatic = node.modifiers.contains { $0.name.text == "static" || $0.name.text == "class" }
        let isKept = isStatic || !node.isInType
        var isSaid = false
        for binding in node.bindings.reversed() {
            let known = impurities.count
            if let accessors = binding.accessorBlock {
                check(accessors, of: binding.pattern.trimmedDescription, at: binding.pattern)
            } else if isKept {
                checkKept(binding, isVariable: node.bindingSpecifier.text == "var")
            }
            // In `let a, b: Int`, the type follows the last name.
            isSaid = isSaid || binding.typeAnnotation != nil
            if impurities.count == known, node.isPublic, !isSaid,
                binding.initializer?.value.literalType == nil
            {
                report(
                    binding.pattern, "\(binding.pattern.trimmedDescription) does not say its type",
                    mend: "write the type after a colon, so that its changes are seen")
            }
        }
        return .skipChildren
    }

    private func checkKept(_ binding: PatternBindingSyntax, isVariable: Bool) {
        let name = binding.pattern.trimmedDescription
        if isVariable {
            report(
                binding.pattern, "\(name) is mutable state in an Api package",
                mend: "make it a `let` with a literal, or move it to the IMP package")
        } else if let value = binding.initializer?.value, !PlainValue.isPlain(value) {
            report(
                binding.pattern, "\(name) stores an object in an Api package",
                mend:
                    "store it in the IMP package and provide it through the protocol; constants are literals"
            )
        }
    }

    // MARK: Behaviour

    private func check(_ accessors: AccessorBlockSyntax, of name: String, at place: some SyntaxProtocol) {
        if let body = accessors.accessors.as(CodeBlockItemListSyntax.self) {
            checkBody(body, of: name, at: place)
        }
        for accessor in accessors.accessors.as(AccessorDeclListSyntax.self) ?? [] {
            if let body = accessor.body { checkBody(body.statements, of: name, at: place) }
        }
    }

    private func checkBody(_ body: CodeBlockItemListSyntax, of name: String, at place: some SyntaxProtocol) {
        guard !PlainValue.isPlain(body) else { return }
        report(
            place, "\(name) has behaviour in an Api package",
            mend: "move the behaviour to the IMP package and make it a requirement of the protocol")
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body, !["hash", "==", "<", "encode"].contains(node.name.text) {
            checkBody(body.statements, of: "\(node.name.text)()", at: node.name)
        }
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body, !PlainValue.onlySetsProperties(body.statements) {
            checkBody(body.statements, of: "init", at: node.initKeyword)
        }
        return .skipChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        if let accessors = node.accessorBlock {
            check(accessors, of: "subscript", at: node.subscriptKeyword)
        }
        return .skipChildren
    }
}

extension VariableDeclSyntax {
    fileprivate var isPublic: Bool {
        let extended = parent?.parent?.parent?.parent?.as(ExtensionDeclSyntax.self)
        return (Array(modifiers) + Array(extended?.modifiers ?? [])).contains { $0.name.text == "public" }
    }

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
