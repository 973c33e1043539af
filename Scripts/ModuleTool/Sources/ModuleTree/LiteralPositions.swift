import SwiftParser
import SwiftSyntax

/// Where the texts of a manifest stand, for manifests whose declarations are computed.
struct LiteralPositions {
    private var positions: [String: Position] = [:]

    init(_ source: [UInt8]) {
        let tree = unsafe source.withUnsafeBufferPointer { unsafe Parser.parse(source: $0) }
        let collector = Collector(lines: LineTable(source))
        collector.walk(tree)
        positions = collector.positions
    }

    /// Where a text stands first.
    func of(_ text: String) -> Position? { positions[text] }

    /// Where the first text stands that a path ends with: `Core/ApiCenter` for `/x/Packages/Core/ApiCenter`.
    /// A path that ends in `Api` is also found by its IMP.
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
