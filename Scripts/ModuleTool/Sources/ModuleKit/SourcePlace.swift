package struct SourcePlace: Sendable, Hashable, Comparable, Codable {
    package let path: String

    /// The line, counted from 1; 0 for the file as a whole, or for a place that is not a file.
    package let line: Int

    /// The column in UTF-8 units, counted from 1; 0 for the line as a whole.
    package let column: Int

    package init(path: String, line: Int = 1, column: Int = 1) {
        (self.path, self.line, self.column) = (path, line, column)
    }

    /// Reads a path, which may end in a line and a column: `path:line:column`.
    package init(_ text: String) {
        let match = text.wholeMatch(of: /(.*?)(?::(\d+))?(?::(\d+))?/)
        path = match.map { String($0.1) } ?? text
        line = match?.2.flatMap { Int($0) } ?? 0
        column = match?.3.flatMap { Int($0) } ?? 0
    }

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.path, left.line, left.column) < (right.path, right.line, right.column)
    }
}

extension SourcePlace: CustomStringConvertible {
    /// `path:line:column`, as compilers write it.
    package var description: String {
        path + (line == 0 ? "" : ":\(line)") + (column == 0 ? "" : ":\(column)")
    }
}
