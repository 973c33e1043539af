/// Thrown if a tree cannot be read or checked, which is neither a pass nor a finding.
package struct TreeError: Error, Sendable, Hashable {
    /// Whether the tree or the command line is at fault, or the machine.
    package enum Kind: Sendable, Hashable {
        /// The command line or the tree's configuration is wrong: exit code 2.
        case configuration
        /// A tool, a file or a revision is missing: exit code 3.
        case environment
    }

    package let kind: Kind
    /// The affected file, package or command.
    package let subject: String
    package let what: String
    package let why: String
    package let fix: String

    package init(_ kind: Kind, _ subject: String, what: String, why: String, fix: String) {
        (self.kind, self.subject) = (kind, subject)
        (self.what, self.why, self.fix) = (what, why, fix)
    }
}

extension TreeError {
    /// The error for a file or folder that cannot be read.
    static func unreadable(_ path: String, root: String) -> TreeError {
        TreeError(
            .environment, path, what: "cannot be read", why: "skipping this path would hide its mistakes",
            fix: "check the path with: ls -l \(root)/\(path)")
    }
}

extension TreeError: CustomStringConvertible {
    package var description: String {
        "\(subject): \(what)\n  why:  \(why)\n  fix:  \(fix)"
    }
}
