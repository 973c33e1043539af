/// A line and a column of a file, both counted from 1. Columns are in UTF-8 code units.
package struct Position: Sendable, Hashable, Codable {
    package let line: Int
    package let column: Int

    package init(line: Int = 1, column: Int = 1) {
        (self.line, self.column) = (line, column)
    }

    /// The same position in a named file.
    package func `in`(_ path: String) -> SourcePlace {
        SourcePlace(path: path, line: line, column: column)
    }
}
