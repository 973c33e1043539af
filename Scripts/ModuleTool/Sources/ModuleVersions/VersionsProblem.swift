/// An error in VERSIONS.md or in a package's CHANGELOG.md, with its line.
package struct VersionsProblem: Hashable, Sendable {
    /// The kind of error.
    package enum Kind: String, Sendable, CaseIterable {
        /// A line ends with a carriage return, or is a merge conflict marker.
        case damagedText
        /// The table is missing, or its header does not name the four columns.
        case malformedTable
        /// A row does not have four cells, or a library's row does not have two.
        case malformedRow
        /// A row is not in alphabetical order.
        case rowOrder
        /// A cell or a heading is not a Semantic Versioning 2.0.0 version.
        case invalidVersion
        /// The floor does not have the form `>= 1.0.0`.
        case closedFloor
        /// The floor differs from the IMP's version.
        case floorDiffers
        /// The Api's version is lower than the IMP's.
        case apiBelowImp
        /// A row names the Api of a pair that is missing or has no Api of its own.
        case unknownApi
        /// A module or library has two rows, or a version has two notes.
        case duplicate
        /// The current version of an Api or a library has no change note.
        case missingNote
        /// The notes of a package are not listed newest first, or there is a note for a version above the
        /// current one.
        case noteOrder
    }

    /// The kind of error.
    package let kind: Kind
    /// The line number, starting at 1.
    package let line: Int
    /// What is wrong.
    package let what: String
    /// Why the rule exists.
    package let why: String
    /// The edit that fixes the error.
    package let fix: String
}
