/// Converts byte offsets into lines and columns of a file. The offsets may refer to a shortened copy of the
/// file.
struct LineTable {
    /// A place in the shortened copy where bytes were removed.
    struct Gap {
        /// The offset in the shortened copy of the first byte after the gap.
        let offset: Int

        /// The number of bytes that this gap and all earlier ones removed.
        let removed: Int
    }

    private let starts: [Int]
    private let gaps: [Gap]

    init(_ bytes: [UInt8], gaps: [Gap] = []) {
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
        (self.starts, self.gaps) = (starts, gaps)
    }

    /// The position of a UTF-8 offset in the original file.
    ///
    /// - Complexity: O(log *lines* + log *gaps*).
    func position(_ offset: Int) -> Position {
        let gap = Self.count(gaps) { $0.offset <= offset }
        let offset = offset + (gap == 0 ? 0 : gaps[gap - 1].removed)
        let line = Self.count(starts) { $0 <= offset }
        return Position(line: line, column: offset - starts[line - 1] + 1)
    }

    /// The number of leading elements that satisfy `holds`, found by binary search. After the first element
    /// that does not satisfy `holds`, no element may satisfy `holds`.
    private static func count<Element>(_ elements: [Element], while holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
