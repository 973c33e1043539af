import Foundation
import ModuleTree

/// The findings of a legacy tree that are known, so that only new ones fail.
///
/// An entry says the rule, the file and what is wrong, but no line, so that edits elsewhere in the file do
/// not matter. An entry that is found no more is a finding itself: a debt that was paid must not come back.
package struct Baseline: Sendable, Equatable {
    /// The file's path below the root.
    package static let path = "modules-baseline.json"

    private struct Entry: Codable, Hashable, Comparable {
        let rule: String
        let path: String
        let what: String

        init(_ finding: Finding) {
            (rule, path, what) = (finding.rule, finding.place.path, finding.what)
        }

        static func < (left: Entry, right: Entry) -> Bool {
            (left.path, left.rule, left.what) < (right.path, right.rule, right.what)
        }
    }

    private let entries: [Entry]

    /// Takes findings as known.
    package init(_ findings: [Finding]) { entries = findings.map(Entry.init).sorted() }

    /// The baseline of a tree; nil when it has none.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when the file is not one.
    package init?(root: String) throws {
        guard let data = FileManager.default.contents(atPath: root + "/" + Self.path) else { return nil }
        do { entries = try JSONDecoder().decode([Entry].self, from: data) } catch {
            throw TreeError(
                .configuration, Self.path, what: "is no list of known findings: \(error)",
                why: "entries that cannot be read would either hide findings or lose them",
                mend: "Scripts/modules baseline, which writes it anew")
        }
    }

    /// How many findings it knows.
    package var count: Int { entries.count }

    /// The file's text.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(entries), as: UTF8.self) + "\n"
    }

    /// The findings that it does not know, and one for each entry that is found no more.
    ///
    /// - Parameter rules: The rules that were judged; the entries of others are left alone.
    package func apply(to findings: [Finding], of rules: [any Rule]) -> [Finding] {
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
            Finding(
                rule: "baseline-stale", place: SourcePlace(path: Self.path),
                what: "known, but found no more: \(entry.path): \(entry.rule): \(entry.what)",
                why: "an entry that stays behind would let the same mistake in again",
                mend: "Scripts/modules baseline, which takes it out")
        }
        return new + stale
    }
}
