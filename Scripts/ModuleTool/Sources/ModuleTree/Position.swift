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

extension Position: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(line)
        writer.write(column)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        line = try reader.int()
        column = try reader.int()
    }
}
