/// Tells which lines of a Markdown file are code, as CommonMark fences it: a fence is closed by one of the same
/// character that is at least as long.
struct CodeFence {
    /// The fence that the next line is behind; nil outside of code.
    private var open: Substring?

    /// Whether the next line is code.
    var isOpen: Bool { open != nil }

    /// Goes on by a line.
    ///
    /// - Returns: Whether the line is code, or a fence.
    mutating func read(_ line: Substring) -> Bool {
        let match = line.firstMatch(of: /^\s*(`{3,}|~{3,})(.*)$/)
        guard let open else {
            // Between backticks a line of text may begin with three of them.
            guard let match, match.1.first == "~" || !match.2.contains("`") else { return false }
            self.open = match.1
            return true
        }
        if let match, match.1.hasPrefix(open), match.2.allSatisfy(\.isWhitespace) { self.open = nil }
        return true
    }
}
