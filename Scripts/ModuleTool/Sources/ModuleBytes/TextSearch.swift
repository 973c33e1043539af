extension [UInt8] {
    /// The offsets of the lines' first bytes.
    package var lineStarts: [Int] { [0] + indices.filter { self[$0] == 0x0A }.map { $0 + 1 } }

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

/// Texts to search for in bytes, all in one pass. Each has two bytes or more.
package struct SoughtTexts: Sendable {
    private let texts: [(text: String, bytes: [UInt8])]
    /// Whether a text begins with the two bytes of an index.
    private var isStart = [Bool](repeating: false, count: 1 << 16)

    package init(_ texts: [String]) {
        self.texts = texts.map { ($0, Array($0.utf8)) }
        for (_, bytes) in self.texts { isStart[Self.index(bytes[0], bytes[1])] = true }
    }

    private static func index(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

    /// The first text of the list that occurs in the bytes; nil if none does.
    ///
    /// - Parameter condition: Whether a text counts at an offset.
    /// - Complexity: O(*n*), unless many texts have equal beginnings.
    package func first(
        in bytes: [UInt8], where condition: (_ text: String, _ start: Int) -> Bool = { _, _ in true }
    )
        -> String?
    {
        var found = texts.count
        for start in bytes.indices.dropLast() where isStart[Self.index(bytes[start], bytes[start + 1])] {
            for index in 0..<found {
                let (text, sought) = texts[index]
                if bytes[start...].starts(with: sought), condition(text, start) {
                    found = index
                    break
                }
            }
        }
        return found < texts.count ? texts[found].text : nil
    }
}
