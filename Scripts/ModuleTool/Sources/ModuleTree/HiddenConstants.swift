import SwiftSyntax

/// The constants in a type that callers cannot name, with their values: also functions and getters of one expression,
/// and raw values that no literal states. A public constant, or a default argument, may be made of them.
final class HiddenConstants: SyntaxVisitor {
    enum Value {
        case code(ExprSyntax)
        case text(String)
    }

    private var found: [(name: String, value: Value)] = []
    /// The enums around the visited node, each with its first inherited type and the next number.
    private var enums: [(type: String, next: Int)] = []

    static func of(_ type: some SyntaxProtocol) -> [(name: String, value: Value)] {
        let visitor = HiddenConstants(viewMode: .sourceAccurate)
        visitor.walk(type)
        return visitor.found
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.initializer?.value ?? node.accessorBlock?.value {
            found.append((node.pattern.trimmedDescription.unquoted, .code(value)))
        }
        return .skipChildren
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.body?.value { found.append((node.name.text.unquoted, .code(value))) }
        return .skipChildren
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        enums.append((node.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? "", 0))
        return .visitChildren
    }

    override func visitPost(_ node: EnumDeclSyntax) { enums.removeLast() }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        guard let (type, next) = enums.last else { return .skipChildren }
        let (name, value) = (node.name.text.unquoted, node.rawValue?.value)
        let number = value.flatMap { Int($0.trimmedDescription) } ?? next
        enums[enums.count - 1].next = number &+ 1
        if let value {
            found.append((name, .code(value)))
        } else if type == "String" {
            found.append((name, .text("\"\(name)\"")))
        } else if SurfaceReader.numbers.contains(type) {
            found.append((name, .text("\(number)")))
        }
        return .skipChildren
    }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
