import SwiftParser
import SwiftSyntax

/// The doc comment of the declaration that has the package's name, as Markdown. It describes the package's
/// purpose and contract.
struct MainComment {
    /// The first paragraph.
    let summary: String
    /// The other paragraphs, separated by empty lines. Cited sources are left out, because outsiders do not
    /// have them.
    let discussion: String

    /// - Parameters:
    ///   - names: The possible names of the declaration.
    ///   - source: The text of a Swift file.
    /// - Returns: Nil when the file has no such declaration or the declaration has no comment.
    init?(of names: [String], in source: String) {
        guard names.contains(where: source.contains) else { return nil }
        for statement in Parser.parse(source: source).statements {
            guard let declaration = statement.item.asProtocol((any NamedDeclSyntax).self),
                names.contains(declaration.name.text)
            else { continue }
            let lines = statement.leadingTrivia.pieces.compactMap { piece -> Substring? in
                guard case .docLineComment(let text) = piece else { return nil }
                return text.dropFirst("/// ".count)
            }
            guard !lines.isEmpty else { continue }
            // Only DocC understands links to declarations.
            let plain = lines.map { $0.replacing(/``([^`]+)``/) { "`\($0.1)`" } }
            let paragraphs = plain.split(separator: "").map { $0.joined(separator: "\n") }
                .filter { !$0.hasPrefix("Source: ") && !$0.hasPrefix("- Parameter") }
            summary = paragraphs.first ?? ""
            discussion = paragraphs.dropFirst().joined(separator: "\n\n")
            return
        }
        return nil
    }
}
