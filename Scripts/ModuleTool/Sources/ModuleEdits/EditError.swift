/// Why an edit or an export was not made: where, what, why, and how to mend it.
package struct EditError: Error, Equatable, CustomStringConvertible {
    /// Whose business it is, which decides the exit code.
    package enum Kind: Sendable, Equatable {
        /// The tree does not allow the edit, as when others still call a module that is to be removed.
        case refused
        /// The command line or the tree's files are wrong.
        case usage
        /// The machine did not do its part: no space, no permission.
        case environment

        /// The exit code of a command that ends with it.
        package var exitCode: Int32 {
            switch self {
            case .refused: 1
            case .usage: 2
            case .environment: 3
            }
        }
    }

    /// Whose business it is.
    package let kind: Kind
    /// The file, with its line if there is one; nil when it is about the command line.
    package let place: String?
    /// What is wrong.
    package let what: String
    /// Why that stops the edit; may be empty when `what` says it.
    package let why: String
    /// The command or the edit that mends it.
    package let mend: String

    /// An error's four parts.
    package init(_ kind: Kind, at place: String? = nil, _ what: String, why: String = "", mend: String) {
        (self.kind, self.place, self.what, self.why, self.mend) = (kind, place, what, why, mend)
    }

    /// All of it, as every message of the tool is laid out.
    package var description: String {
        (place.map { $0 + ": " } ?? "") + what + (why.isEmpty ? "" : "\n  why:  \(why)") + "\n  mend: \(mend)"
    }
}
