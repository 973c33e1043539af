/// The second table of VERSIONS.md: the packages that are no half of a pair.
extension VersionsFile {
    /// A line of the libraries' table.
    package struct Library: Sendable, Hashable {
        /// The name of the package.
        package let name: String
        package var version: SemanticVersion
        /// The line it was read from, from 1; 0 for a new one.
        package let line: Int

        /// A library that was not read from a file.
        package init(name: String, version: SemanticVersion, line: Int = 0) {
            (self.name, self.version, self.line) = (name, version, line)
        }

        var cells: [String] { [name, version.description] }
    }

    static let libraryColumns = ["Library", "Version"]

    /// The line of a library.
    package func library(_ name: String) -> Library? { libraries.first { $0.name == name } }

    /// Replaces the line of the same library.
    package mutating func replace(_ library: Library) {
        for index in libraries.indices where libraries[index].name == library.name {
            libraries[index] = library
        }
    }

    /// What a library's line says that the release rule does not allow.
    func inconsistencies(
        of library: Library, among rows: [String: Row], section: Section?
    ) -> [VersionsProblem] {
        var problems: [VersionsProblem] = []
        if let row = rows[library.name] {
            problems.append(
                VersionsProblem(
                    kind: .duplicate, line: library.line, module: library.name,
                    what: "\(library.name) has a row among the pairs already, in line \(row.line).",
                    why: "A package is the half of a pair or a library.", mend: "Delete one of them."))
        }
        let isNoted = section?.notes.contains { $0.version == library.version && !$0.text.isEmpty } ?? false
        if !isNoted {
            problems.append(
                VersionsProblem(
                    kind: .missingNote, line: library.line, module: library.name,
                    what: "\(library.name) \(library.version) has no change note.",
                    why: "Whoever links it learns from the note what a new version means for them.",
                    mend:
                        "Write below '## \(library.name)' a heading '### \(library.version)' and what changed."
                ))
        }
        return problems
    }
}
