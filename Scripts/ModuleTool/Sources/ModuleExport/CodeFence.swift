/// Tracks which lines of a Markdown file are in a fenced code block.
///
/// As in CommonMark, a fence is closed by a fence of the same character that is at least as long.
struct CodeFence {
    /// The opening fence of the current code block; nil outside code.
    private var open: Substring?

    /// Reads the next line.
    ///
    /// - Returns: Whether the line is code or a fence.
    mutating func read(_ line: Substring) -> Bool {
        let match = line.firstMatch(of: /^\s*(`{3,}|~{3,})(.*)$/)
        guard let open else {
            // If another backtick follows the opening ones in the same line, they are inline code, not a fence.
            guard let match, match.1.first == "~" || !match.2.contains("`") else { return false }
            self.open = match.1
            return true
        }
        if let match, match.1.hasPrefix(open), match.2.allSatisfy(\.isWhitespace) { self.open = nil }
        return true
    }
}
