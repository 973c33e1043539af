/// A line and a column of a file, both counted from 1. Columns are in UTF-8 code units.
package struct Position: Sendable, Hashable {
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

/// Encodes a position as one number, because the fact cache holds thousands of positions.
extension Position: Codable {
    package init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Int.self)
        self.init(line: number >> 20, column: number & 0xF_FFFF)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(line << 20 | min(column, 0xF_FFFF))
    }
}
