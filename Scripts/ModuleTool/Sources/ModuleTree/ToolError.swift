/// An error of the tool, which is neither a pass nor a finding: where it occurred, what is wrong, why that matters,
/// and how to fix it.
package struct ToolError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cause of the error. The raw value is the tool's exit code.
    package enum Kind: Int32, Sendable {
        /// The tree does not allow an edit. For example, other packages still call the module to remove.
        case refused = 1
        /// The command line or the tree's files are wrong.
        case configuration
        /// The machine lacks a program, a file, a revision or a permission.
        case environment
    }

    package let kind: Kind
    /// The affected file, package or command; nil for an error in the command line.
    package let place: String?
    package let what: String
    /// Why this stops the tool; empty when `what` already says so.
    package let why: String
    package let fix: String

    package init(_ kind: Kind, at place: String? = nil, _ what: String, why: String = "", fix: String) {
        (self.kind, self.place, self.what, self.why, self.fix) = (kind, place, what, why, fix)
    }

    /// The error for a file or folder that cannot be read.
    static func unreadable(_ path: String, root: String, kind: Kind = .environment) -> ToolError {
        ToolError(
            kind, at: path, "cannot be read", why: "skipping this path would hide its mistakes",
            fix: "check the path with: ls -l \(root)/\(path)")
    }

    package var description: String {
        (place.map { $0 + ": " } ?? "") + what + (why.isEmpty ? "" : "\n  why:  \(why)") + "\n  fix:  \(fix)"
    }
}
