/// The contents of VERSIONS.md: a table of module pairs, a table of libraries, and their change notes.
///
/// ```markdown
/// # Versions
///
/// | Module          | Api     | IMP   | Floor    |
/// |-----------------|---------|-------|----------|
/// | PayType         | 1.4.0   | 1.1.0 | >= 1.1.0 |
/// | PayTypeCashless | PayType | 1.0.0 | >= 1.0.0 |
///
/// | Library   | Version |
/// |-----------|---------|
/// | ApiCenter | 1.2.0   |
///
/// ## ApiCenter
///
/// ### 1.2.0
///
/// - What changed for packages that link ApiCenter.
///
/// ## PayType
///
/// ### 1.4.0
///
/// - What changed for callers of the Api.
/// ```
///
/// A row's Api cell holds the version of the pair's Api or, for an alternative IMP, the name of the pair
/// whose Api it implements. The second table lists the packages that do not belong to a pair, and may be
/// missing. All text outside the tables is preserved, so reading and printing a file only realigns the
/// columns of the tables.
///
/// Source: seeds/1-ApiCenter.md, "说明" 3 and 4: the IMP's version never rises without the Api's, the Api
/// requires its IMP with `>=`, and the change notes belong to the Api.
package struct VersionsFile: Sendable, Equatable {
    /// The Api that a row's IMP implements.
    package enum Api: Sendable, Hashable, CustomStringConvertible {
        /// The pair's own Api, with its version.
        case own(SemanticVersion)
        /// The Api of the pair with this name.
        case of(String)

        /// The text of the table cell.
        package var description: String {
            switch self {
            case .own(let version): version.description
            case .of(let module): module
            }
        }

        /// The version of the pair's own Api; nil for an alternative IMP.
        package var version: SemanticVersion? {
            if case .own(let version) = self { version } else { nil }
        }
    }

    /// A row of the table of pairs.
    package struct Row: Sendable, Hashable {
        /// The name of the IMP package.
        package var module: String
        /// The Api that the IMP implements.
        package var api: Api
        /// The IMP's version.
        package var imp: SemanticVersion
        /// The lowest IMP version that the Api accepts.
        package var floor: SemanticVersion
        /// The line number in the file, starting at 1; 0 for a new row.
        package var line: Int

        /// Creates a row. `line` stays 0 unless the row was read from a file.
        package init(module: String, api: Api, imp: SemanticVersion, floor: SemanticVersion, line: Int = 0) {
            (self.module, self.api, self.imp, self.floor, self.line) = (module, api, imp, floor, line)
        }

        var cells: [String] { [module, api.description, imp.description, ">= \(floor)"] }
    }

    /// The change note for one version of an Api or a library.
    package struct Note: Sendable, Equatable {
        /// The Api's or the library's version.
        package let version: SemanticVersion
        /// The line number of the heading, starting at 1; 0 for a new note.
        package let line: Int
        /// The heading and all lines below it, as they are in the file.
        var lines: [String]

        /// The text below the heading, without leading and trailing empty lines.
        package var text: String {
            let body = lines.dropFirst().drop(while: \.isEmpty)
            return body.reversed().drop(while: \.isEmpty).reversed().joined(separator: "\n")
        }
    }

    /// The change notes of one module's Api, or of a library.
    package struct Section: Sendable, Equatable {
        /// The pair's or the library's name.
        package let module: String
        /// The line number of the heading, starting at 1; 0 for a new section.
        package let line: Int
        /// The heading and the lines before the first note.
        var lines: [String]
        /// The notes in file order, newest first.
        package internal(set) var notes: [Note]
    }

    static let columns = ["Module", "Api", "IMP", "Floor"]

    /// The lines before the table of pairs.
    var preamble: [String] = []
    /// The line number of the header of the table of pairs, starting at 1.
    var tableLine = 0
    /// The rows of the table of pairs, in file order.
    package internal(set) var rows: [Row] = []
    /// The lines between the table of pairs and the libraries' table. Without a libraries' table, the lines
    /// before the first section.
    var interlude: [String] = []
    /// The line number of the header of the libraries' table, starting at 1; 0 without a libraries' table.
    var librariesLine = 0
    /// The libraries, in file order.
    package internal(set) var libraries: [Library] = []
    /// The lines between the libraries' table and the first section.
    var epilogue: [String] = []
    /// The sections of change notes, in file order.
    package internal(set) var sections: [Section] = []
    /// The names in table rows that could not be parsed. These names count as listed, so that each
    /// malformed row is reported only once.
    package internal(set) var unread: Set<String> = []

    /// The row of a module.
    package func row(of module: String) -> Row? { rows.first { $0.module == module } }

    /// The change notes of a module or a library.
    package func section(of module: String) -> Section? { sections.first { $0.module == module } }

    /// The rows whose IMPs implement the Api of `module`, its own row first.
    package func implementations(ofApi module: String) -> [Row] {
        rows.filter { $0.module == module && $0.api.version != nil }
            + rows.filter { $0.api == .of(module) }
    }

    /// The text of the file, with the tables' columns aligned.
    package var text: String {
        let table = Self.aligned([Self.columns] + rows.map(\.cells))
        let second =
            librariesLine == 0 ? [] : Self.aligned([Self.libraryColumns] + libraries.map(\.cells)) + epilogue
        let notes = sections.flatMap { section in section.lines + section.notes.flatMap(\.lines) }
        return (preamble + table + interlude + second + notes).map { $0 + "\n" }.joined()
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        lines.insert(
            "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return lines
    }
}
