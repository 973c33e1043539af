import SwiftSyntax

/// Non-overlapping replacements in a text, by UTF-8 offsets.
package struct TextEdits {
    private var edits: [(range: Range<Int>, text: String)] = []

    package init() {}

    package var isEmpty: Bool { edits.isEmpty }

    package mutating func replace(_ start: AbsolutePosition, _ end: AbsolutePosition, with text: String) {
        edits.append((start.utf8Offset..<end.utf8Offset, text))
    }

    /// The text with all edits. Edits at the same place keep their order.
    package func applied(to text: String) -> String {
        let bytes = Array(text.utf8)
        var (result, end) = ([UInt8](), 0)
        for (_, edit) in edits.enumerated().sorted(by: {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }) {
            result += bytes[end..<edit.range.lowerBound] + Array(edit.text.utf8)
            end = edit.range.upperBound
        }
        return String(decoding: result + bytes[end...], as: UTF8.self)
    }
}

extension ExprSyntax {
    /// The value of a string literal without interpolation; nil for any other expression.
    package var literal: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
