import SwiftParser
import SwiftSyntax

/// Finds and replaces the `version` of a module type: `public let version = "1.0.0"` in `RideModule`.
struct ModuleVersionEdit {
    /// The current version.
    let version: String
    /// The line of the version, counted from 1.
    let line: Int

    private let text: String
    private let range: Range<Int>

    /// Finds the version in a file; nil when the file has no such type with a literal version.
    init?(_ text: String, type: String) {
        let source = Parser.parse(source: text)
        let finder = Finder(type: type, viewMode: .sourceAccurate)
        finder.walk(source)
        guard let literal = finder.found, let version = literal.representedLiteralValue else { return nil }
        self.version = version
        self.text = text
        let start = literal.positionAfterSkippingLeadingTrivia
        line = SourceLocationConverter(fileName: "", tree: source).location(for: start).line
        range = start.utf8Offset..<literal.endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// The file's text with a new version.
    func replaced(by version: String) -> String {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        let end = bytes.index(bytes.startIndex, offsetBy: range.upperBound)
        return text.replacingCharacters(start..<end, with: "\"\(version)\"")
    }

    private final class Finder: SyntaxVisitor {
        let type: String
        var found: StringLiteralExprSyntax?

        init(type: String, viewMode: SyntaxTreeViewMode) {
            self.type = type
            super.init(viewMode: viewMode)
        }

        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
            look(node.name, node.memberBlock)
        }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            look(node.name, node.memberBlock)
        }

        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
            look(node.name, node.memberBlock)
        }

        override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
            node.extendedType.trimmedDescription == type
                ? look(.identifier(type), node.memberBlock) : .skipChildren
        }

        private func look(_ name: TokenSyntax, _ members: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
            guard name.text == type else { return .skipChildren }
            for member in members.members {
                guard let binding = member.decl.as(VariableDeclSyntax.self)?.bindings.first,
                    binding.pattern.trimmedDescription == "version"
                else { continue }
                found = binding.initializer?.value.as(StringLiteralExprSyntax.self) ?? returned(binding)
            }
            return .skipChildren
        }

        /// The literal of `var version: String { "1.0.0" }`.
        private func returned(_ binding: PatternBindingSyntax) -> StringLiteralExprSyntax? {
            guard case .getter(let body)? = binding.accessorBlock?.accessors, body.count == 1 else {
                return nil
            }
            return body.first?.item.as(StringLiteralExprSyntax.self)
        }
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
