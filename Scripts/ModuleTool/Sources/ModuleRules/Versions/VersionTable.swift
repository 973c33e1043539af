import Foundation
import ModuleTree
import ModuleVersions

/// VERSIONS.md as it stands in the working tree.
struct VersionTable: Sendable {
    static let path = "VERSIONS.md"

    let file: VersionsFile
    let problems: [VersionsProblem]

    /// Nil when the tree has no VERSIONS.md.
    init?(root: String) {
        guard let data = FileManager.default.contents(atPath: root + "/" + Self.path) else { return nil }
        let reading = VersionsFile.read(String(decoding: data, as: UTF8.self))
        file = reading.file
        problems = reading.problems
    }

    /// The tables of a file of the past, its notes left out.
    static func tables(_ data: Data) -> VersionsFile {
        let text = String(decoding: data, as: UTF8.self)
        let end = text.range(of: "\n## ")?.lowerBound ?? text.endIndex
        return VersionsFile.read(String(text[..<end]) + "\n").file
    }
}

extension VersionsFile.Library {
    var place: SourcePlace { SourcePlace(path: VersionTable.path, line: max(line, 1)) }
}

extension VersionsFile.Row {
    var place: SourcePlace { SourcePlace(path: VersionTable.path, line: max(line, 1)) }
}
