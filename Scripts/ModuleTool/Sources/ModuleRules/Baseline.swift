import Foundation
import ModuleTree

/// The known findings of a legacy tree, so that `check` reports only new findings.
///
/// An entry stores the rule, the file and the message, but no line, so that edits elsewhere in the file do
/// not invalidate the entry. An entry that no longer matches a finding is reported too, because it would hide
/// the same mistake if the mistake came back.
package struct Baseline: Sendable, Equatable {
    package static let path = "modules-baseline.json"

    private struct Entry: Codable, Hashable, Comparable {
        let rule: String
        let path: String
        let what: String

        init(_ finding: Diagnostic) {
            (rule, path, what) = (finding.rule, finding.place.path, finding.what)
        }

        static func < (left: Entry, right: Entry) -> Bool {
            (left.path, left.rule, left.what) < (right.path, right.rule, right.what)
        }
    }

    private let entries: [Entry]

    package init(_ findings: [Diagnostic]) {
        // A check that could not be completed never ends with 0.
        entries = findings.filter { $0.rule != Rule.manifestRead.id }.map(Entry.init).sorted()
    }

    /// Reads the baseline of a tree; nil if the tree has none.
    package init?(root: String) throws {
        guard let data = FileManager.default.contents(atPath: root + "/" + Self.path) else { return nil }
        do { entries = try JSONDecoder().decode([Entry].self, from: data) } catch {
            throw Diagnostic(
                .configuration, at: Self.path, "is not a list of known findings: \(error)",
                why: "without a readable list, known findings cannot be told apart from new ones",
                fix: "run Scripts/modules baseline to write a new list")
        }
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
        let new = findings.filter { finding in
            let entry = Entry(finding)
            guard let count = open[entry], count > 0 else { return true }
            open[entry] = count - 1
            return false
        }
        let judged = Set(rules.map(\.id))
        let stale = open.filter { $0.value > 0 && judged.contains($0.key.rule) }.keys.sorted().map { entry in
            Diagnostic(
                .rule("baseline-stale"), at: SourcePlace(path: Self.path),
                "listed as known, but no longer found: \(entry.path): \(entry.rule): \(entry.what)",
                why: "a stale entry would hide the same mistake if it came back",
                fix: "run Scripts/modules baseline to remove the entry")
        }
        return new + stale
    }
}
