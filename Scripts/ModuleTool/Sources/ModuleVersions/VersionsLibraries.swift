/// The second table of VERSIONS.md, which lists the packages that do not belong to a pair.
extension VersionsFile {
    /// A row of the libraries' table.
    package struct Library: Sendable, Hashable {
        /// The name of the package.
        package let name: String
        package var version: SemanticVersion
        /// The line number in the file, starting at 1; 0 for a new row.
        package let line: Int

        /// Creates a row. `line` stays 0 unless the row was read from a file.
        package init(name: String, version: SemanticVersion, line: Int = 0) {
            (self.name, self.version, self.line) = (name, version, line)
        }

        var cells: [String] { [name, version.description] }
    }

    static let libraryColumns = ["Library", "Version"]

    /// The row of a library.
    package func library(_ name: String) -> Library? { libraries.first { $0.name == name } }

    /// Replaces the row of the same library.
    package mutating func replace(_ library: Library) {
        for index in libraries.indices where libraries[index].name == library.name {
            libraries[index] = library
        }
    }

    /// The problems with a library's row.
    func inconsistencies(
        of library: Library, among rows: [String: Row], section: Section?
    ) -> [VersionsProblem] {
        var problems: [VersionsProblem] = []
        if let row = rows[library.name] {
            problems.append(
                VersionsProblem(
                    kind: .duplicate, line: library.line, module: library.name,
                    what: "\(library.name) already has a row among the pairs, in line \(row.line).",
                    why: "A package is either half of a pair or a library.", fix: "Delete one of the rows."))
        }
        let isNoted = section?.notes.contains { $0.version == library.version && !$0.text.isEmpty } ?? false
        if !isNoted {
            problems.append(
                VersionsProblem(
                    kind: .missingNote, line: library.line, module: library.name,
                    what: "\(library.name) \(library.version) has no change note.",
                    why: "The note tells dependent packages what a new version means for them.",
                    fix:
                        "Below '## \(library.name)', add a heading '### \(library.version)' and the changes."
                ))
        }
        return problems
    }
}
