import ModuleKit

/// The contents of a package's CHANGELOG.md: what changed in each version, newest first.
///
/// ```markdown
/// # Changelog
///
/// ## Unreleased
///
/// - What changed since the last release.
///
/// ## 1.2.0 - 2026-11-25
///
/// - What changed for callers.
/// ```
///
/// The notes of a pair are in its Api's package. Changes that await a release are below "Unreleased"; the next
/// release moves them to its version. The date of a version is optional.
package struct Changelog: Sendable, Equatable {
    package static let name = "CHANGELOG.md"

    /// A heading with the lines below it.
    package struct Note: Sendable, Equatable {
        /// The version; nil for "Unreleased", and for a heading that is not a version.
        package let version: SemanticVersion?
        /// The line number of the heading, starting at 1; 0 for a new note.
        package let line: Int
        fileprivate let heading: String
        fileprivate var lines: [String]

        /// The text below the heading, without leading and trailing empty lines.
        package var text: String {
            let body = lines.drop(while: \.isEmpty)
            return body.reversed().drop(while: \.isEmpty).reversed().joined(separator: "\n")
        }

        fileprivate var isUnreleased: Bool { heading == "Unreleased" }
    }

    private var head: [String] = []
    private var all: [Note] = []

    /// Parses a file. Never fails; ``problems(of:current:)`` returns the errors in the file.
    package init(_ text: String = "# Changelog\n") {
        var isInCode = false
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") || line.hasPrefix("~~~") { isInCode.toggle() }
            if line.hasPrefix("## "), !isInCode {
                let heading = String(line.dropFirst(3))
                all.append(
                    Note(version: Self.version(in: heading), line: index + 1, heading: heading, lines: []))
            } else if all.isEmpty {
                head.append(line)
            } else {
                all[all.count - 1].lines.append(line)
            }
        }
    }

    /// The version of a heading such as `1.2.0` or `1.2.0 - 2026-11-25`; nil for any other heading.
    private static func version(in heading: String) -> SemanticVersion? {
        SemanticVersion(String(heading.prefixMatch(of: /(.+) - \d{4}-\d{2}-\d{2}$/)?.1 ?? heading[...]))
    }

    package var text: String {
        (head + all.flatMap { ["## " + $0.heading] + $0.lines }).map { $0 + "\n" }.joined()
    }

    /// The notes of released versions, in file order.
    package var notes: [Note] { all.filter { $0.version != nil } }

    /// The changes that await a release; empty if there are none.
    package var unreleased: String { all.first(where: \.isUnreleased)?.text ?? "" }

    /// Adds a change that awaits a release.
    package mutating func add(_ bullet: String) {
        insert(nil, "Unreleased", [bullet])
    }

    /// Adds the note for a version above the other notes, or extends its note if there is one.
    ///
    /// - Parameters:
    ///   - day: The date of the release, such as `2026-11-25`; nil to write none.
    ///   - bullets: The changes, to be written as a Markdown list below the changes that await a release.
    package mutating func release(_ version: SemanticVersion, on day: String? = nil, bullets: [String]) {
        let heading = version.description + (day.map { " - " + $0 } ?? "")
        insert(version, heading, bullets)
    }

    /// Adds a note above the other notes: the text of a note with the same version, the changes that await a
    /// release, and these.
    private mutating func insert(_ version: SemanticVersion?, _ heading: String, _ bullets: [String]) {
        let same = version.flatMap { version in all.first { $0.version == version }?.text }
        let waiting = [same, unreleased].compactMap { $0?.isEmpty == false ? $0 : nil }
        all.removeAll { $0.isUnreleased || version != nil && $0.version == version }
        let end = all.isEmpty ? [] : [""]
        all.insert(
            Note(
                version: version, line: 0, heading: heading,
                lines: [""] + waiting + bullets.map { "- " + $0 } + end),
            at: 0)
        if head.last != "" { head.append("") }
    }

    /// The errors in the file, in line order.
    ///
    /// - Parameters:
    ///   - name: The package.
    ///   - current: The package's version in VERSIONS.md.
    package func problems(of name: String, current: SemanticVersion) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        func report(_ line: Int, _ what: String, why: String, fix: String) {
            problems.append(Diagnostic(.configuration, at: "\(Self.name):\(line)", what, why: why, fix: fix))
        }
        for (index, note) in all.enumerated()
        where note.version == nil && !(note.isUnreleased && index == 0) {
            report(
                note.line, "the heading '\(note.heading)' is not a version.",
                why: "Each note belongs to a version, and only the first may be unreleased.",
                fix: "Write three numbers, such as 1.0.0, or move the lines below another heading.")
        }
        if !notes.contains(where: { $0.version == current && !$0.text.isEmpty }) {
            report(
                1, "\(name) \(current) has no change note.",
                why: "The note tells callers what a new version means for them.",
                fix: "Add a heading '## \(current)' and the changes.")
        }
        var newer: (version: SemanticVersion, line: Int)?
        for note in notes {
            guard let version = note.version else { continue }
            if newer == nil, version > current {
                report(
                    note.line, "\(name) has a note for \(version), but VERSIONS.md says \(current).",
                    why: "A version's note and its row are written together.",
                    fix: "Write the changes below '## Unreleased', and run: Scripts/modules release")
            }
            if let newer, newer.version <= version {
                report(
                    note.line, "the note for \(name) \(version) is below the note for \(newer.version).",
                    why: "Notes are listed newest first, one for each version.",
                    fix: "Move the note for the higher version up, or merge two notes for one version.")
            }
            newer = (version, note.line)
        }
        return problems.sorted { $0.place < $1.place }
    }
}

extension Changelog {
    /// The text of a new package's changelog.
    package static func first(_ version: SemanticVersion, _ bullet: String) -> String {
        var changelog = Changelog()
        changelog.release(version, bullets: [bullet])
        return changelog.text
    }
}
