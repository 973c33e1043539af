import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

extension TemporaryTree {
    /// The findings of the named rules in this tree, or of all rules if no name is given.
    func findings(_ names: String..., since: String? = nil) throws -> [Diagnostic] {
        try findings(names, since: since)
    }

    private func findings(_ names: [String], since: String?) throws -> [Diagnostic] {
        let tree = try TreeReader(root: root, caching: .file(HouseFiles.facts)).read(isLenient: true)
        return try RuleBook.findings(of: RuleBook.rules(named: names), in: RuleContext(tree, since: since))
    }

    /// The identifiers of the violated rules about releases, one per finding.
    func rules(since: String? = nil) throws -> [String] {
        let names = ["version-lowered", "version-raised", "version-step", "version-deprecation"]
        return try findings(names, since: since).map(\.rule)
    }

    /// Writes Ride's versions into VERSIONS.md.
    func raiseRide(_ api: String, _ imp: String) throws {
        try raise("Ride", "\(api) | \(imp) | >= \(imp)")
    }

    /// Replaces the cells of a row in VERSIONS.md.
    func raise(_ name: String, _ cells: String) throws {
        let row = try #require(
            try read("VERSIONS.md").split(separator: "\n").first { $0.hasPrefix("| \(name) ") })
        try edit("VERSIONS.md", String(row), "| \(name) | \(cells) |")
    }
}
