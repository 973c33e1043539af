import SwiftParser
import SwiftSyntax

/// The positions of the string literals in a manifest that SwiftPM evaluates.
struct LiteralPositions {
    private var positions: [String: Position] = [:]

    init(_ source: [UInt8]) {
        let tree = unsafe source.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let collector = Collector(lines: LineTable(source))
        collector.walk(tree)
        positions = collector.positions
    }

    /// The position of the first literal with this text.
    func of(_ text: String) -> Position? { positions[text] }

    /// The position of the longest literal that a path ends with, such as `Core/ApiCenter` for
    /// `/x/Packages/Core/ApiCenter`. If a path ends in `Api`, a literal without that suffix matches too,
    /// because the house manifest names only the IMP.
    func ending(in path: String) -> Position? {
        let parts = path.split(separator: "/")
        for count in stride(from: parts.count, through: 1, by: -1) {
            let text = parts.suffix(count).joined(separator: "/")
            if let position = positions[text] { return position }
            if text.hasSuffix("Api"), let position = positions[String(text.dropLast(3))] { return position }
        }
        return nil
    }

    private final class Collector: SyntaxVisitor {
        var positions: [String: Position] = [:]
        let lines: LineTable

        init(lines: LineTable) {
            self.lines = lines
            super.init(viewMode: .sourceAccurate)
        }

        override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
            if let text = node.representedLiteralValue, positions[text] == nil {
                positions[text] = lines.position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
            }
            return .visitChildren
        }
    }
}
