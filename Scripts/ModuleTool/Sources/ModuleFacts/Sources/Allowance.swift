import ModuleBytes
import ModuleKit
import SwiftSyntax

/// A comment `// modules:allow RULE: reason`, which allows the findings of one rule in one line: the line of the comment
/// or, if the comment stands on a line of its own, the next line without such a comment.
package struct Allowance: Sendable, Hashable, Codable {
    /// Nil if the comment names no rule or gives no reason.
    package let rule: String?
    package let position: Position
    /// The line whose findings are allowed.
    package private(set) var line: Int

    private static let mark = "modules:allow"

    /// The allowances in a Swift file. Parses the file only if it contains the words.
    package static func all(in bytes: [UInt8], of path: String) throws(Diagnostic) -> [Allowance] {
        guard bytes.place(of: mark) != nil else { return [] }
        let lines = LineTable(bytes)
        var found = try SourceParser.read(bytes, in: path) { file -> [Allowance] in
            file.tokens(viewMode: .sourceAccurate).flatMap { token -> [Allowance] in
                all(in: token.leadingTrivia, from: token.position.utf8Offset, lines)
                    + all(
                        in: token.trailingTrivia, from: token.endPositionBeforeTrailingTrivia.utf8Offset,
                        lines)
            }
        }
        for index in found.indices.reversed() {
            let start = lines.offset(ofLine: found[index].line)
            let before = bytes[start..<start + found[index].position.column - 1]
            guard before.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { continue }
            let next = found[(index + 1)...].first
            let isStacked = next.map { $0.position.line == found[index].position.line + 1 } ?? false
            found[index].line = isStacked ? next?.line ?? 0 : found[index].position.line + 1
        }
        return found
    }

    private static func all(in trivia: Trivia, from start: Int, _ lines: LineTable) -> [Allowance] {
        var offset = start
        return trivia.compactMap { piece in
            defer { offset += piece.sourceLength.utf8Length }
            guard case .lineComment(let text) = piece, let start = text.firstRange(of: mark) else {
                return nil
            }
            let match = text.wholeMatch(of: /\/\/\s*modules:allow\s+([a-z-]+):\s*\S.*/)
            // A comment may mention the words.
            guard match != nil || text[..<start.lowerBound].allSatisfy({ "/ ".contains($0) }) else {
                return nil
            }
            let position = lines.position(offset)
            return Allowance(rule: match.map { String($0.1) }, position: position, line: position.line)
        }
    }
}
