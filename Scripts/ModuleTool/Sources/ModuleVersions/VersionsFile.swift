import ModuleKit

/// The contents of VERSIONS.md: a table of module pairs and a table of libraries.
///
/// ```markdown
/// # Versions
///
/// | Module | Api | IMP | Floor |
/// |---|---|---|---|
/// | PayType | 1.4.0 | 1.1.0 | >= 1.1.0 |
/// | PayTypeCashless | PayType | 1.0.0 | >= 1.0.0 |
///
/// | Library | Version |
/// |---|---|
/// | ApiCenter | 1.2.0 |
/// ```
///
/// A row's Api cell holds the version of the pair's Api or, for an alternative IMP, the name of the pair whose Api it
/// implements. The second table lists the packages that do not belong to a pair, and may be missing. An edit changes
/// only the lines of the affected rows, so branches that raise different packages merge without conflicts, unless
/// the rows are adjacent.
///
/// Source: seed 1, "说明" 3 and 4: the IMP's version never rises without the Api's, and the Api
/// requires its IMP with `>=`.
package struct VersionsFile: Sendable, Equatable {
    package static let path = "VERSIONS.md"
    /// The file of a tree without packages.
    package static let template = String(decoding: PackageResources.Versions_template, as: UTF8.self)

    /// The Api that a row's IMP implements.
    package enum Api: Sendable, Hashable, CustomStringConvertible {
        /// The pair's own Api, with its version.
        case own(SemanticVersion)
        /// The Api of the pair with this name.
        case of(String)

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

        /// The name of the pair that owns the Api; nil for the row's own Api.
        package var owner: String? {
            if case .of(let other) = self { other } else { nil }
        }
    }

    /// A row of the table of pairs.
    package struct Row: VersionRow, Hashable {
        package var module: String
        package var api: Api
        package var imp: SemanticVersion
        /// The line number in the file, starting at 1; 0 for a new row.
        package var line: Int

        /// Creates a row. `line` stays 0 unless the row was read from a file.
        package init(module: String, api: Api, imp: SemanticVersion, line: Int = 0) {
            (self.module, self.api, self.imp, self.line) = (module, api, imp, line)
        }

        package var name: String { module }
        /// The lowest version of this IMP that the Api accepts: the version with which the Api was released. If an Api has
        /// several IMPs, each of them has a floor of its own.
        package var floor: SemanticVersion { imp }
        package var text: String { "| \(module) | \(api) | \(imp) | >= \(floor) |" }
    }

    /// A row of the libraries' table.
    package struct Library: VersionRow, Hashable {
        package let name: String
        package var version: SemanticVersion
        /// The line number in the file, starting at 1; 0 for a new row.
        package let line: Int

        /// Creates a row. `line` stays 0 unless the row was read from a file.
        package init(name: String, version: SemanticVersion, line: Int = 0) {
            (self.name, self.version, self.line) = (name, version, line)
        }

        package var text: String { "| \(name) | \(version) |" }
    }

    package let rows: [Row]
    package let libraries: [Library]
    /// The lines that differ from the rows that are expected there.
    package let problems: [Diagnostic]
    private let unread: Set<String>

    private var lines: [Substring]
    private let endOfPairs: Int

    /// Parses as much of a file as possible.
    package init(_ text: String) {
        // Splits the bytes, because Swift treats a carriage return and a newline as one character.
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
            Substring.init)
        var reader = VersionsReader()
        reader.read(lines)
        (rows, libraries, unread) = (reader.rows, reader.libraries, reader.unread)
        (problems, endOfPairs) = (reader.problems.sorted(), reader.endOfPairs)
    }

    package var text: String { lines.joined(separator: "\n") }

    package func row(of module: String) -> Row? { rows.first { $0.module == module } }

    /// Whether a package has a row, even one that cannot be read.
    package func has(_ name: String) -> Bool {
        row(of: name) != nil || library(name) != nil || unread.contains(name)
    }

    package func library(_ name: String) -> Library? { libraries.first { $0.name == name } }

    /// The file with a row for a pair, in place of its previous row or in alphabetical order.
    package func with(_ row: Row) -> VersionsFile { with(row, among: rows) }

    /// The file with a row for a library, in place of its previous row or in alphabetical order. Without a table of
    /// libraries, returns the file unchanged.
    package func with(_ library: Library) -> VersionsFile {
        libraries.isEmpty ? self : with(library, among: libraries)
    }

    /// The line before which a row with this name belongs.
    package func line(for name: String, among rows: [some VersionRow]) -> Int {
        rows.first { $0.name > name }?.line ?? rows.last.map { $0.line + 1 } ?? endOfPairs + 1
    }

    private func with<Row: VersionRow>(_ row: Row, among rows: [Row]) -> VersionsFile {
        if let old = rows.first(where: { $0.name == row.name }) {
            return replacing(line: old.line, with: [row.text])
        }
        let next = line(for: row.name, among: rows)
        return replacing(line: next, with: [row.text] + lines[(next - 1)...].prefix(1).map(String.init))
    }

    /// The file with the rows of each table in alphabetical order. Lines that are not rows keep their places.
    package var sorted: VersionsFile {
        var lines = lines
        for rows: [any VersionRow] in [rows, libraries] {
            for (row, place) in zip(rows.sorted { $0.name < $1.name }, rows) {
                lines[place.line - 1] = self.lines[row.line - 1]
            }
        }
        return VersionsFile(lines.joined(separator: "\n"))
    }

    package func without(_ name: String) -> VersionsFile {
        (row(of: name)?.line ?? library(name)?.line).map { replacing(line: $0, with: []) } ?? self
    }

    private func replacing(line: Int, with new: [String]) -> VersionsFile {
        var lines = lines.map(String.init)
        lines.replaceSubrange(line - 1..<min(line, lines.count), with: new)
        return VersionsFile(lines.joined(separator: "\n"))
    }
}

/// A row of one of the tables.
package protocol VersionRow: Sendable {
    var name: String { get }
    /// The line number in the file, starting at 1; 0 for a new row.
    var line: Int { get }
    var text: String { get }
}

extension VersionRow {
    package var place: SourcePlace { SourcePlace(path: VersionsFile.path, line: line) }
}
