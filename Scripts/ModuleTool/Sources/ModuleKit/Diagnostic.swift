import Foundation

/// What the tool reports: a violation of a rule, called a finding, or an error that stops the tool. A diagnostic states
/// where and what the problem is, why it matters, and how to fix it.
///
/// The reason and the fix consist of sentences, which begin with a capital and end with a full stop. Only a command or code
/// to copy has no full stop: it comes last, after a colon, as in `Run: Scripts/modules release`.
package struct Diagnostic: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A violation of the rule with this identifier, as `modules explain` accepts it.
        case rule(String)
        /// The tree does not allow an edit. For example, other packages still call the module to remove.
        case refused
        /// The command line or the tree's files are wrong.
        case configuration
        /// The machine lacks a program, a file, a revision or a permission.
        case environment

        /// The tool's exit code.
        package var exitCode: Int32 {
            switch self {
            case .rule, .refused: 1
            case .configuration: 2
            case .environment: 3
            }
        }
    }

    /// A related place, such as a second registration or another step of a cycle.
    package struct Note: Sendable, Hashable {
        package let place: SourcePlace
        package let text: String

        package init(_ place: SourcePlace, _ text: String) {
            (self.place, self.text) = (place, text)
        }
    }

    /// An exact edit that fixes a violation. `check --fix` makes it.
    package enum Repair: Sendable, Hashable {
        /// Removes the dependency that begins at the finding's place.
        case remove
        /// Sorts the rows of VERSIONS.md.
        case sort
        /// Replaces the contents of the finding's file, which is generated.
        case write(String)
        /// Adds a target, or a product of the package in a folder, to the dependencies of a target.
        case add(String, of: String, to: String, in: String)
        /// Adds the IMP in a folder to the list of pairs in the app's manifest, as a pair or as an alternative to another.
        case list(imp: String, alternativeTo: String?)
    }

    /// How much a finding counts.
    package enum Severity: String, Sendable, Encodable { case error, warning }

    package let kind: Kind
    /// A warning, of a rule that the team has turned into one, does not fail a check.
    package var severity = Severity.error
    /// The file with the problem, or the package or command that has it; empty for an error in the command line.
    package let place: SourcePlace
    /// What is wrong, in one line.
    package let what: String
    /// Why the rule exists, or why the error stops the tool; empty when `what` already says so.
    package let why: String
    /// The exact edit or command that fixes the problem.
    package var fix: String
    package let notes: [Note]
    package var repair: Repair?

    /// The places that cause a violation: the declarations and the imports of a dependency, a declaration, or a row of a
    /// table. Of all rules that report these places, only the strongest one speaks. Empty if no other rule reports them.
    package let cause: Set<SourcePlace>
    /// The file that identifies a violation in a baseline, if its place may move to another file.
    package let home: String?
    /// The violations of weaker rules that have the same cause.
    package var weaker: [Diagnostic] = []

    package init(
        _ kind: Kind, at place: SourcePlace = SourcePlace(""), _ what: String, why: String = "", fix: String,
        notes: [Note] = [], repair: Repair? = nil, cause: Set<SourcePlace> = [], home: String? = nil
    ) {
        (self.kind, self.place, self.what, self.why, self.fix) = (kind, place, what, why, fix)
        (self.notes, self.repair, self.cause, self.home) = (notes, repair, cause, home)
    }

    /// Creates an error.
    ///
    /// - Parameter place: A path, which may end in a line and a column, or the name of a package or a command.
    package init(_ kind: Kind, at place: String?, _ what: String, why: String = "", fix: String) {
        self.init(kind, at: SourcePlace(place ?? ""), what, why: why, fix: fix)
    }

    /// The error for a file or folder that cannot be read.
    package static func unreadable(_ path: String, root: String, kind: Kind = .environment) -> Diagnostic {
        Diagnostic(
            kind, at: path, "cannot be read", why: "Skipping this path would hide its mistakes.",
            fix: "Check the path with: ls -l \(root)/\(path)")
    }

    /// Whether `check --fix` knows an edit that may fix the violation.
    package var isRepairable: Bool { repair != nil || weaker.contains { $0.repair == .remove } }

    /// The repair of a pair that the app's list lacks; nil for other violations. Findings may only follow from this one.
    package var listing: Repair? { if case .list? = repair { repair } else { nil } }

    /// The identifier of the violated rule; empty for an error.
    package var rule: String { if case .rule(let id) = kind { id } else { "" } }
}

extension Diagnostic: CustomStringConvertible {
    package var description: String { text() }

    /// The diagnostic for people, as `modules check` prints it.
    package func text(saysWhy: Bool = true) -> String {
        [place.description, severity == .warning ? "warning" : "", rule].filter { !$0.isEmpty }.map {
            $0 + ": "
        }.joined() + what
            + (saysWhy && !why.isEmpty ? "\n  why:  \(why)" : "") + "\n  fix:  \(fix)"
            + notes.map { "\n  see:  \($0.place): \($0.text)" }.joined()
    }
}

extension Diagnostic: Comparable {
    package static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        (left.place, left.rule, left.what, left.fix) < (right.place, right.rule, right.what, right.fix)
    }
}

/// Encodes the fields of the place beside the other fields.
extension Diagnostic: Encodable {
    private struct Fields: Encodable {
        let rule: String
        let severity: Severity
        let what: String
        let why: String
        let fix: String
        let notes: [Note]
    }

    package func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        try Fields(rule: rule, severity: severity, what: what, why: why, fix: fix, notes: notes).encode(
            to: encoder)
    }
}

extension Diagnostic.Note: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        try ["text": text].encode(to: encoder)
    }
}

extension Encodable {
    /// This value as JSON for people and programs.
    package func prettyJSON() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
}
