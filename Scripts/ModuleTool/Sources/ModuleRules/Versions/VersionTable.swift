import Foundation
import ModuleTree
import ModuleVersions

/// VERSIONS.md in the working tree.
struct VersionTable: Sendable {
    static let path = "VERSIONS.md"

    let file: VersionsFile
    let problems: [VersionsProblem]

    /// Returns nil if the tree has no VERSIONS.md.
    init?(root: String) {
        guard let data = FileManager.default.contents(atPath: root + "/" + Self.path) else { return nil }
        let reading = VersionsFile.read(String(decoding: data, as: UTF8.self))
        file = reading.file
        problems = reading.problems
    }

    /// The text of VERSIONS.md up to the first section of change notes.
    static func withoutNotes(_ data: Data) -> String {
        let text = String(decoding: data, as: UTF8.self)
        let end = text.range(of: "\n## ")?.lowerBound ?? text.endIndex
        return String(text[..<end]) + "\n"
    }
}

extension VersionsFile.Library {
    var place: SourcePlace { SourcePlace(path: VersionTable.path, line: max(line, 1)) }
}

extension VersionsFile.Row {
    var place: SourcePlace { SourcePlace(path: VersionTable.path, line: max(line, 1)) }
}
