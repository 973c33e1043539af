package struct SourcePlace: Sendable, Hashable, Comparable, Encodable {
    package let path: String

    package let line: Int

    /// The column in UTF-8 units, counted from 1.
    package let column: Int

    package init(path: String, line: Int = 1, column: Int = 1) {
        (self.path, self.line, self.column) = (path, line, column)
    }

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.path, left.line, left.column) < (right.path, right.line, right.column)
    }
}

extension SourcePlace: CustomStringConvertible {
    /// `path:line:column`, as compilers write it.
    package var description: String { "\(path):\(line):\(column)" }
}
