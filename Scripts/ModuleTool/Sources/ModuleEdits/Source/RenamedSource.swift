import ModuleTree
import SwiftSyntax

/// A Swift file in which the names of a pair are replaced.
struct RenamedSource {
    let path: String
    let file: SourceFileSyntax
    private let tokens: [TokenSyntax]

    init(_ text: String, path: String) throws(ToolError) {
        self.path = path
        file = try SourceParser.tree(text, in: path)
        tokens = Array(file.tokens(viewMode: .sourceAccurate))
    }

    /// All names that the file declares, at any level.
    var declarations: Set<String> {
        Set(
            tokens.filter { token in
                guard let parent = token.parent else { return false }
                return parent.asProtocol((any NamedDeclSyntax).self)?.name == token
                    || parent.is(EnumCaseElementSyntax.self) || parent.is(IdentifierPatternSyntax.self)
                    || parent.is(GenericParameterSyntax.self)
            }.map(\.name))
    }

    var identifiers: Set<String> {
        Set(tokens.filter { if case .identifier = $0.tokenKind { true } else { false } }.map(\.name))
    }

    /// Whether a comment contains a word.
    func mentions(_ word: String) -> Bool {
        tokens.contains { token in
            (token.leadingTrivia.pieces + token.trailingTrivia.pieces).contains {
                $0.isComment && NewNames.contains($0.comment, word)
            }
        }
    }

    /// The file's text with the new names.
    ///
    /// - Parameters:
    ///   - hidden: The names that refer to declarations of the file's own target, or of other modules.
    ///   - onLiteral: Called with the line of each string literal that is only the pair's name.
    func text(_ names: NewNames, except hidden: Set<String>, onLiteral: (Int) -> Void) -> String {
        let inText = hidden.intersection(declarations)
        let converter = SourceLocationConverter(fileName: "", tree: file)
        let property = names.property
        let hasProperty =
            !identifiers.contains(property.new)
            && zip(tokens, tokens.dropFirst(2)).contains { $0.text == "private" && $1.text == property.old }
        var text = ""
        func add(_ trivia: Trivia) {
            for piece in trivia.pieces {
                var source = ""
                piece.write(to: &source)
                text += piece.isComment ? names.replaced(in: source, except: inText, isProse: true) : source
            }
        }
        for (index, token) in tokens.enumerated() {
            add(token.leadingTrivia)
            switch token.tokenKind {
            case .identifier(property.old) where hasProperty: text += property.new
            case .identifier where isReference(index, names, hidden):
                let name = token.name == names.old ? names.new : names.names[token.name]
                text += token.text.replacing(token.name, with: name ?? token.name)
            case .stringSegment(names.old) where token.isWholeLiteral && !inText.contains(names.old):
                onLiteral(converter.location(for: token.position).line)
                text += names.new
            case .stringSegment, .regexLiteralPattern:
                text += names.replaced(in: token.text, except: inText, isProse: token.isNameOfTest)
            default: text += token.text
            }
            add(token.trailingTrivia)
        }
        return text
    }

    /// Whether a name of the pair refers to the pair's module or type, and not, for example, to a member with the
    /// same name.
    private func isReference(_ index: Int, _ names: NewNames, _ hidden: Set<String>) -> Bool {
        func text(_ offset: Int) -> String {
            tokens.indices.contains(index + offset) ? tokens[index + offset].name : ""
        }
        let token = tokens[index]
        if text(-1) == "." { return names.modules.contains(text(-2)) }
        if token.name == names.old {
            if token.isInImportOrCondition { return true }
            if text(1) == ".", names.declared.contains(text(2)) { return true }
        }
        return names.names[token.name] != nil && !hidden.contains(token.name)
    }
}

extension TokenSyntax {
    /// The text without backticks.
    fileprivate var name: String { text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text }

    fileprivate var isWholeLiteral: Bool {
        parent?.parent?.as(StringLiteralSegmentListSyntax.self)?.count == 1
    }

    /// Whether the token is part of the name in `@Test("...")` or `@Suite("...")`.
    fileprivate var isNameOfTest: Bool {
        let argument = parent?.parent?.parent?.parent?.as(LabeledExprSyntax.self)
        let attribute = argument?.parent?.parent?.as(AttributeSyntax.self)
        return ["Test", "Suite"].contains(attribute?.attributeName.trimmedDescription)
    }

    /// Whether the token names a module in an import, or a trait or a module in the condition of an `#if`.
    fileprivate var isInImportOrCondition: Bool {
        var node = parent
        while let current = node {
            if current.is(ImportDeclSyntax.self) { return true }
            if let clause = current.as(IfConfigClauseSyntax.self) {
                return clause.condition.map { $0.position <= position && position < $0.endPosition } ?? false
            }
            node = current.parent
        }
        return false
    }
}

extension TriviaPiece {
    fileprivate var comment: String {
        switch self {
        case .lineComment(let text), .blockComment(let text), .docLineComment(let text),
            .docBlockComment(let text):
            text
        default: ""
        }
    }
}
