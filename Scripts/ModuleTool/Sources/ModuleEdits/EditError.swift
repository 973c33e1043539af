/// An error of an edit or an export: where it is, what is wrong, why, and how to fix it.
package struct EditError: Error, Equatable, CustomStringConvertible {
    /// The cause of the error, which decides the exit code.
    package enum Kind: Sendable, Equatable {
        /// The tree does not allow the edit. For example, other packages still call the module to remove.
        case refused
        /// The command line or the tree's files are wrong.
        case usage
        /// The machine could not make the changes. For example, the disk is full.
        case environment

        /// The exit code of a command that fails with this kind of error.
        package var exitCode: Int32 {
            switch self {
            case .refused: 1
            case .usage: 2
            case .environment: 3
            }
        }
    }

    /// The cause of the error.
    package let kind: Kind
    /// The file, with a line number if one is known; nil for an error in the command line.
    package let place: String?
    /// What is wrong.
    package let what: String
    /// Why this stops the edit; empty when `what` already says so.
    package let why: String
    /// The command or the edit that fixes the error.
    package let fix: String

    /// An error with its four parts.
    package init(_ kind: Kind, at place: String? = nil, _ what: String, why: String = "", fix: String) {
        (self.kind, self.place, self.what, self.why, self.fix) = (kind, place, what, why, fix)
    }

    /// All four parts, in the layout that all messages of the tool share.
    package var description: String {
        (place.map { $0 + ": " } ?? "") + what + (why.isEmpty ? "" : "\n  why:  \(why)") + "\n  fix:  \(fix)"
    }
}
