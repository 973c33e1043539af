/// The release tables of the module pairs and of the libraries, and their change notes: VERSIONS.md.
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
/// - What changed, for those who link it.
///
/// ## PayType
///
/// ### 1.4.0
///
/// - What changed, for those who call the Api.
/// ```
///
/// A row's Api cell is the version of its Api, or, for an alternative IMP, the name of the pair whose Api it
/// implements. The second table may be missing: it has the packages that are no half of a pair. Everything that
/// is not a table or a heading is kept as it stands, so printing what was read gives the same text; only the
/// tables' columns are aligned anew.
///
/// Source: seeds/1-ApiCenter.md, "说明" 3 and 4: the IMP's version never rises without the Api's, the Api
/// requires its IMP with `>=`, and the change notes are the Api's.
package struct VersionsFile: Sendable, Equatable {
    /// The Api that a row's IMP implements.
    package enum Api: Sendable, Hashable, CustomStringConvertible {
        /// An Api of its own, in this version.
        case own(SemanticVersion)
        /// The Api of another pair.
        case of(String)

        /// The cell's text.
        package var description: String {
            switch self {
            case .own(let version): version.description
            case .of(let module): module
            }
        }

        /// The version of its own Api; nil when it implements another's.
        package var version: SemanticVersion? {
            if case .own(let version) = self { version } else { nil }
        }
    }

    /// A line of the table.
    package struct Row: Sendable, Hashable {
        /// The name of the IMP package.
        package var module: String
        /// The Api that it implements.
        package var api: Api
        /// The IMP's version.
        package var imp: SemanticVersion
        /// The least version of the IMP that the Api requires.
        package var floor: SemanticVersion
        /// The line it was read from, from 1; 0 for a new row.
        package var line: Int

        /// A row that was not read from a file.
        package init(module: String, api: Api, imp: SemanticVersion, floor: SemanticVersion, line: Int = 0) {
            (self.module, self.api, self.imp, self.floor, self.line) = (module, api, imp, floor, line)
        }

        var cells: [String] { [module, api.description, imp.description, ">= \(floor)"] }
    }

    /// What changed in one version of an Api or a library.
    package struct Note: Sendable, Equatable {
        /// The Api's or the library's version.
        package let version: SemanticVersion
        /// The heading's line, from 1; 0 for a new note.
        package let line: Int
        /// The heading's text and what follows, as it stands.
        var lines: [String]

        /// What follows the heading, without empty lines around it.
        package var text: String {
            let body = lines.dropFirst().drop(while: \.isEmpty)
            return body.reversed().drop(while: \.isEmpty).reversed().joined(separator: "\n")
        }
    }

    /// The change notes of one module's Api, or of a library.
    package struct Section: Sendable, Equatable {
        /// The pair's or the library's name.
        package let module: String
        /// The heading's line, from 1; 0 for a new section.
        package let line: Int
        /// The heading's text and what stands before the first note.
        var lines: [String]
        /// The notes, in the file's order: newest first.
        package internal(set) var notes: [Note]
    }

    static let columns = ["Module", "Api", "IMP", "Floor"]

    /// What stands before the table.
    var preamble: [String] = []
    /// The line of the table's head, from 1.
    var tableLine = 0
    /// The rows, in the file's order.
    package internal(set) var rows: [Row] = []
    /// What stands between the table and the next one, or the first section.
    var interlude: [String] = []
    /// The line of the head of the libraries' table, from 1; 0 when there is none.
    var librariesLine = 0
    /// The libraries, in the file's order.
    package internal(set) var libraries: [Library] = []
    /// What stands between the libraries' table and the first section.
    var epilogue: [String] = []
    /// The change notes, in the file's order.
    package internal(set) var sections: [Section] = []
    /// The names of the rows of both tables that could not be read: they are there, and one problem each.
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
