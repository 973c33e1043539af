import Foundation
import ModuleKit
import ModuleVersions

/// The known findings of a legacy tree, so that `check` reports only new findings.
///
/// An entry stores the rule, the file and the message, but no line, position or commit, so that edits elsewhere do not
/// invalidate the entry. An entry that no longer matches a finding is reported too, because it would hide the same
/// mistake if the mistake came back.
package struct Baseline: Sendable, Equatable {
    package static let path = "modules-baseline.json"

    private struct Entry: Codable, Hashable, Comparable {
        let rule: String
        let path: String
        let what: String

        init(_ finding: Diagnostic, in path: String? = nil) {
            self.init(finding.rule, path ?? finding.home ?? finding.place.path, finding.what)
        }

        init(_ rule: String, _ path: String, _ what: String) {
            (self.rule, self.path, self.what) = (rule, path, Self.lasting(what))
        }

        init(from decoder: any Decoder) throws {
            let read = try Fields(from: decoder)
            self.init(read.rule, read.path, read.what)
        }

        private struct Fields: Decodable { let rule: String, path: String, what: String }

        /// The part of a message that other edits do not change.
        private static func lasting(_ what: String) -> String {
            let line = what.prefix { !$0.isNewline }
            return String(line).replacing(#/ at \d+:\d+| on line \d+| \(commit [0-9a-f]+\)|:$/#, with: "")
        }

        /// Whether both are about the same package of VERSIONS.md. Older baselines name this file as the place of all
        /// findings about it, and have other messages.
        func isSameRow(as other: Entry) -> Bool {
            rule == other.rule && path == VersionsFile.path && rule.hasPrefix("version-")
                && name == other.name
        }

        /// The name of the package in a message about VERSIONS.md.
        private var name: Substring? {
            what.matches(of: /\b[A-Z]\w*/).map(\.output).first { $0 != "Api" && $0 != "IMP" }
        }

        static func < (left: Entry, right: Entry) -> Bool {
            (left.path, left.rule, left.what) < (right.path, right.rule, right.what)
        }
    }

    private let entries: [Entry]

    package init(_ findings: [Diagnostic]) {
        // A check that could not be completed never ends with 0.
        entries = findings.filter { $0.rule != Rule.manifestRead.id }.map { Entry($0) }.sorted()
    }

    /// Reads the baseline of a tree; nil if the tree has none.
    package init?(root: String) throws {
        guard let data = FileManager.default.contents(atPath: root + "/" + Self.path) else { return nil }
        do { entries = try JSONDecoder().decode([Entry].self, from: data) } catch {
            throw Diagnostic(
                .configuration, at: Self.path, "is not a list of known findings: \(error)",
                why: "Without a readable list, known findings cannot be told apart from new ones.",
                fix: "Run Scripts/modules baseline to write a new list.")
        }
    }

    private init(entries: [Entry]) { self.entries = entries }

    /// Returns the findings that another list lacks, wherever they stand there.
    package static func missing(_ findings: [Diagnostic], in others: [Diagnostic]) -> [Diagnostic] {
        Baseline(entries: others.map { Entry($0) }).apply(to: findings, of: [])
    }

    package var count: Int { entries.count }

    package func text() throws -> String { try entries.prettyJSON() }

    /// Returns the findings that are not in the baseline, and a `baseline-stale` finding for each entry that
    /// matches no finding.
    ///
    /// - Parameter rules: The rules that were checked. Entries of other rules are ignored.
    package func apply(to findings: [Diagnostic], of rules: [Rule]) -> [Diagnostic] {
        var open: [Entry: Int] = [:]
        for entry in entries { open[entry, default: 0] += 1 }
        /// Removes the entries that an older version of the tool wrote for a finding.
        func removeOlder(_ finding: Diagnostic) -> Bool {
            let own = Entry(finding)
            let paths = Set(finding.cause.union([finding.place]).map(\.path))
            let rows = entries.filter { $0.isSameRow(as: own) }
            let removed = (paths.map { Entry(finding, in: $0) } + rows).filter {
                open.removeValue(forKey: $0) != nil
            }
            // An older entry about the version of an Api is about all its changes.
            return !removed.isEmpty || !rows.isEmpty && own.path != VersionsFile.path
        }
        let new = findings.filter { finding in
            for weaker in finding.weaker { _ = removeOlder(weaker) }
            guard let count = open[Entry(finding)] else { return !removeOlder(finding) }
            open[Entry(finding)] = count > 1 ? count - 1 : nil
            return false
        }
        let judged = Set(rules.map(\.id))
        let stale = open.keys.filter { judged.contains($0.rule) }.sorted().map { entry in
            Diagnostic(
                .rule("baseline-stale"), at: SourcePlace(path: Self.path),
                "listed as known, but no longer found: \(entry.path): \(entry.rule): \(entry.what)",
                why: "A stale entry would hide the same mistake if it came back.",
                fix: "Run Scripts/modules baseline to remove the entry.")
        }
        return new + stale
    }
}
