import SwiftSyntax

extension SurfaceReader {
    func spaced(_ node: (some SyntaxProtocol)?) -> String { node.map { " " + text($0) } ?? "" }

    /// The code in normal form: without comments, line breaks and `any`, and without this module's name before a
    /// type.
    func text(_ node: (some SyntaxProtocol)?) -> String {
        let tokens = node.map { Array($0.tokens(viewMode: .sourceAccurate)) } ?? []
        var text = ""
        var skipped = false
        for (node, next) in zip(tokens, tokens.dropFirst().map(\.text) + [""]) {
            let token = node.text
            if skipped {
                skipped = false
                continue
            }
            if case .stringSegment = node.tokenKind {
                text += token
                continue
            }
            skipped = (token == module || token == "Swift") && (next == "." || next == "::")
            // A trailing comma in a list has no meaning.
            if skipped || token == "any" || token == "," && [")", "]", ">"].contains(next) { continue }
            let isWord = token.first.map { $0.isLetter || $0.isNumber || "_@`".contains($0) } ?? false
            if isWord, let last = text.last, !"([<.@~\" ".contains(last) { text += " " }
            switch token {
            case "Void": text += "()"
            case ",", ":": text += token + " "
            case "->", "=", "==", "&": text += " \(token) "
            default:
                let isMember = text.last == "."
                text += isMember ? token.unquoted : generics[token] ?? token.unquoted
            }
        }
        return text
    }

    // MARK: Inherited types

    /// The protocols in a list, each with the standard protocols that it implies.
    func inherited(_ clause: InheritanceClauseSyntax?) -> [String] {
        let written = clause?.inheritedTypes.flatMap { inherited -> [String] in
            let attributed = inherited.type.as(AttributedTypeSyntax.self)
            let isolation = Attributes(attributed.map { [$0.attributes] } ?? []).isolation.map {
                text($0) + " "
            }
            return Self.implied(by: text(attributed?.baseType ?? inherited.type)).map {
                (isolation ?? "") + $0
            }
        }
        return written ?? []
    }

    /// The protocols of a composition, each with the standard protocols that it implies.
    static func implied(by composition: String) -> [String] {
        composition.split(separator: " & ").map(String.init).flatMap { standard[$0] ?? [$0] }
    }

    private static let standard = [
        "Hashable": ["Hashable", "Equatable"], "Comparable": ["Comparable", "Equatable"],
        "Codable": ["Encodable", "Decodable"], "Error": ["Error", "Sendable"],
        "LocalizedError": ["LocalizedError", "Error", "Sendable"],
    ]
}
