/// Why a tree could not be read or judged. It is never a pass, and never a finding.
public struct TreeError: Error, Sendable, Hashable {
    /// Who has to act: the caller, or whoever keeps the machine.
    public enum Kind: Sendable, Hashable {
        /// The command line or the tree's configuration is wrong: exit code 2.
        case configuration
        /// A tool, a file or a revision is missing: exit code 3.
        case environment
    }

    public let kind: Kind
    /// The file, package or command it is about.
    public let subject: String
    public let what: String
    public let why: String
    public let mend: String

    public init(_ kind: Kind, _ subject: String, what: String, why: String, mend: String) {
        (self.kind, self.subject) = (kind, subject)
        (self.what, self.why, self.mend) = (what, why, mend)
    }
}

extension TreeError: CustomStringConvertible {
    public var description: String {
        "\(subject): \(what)\n  why:  \(why)\n  mend: \(mend)"
    }
}
