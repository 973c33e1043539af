import SwiftSyntax

/// Converts byte offsets into lines and columns of a file.
struct LineTable: Sendable {
    /// The offsets of the lines' first bytes.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
        self.starts = starts
    }

    /// The position of a UTF-8 offset.
    ///
    /// - Complexity: O(log *lines*).
    func position(_ offset: Int) -> Position {
        let line = starts.sortedIndex { $0 > offset }
        return Position(line: line, column: offset - starts[line - 1] + 1)
    }

    func offset(ofLine line: Int) -> Int { starts[line - 1] }

    /// The position of a node's first token.
    func position(_ node: some SyntaxProtocol) -> Position {
        position(node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The index of the first element that meets a condition, which all later elements meet too; the end if none does.
    ///
    /// - Complexity: O(log *n*).
    func sortedIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension [UInt8] {
    /// The offset at which a text begins for the first or the last time; nil if it does not occur.
    ///
    /// Not a sequence: other files of the module could not specialise its type, and would search slowly.
    ///
    /// - Parameter condition: Whether the text counts at an offset.
    package func place(
        of text: String, isLast: Bool = false, where condition: (Int) -> Bool = { _ in true }
    ) -> Int? {
        let text = Array(text.utf8)
        let end = text.count - 1
        func isPlace(_ start: Int) -> Bool {
            self[start] == text[0] && self[start + end] == text[end]
                && self[start...start + end].elementsEqual(text) && condition(start)
        }
        let starts = indices.dropLast(end)
        return isLast ? starts.last(where: isPlace) : starts.first(where: isPlace)
    }
}
