/// Turns offsets in a file, or in what is left of it, into lines and columns of the file.
struct LineTable {
    /// A place where something was left out.
    struct Gap {
        /// The offset, in what is left, of the first byte behind it.
        let offset: Int

        /// How many bytes are missing up to there, those of earlier gaps too.
        let removed: Int
    }

    private let starts: [Int]
    private let gaps: [Gap]

    init(_ bytes: [UInt8], gaps: [Gap] = []) {
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
        (self.starts, self.gaps) = (starts, gaps)
    }

    /// The position of a UTF-8 offset. Complexity: O(log *lines* + log *gaps*).
    func position(_ offset: Int) -> Position {
        let gap = Self.count(gaps) { $0.offset <= offset }
        let offset = offset + (gap == 0 ? 0 : gaps[gap - 1].removed)
        let line = Self.count(starts) { $0 <= offset }
        return Position(line: line, column: offset - starts[line - 1] + 1)
    }

    /// How many elements at the front satisfy a condition that no element behind them does.
    private static func count<Element>(_ elements: [Element], while holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
