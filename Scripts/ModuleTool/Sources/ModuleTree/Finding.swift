import Foundation

/// A violation of a rule.
///
/// A finding states what is wrong and where, why the rule exists, and how to fix the violation.
package struct Finding: Sendable, Hashable {
    /// A related place, such as a second registration or another step of a cycle.
    package struct Note: Sendable, Hashable {
        package let place: SourcePlace
        package let text: String

        package init(_ place: SourcePlace, _ text: String) {
            (self.place, self.text) = (place, text)
        }
    }

    /// The rule's identifier, as `modules explain` accepts it.
    package let rule: String
    package let place: SourcePlace

    /// What is wrong, in one line.
    package let what: String

    /// Why the rule exists.
    package let why: String

    /// The exact edit or command that fixes the violation.
    package var fix: String
    package let notes: [Note]
    package let repair: Repair?

    package init(
        rule: String, place: SourcePlace, what: String, why: String, fix: String, notes: [Note] = [],
        repair: Repair? = nil
    ) {
        (self.rule, self.place, self.what) = (rule, place, what)
        (self.why, self.fix, self.notes, self.repair) = (why, fix, notes, repair)
    }

    /// An exact edit that fixes a violation. `check --fix` makes it.
    package enum Repair: Sendable, Hashable {
        /// Removes the dependency that begins at the finding's place.
        case remove
        /// Sorts the rows of VERSIONS.md.
        case sort
        /// Adds a target, or a product of the package in a folder, to the dependencies of a target.
        case add(String, of: String, to: String, in: String)
    }
}

extension Finding: Comparable {
    package static func < (left: Finding, right: Finding) -> Bool {
        (left.place, left.rule, left.what) < (right.place, right.rule, right.what)
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

/// Encodes the fields of the place beside the other fields of the finding.
extension Finding: Encodable {
    private struct Fields: Encodable {
        let rule: String
        let what: String
        let why: String
        let fix: String
        let notes: [Note]
    }

    package func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        try Fields(rule: rule, what: what, why: why, fix: fix, notes: notes).encode(to: encoder)
    }
}

extension Finding.Note: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try place.encode(to: encoder)
        try ["text": text].encode(to: encoder)
    }
}
