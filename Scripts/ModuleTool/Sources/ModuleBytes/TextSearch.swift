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
