import Foundation
import ModuleFixtures
import ModuleTree

@testable import ModuleRules

extension TemporaryTree {
    /// The findings of the named rules in this tree, or of all rules if no name is given.
    func findings(_ names: String..., since: String? = nil) throws -> [Finding] {
        let subject = RuleContext(try TreeReader(root: root).read(), since: since)
        return try RuleBook.findings(of: try RuleBook.rules(named: names), in: subject)
    }
}

/// The root of this repository.
func repositoryRoot(_ file: String = #filePath) -> String {
    var folder = URL(filePath: file)
    while folder.path() != "/", !FileManager.default.fileExists(atPath: folder.path() + "/VERSIONS.md") {
        folder.deleteLastPathComponent()
    }
    return folder.path()
}
