/// Something in VERSIONS.md that is not as it must be, and where.
package struct VersionsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What sort of problem it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// A line ends with a carriage return, or a merge left its marks.
        case damagedText
        /// The table is missing, or its head is not the four columns.
        case malformedTable
        /// A row has not four cells, or a library's not two.
        case malformedRow
        /// A cell or a heading is not a version by Semantic Versioning 2.0.0.
        case invalidVersion
        /// The floor is not of the form `>= 1.0.0`.
        case closedFloor
        /// The floor is not the IMP's version.
        case floorDiffers
        /// The Api's version is below the IMP's.
        case apiBelowImp
        /// A row names another row's Api, and there is no such row, or it has no Api of its own.
        case unknownApi
        /// A module or library has two rows, or two sections, or a version two headings.
        case duplicate
        /// The current version of an Api or a library has no change note.
        case missingNote
        /// The notes of a module are not newest first, or the newest is not the current version.
        case noteOrder
        /// A section is about no Api and no library of the tables.
        case orphanSection
    }

    /// What sort of problem it is.
    package let kind: Kind
    /// The line, from 1.
    package let line: Int
    /// The module it is about; nil when it is about the file.
    package let module: String?
    /// What is wrong.
    package let what: String
    /// Why that is a rule.
    package let why: String
    /// The edit that mends it.
    package let mend: String

    /// All of it in one line.
    package var description: String { "VERSIONS.md:\(line): \(what) \(why) \(mend)" }
}

/// VERSIONS.md cannot be edited as it is.
package struct VersionsFileError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with it, in the order of its lines. Never empty.
    package let problems: [VersionsProblem]

    /// A line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
