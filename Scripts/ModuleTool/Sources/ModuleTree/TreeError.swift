/// Why a tree could not be read or judged. It is never a pass, and never a finding.
package struct TreeError: Error, Sendable, Hashable {
    /// Who has to act: the caller, or whoever keeps the machine.
    package enum Kind: Sendable, Hashable {
        /// The command line or the tree's configuration is wrong: exit code 2.
        case configuration
        /// A tool, a file or a revision is missing: exit code 3.
        case environment
    }

    package let kind: Kind
    /// The file, package or command it is about.
    package let subject: String
    package let what: String
    package let why: String
    package let mend: String

    package init(_ kind: Kind, _ subject: String, what: String, why: String, mend: String) {
        (self.kind, self.subject) = (kind, subject)
        (self.what, self.why, self.mend) = (what, why, mend)
    }
}

extension TreeError {
    /// A file or folder of the tree cannot be read.
    static func unreadable(_ path: String, root: String) -> TreeError {
        TreeError(
            .environment, path, what: "cannot be read", why: "what is skipped would hide its mistakes",
            mend: "ls -l \(root)/\(path)")
    }
}

extension TreeError: CustomStringConvertible {
    package var description: String {
        "\(subject): \(what)\n  why:  \(why)\n  mend: \(mend)"
    }
}
