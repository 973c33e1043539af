import Foundation
import ModuleTree
import ModuleVersions

extension String {
    /// This file's text, with another version in a module type.
    package func replacing(_ literal: LocalPackage.VersionLiteral, with version: SemanticVersion) -> String {
        let position = literal.position
        let lines = utf8.split(
            separator: UInt8(ascii: "\n"), maxSplits: position.line - 1, omittingEmptySubsequences: false)
        guard let rest = lines.last?.dropFirst(position.column - 1),
            let range = Substring(rest).firstRange(of: "\"\(literal.text)\"")
        else { return self }
        return replacingCharacters(in: range, with: "\"\(version)\"")
    }
}
