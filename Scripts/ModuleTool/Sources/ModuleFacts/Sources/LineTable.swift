import ModuleBytes
import ModuleKit
import SwiftSyntax

/// Converts byte offsets into lines and columns of a file.
package struct LineTable: Sendable {
    /// The offsets of the lines' first bytes.
    private let starts: [Int]

    package init(_ bytes: [UInt8]) { starts = bytes.lineStarts }

    /// The position of a UTF-8 offset.
    ///
    /// - Complexity: O(log *lines*).
    func position(_ offset: Int) -> Position {
        let line = starts.sortedIndex { $0 > offset }
        return Position(line: line, column: offset - starts[line - 1] + 1)
    }

    func offset(ofLine line: Int) -> Int { starts[line - 1] }

    /// The position of a node's first token.
    package func position(_ node: some SyntaxProtocol) -> Position {
        position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The index of the first element that meets a condition, which all later elements meet too; the end if none does.
    ///
    /// - Complexity: O(log *n*).
    package func sortedIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
