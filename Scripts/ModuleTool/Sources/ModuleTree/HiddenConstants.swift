import SwiftSyntax

/// The constants in a type that callers cannot name, with their values. A public constant may be made of them.
final class HiddenConstants: SyntaxVisitor {
    private var found: [(name: String, value: ExprSyntax)] = []

    static func of(_ type: some SyntaxProtocol) -> [(name: String, value: ExprSyntax)] {
        let visitor = HiddenConstants(viewMode: .sourceAccurate)
        visitor.walk(type)
        return visitor.found
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.initializer?.value ?? node.accessorBlock?.value {
            found.append((node.pattern.trimmedDescription.unquoted, value))
        }
        return .skipChildren
    }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.rawValue?.value { found.append((node.name.text.unquoted, value)) }
        return .skipChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
