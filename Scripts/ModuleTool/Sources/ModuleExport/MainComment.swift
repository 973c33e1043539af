import SwiftParser
import SwiftSyntax

/// The doc comment of the declaration that a package is named after, as Markdown: it says what the package is for
/// and what it promises.
struct MainComment {
    /// The first paragraph.
    let summary: String
    /// The other paragraphs, with a line between them. The sources that they cite, outside nobody has.
    let discussion: String

    /// - Parameters:
    ///   - names: The names that the declaration may have.
    ///   - source: A Swift file.
    /// - Returns: Nil when there is no such declaration, or it has no comment.
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
            // Links to declarations are links for DocC alone.
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
