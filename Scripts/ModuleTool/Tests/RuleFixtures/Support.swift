import Foundation
import ModuleChecks
import ModuleFixtures
import ModuleKit
import ModuleReleases
import ModuleRules
import ModuleTree
import Testing

extension RuleBook {
    /// The rules about what people write, as the tool checks them.
    package static let tree = RuleBook(CheckRules.all + VersionRules.all)

    package static func rules(named names: [String]) throws -> [Rule] {
        try rules(named: names, among: tree.rules)
    }
}

/// Files of the small tree that the tests edit.
package enum File {
    package static let configuration = ".modules.yml"
    package static let versions = "VERSIONS.md"
    package static let shell = "Apps/Shell/Sources/Shell/Shell.swift"
    package static let list = "Apps/Shell/Sources/Shell/Registrations.swift"
    package static let ride = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    package static let rideManifest = "Packages/Business/Ride/Package.swift"
    package static let rideTests = "Packages/Business/Ride/Tests/RideTests/RideTests.swift"
    package static let rideApi = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
    package static let rideApiManifest = "Packages/Business/RideApi/Package.swift"
    package static let rideNotes = "Packages/Business/RideApi/CHANGELOG.md"
    package static let journeyApi =
        "Packages/Business/JourneyApi/Sources/JourneyApi/JourneyApiProtocol.swift"
    package static let journey = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
    package static let journeyModule = "Packages/Business/Journey/Sources/Journey/JourneyModule.swift"
    package static let journeyManifest = "Packages/Business/Journey/Package.swift"
    package static let center = "Packages/Core/ApiCenter/Sources/ApiCenter/ApiCenter.swift"
    package static let errorCode = "Packages/Common/ErrorCode/Sources/ErrorCode/ErrorCode.swift"
    package static let errorCodeManifest = "Packages/Common/ErrorCode/Package.swift"
    package static let mediator = "Packages/Base/Mediator/Sources/Mediator/Mediator.swift"
    package static let actions = "Packages/Common/RideActions/Sources/RideActions/RideActions.swift"

    /// Another file beside one of these.
    package static func beside(_ file: String, _ name: String) -> String {
        PathText.split(file).folder + "/" + name
    }
}

/// A change of one file.
package enum Change: Sendable {
    case edit(String, String, String)
    case insert(String, before: String, in: String)
    case write(String, String)
    case remove(String)
    case link(String, to: String)
}

/// Changes of the small tree, and the findings that they cause.
package struct Case: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    /// The rules or groups of rules to check.
    package let rules: String
    /// A part of each finding.
    package let findings: [String]
    package let changes: [Change]

    package init(_ description: String, _ rules: String, finds findings: [String] = [], _ changes: [Change]) {
        (testDescription, self.rules, self.findings, self.changes) = (description, rules, findings, changes)
    }

    package func run() throws {
        let tree = try SmallTree.make()
        try tree.apply(changes)
        try tree.expect(rules, finds: findings)
    }
}

extension [Diagnostic] {
    package var rules: [String] {
        let steps = filter { $0.rule == "version-step" }.dropFirst()
        return filter { !steps.contains($0) }.map(\.rule).sorted()
    }
}

extension TemporaryTree {
    package func apply(_ changes: [Change]) throws {
        for change in changes {
            switch change {
            case .edit(let file, let old, let new): try edit(file, old, new)
            case .insert(let code, let text, let file): try edit(file, text, code + text)
            case .write(let file, let text): try write(file, text)
            case .remove(let path): try remove(path)
            case .link(let link, let path):
                try FileManager.default.createSymbolicLink(
                    atPath: "\(root)/\(link)", withDestinationPath: "\(root)/\(path)")
            }
        }
    }

    /// What rules know of this tree.
    package func context() throws -> RuleContext {
        RuleContext(try TreeReader(root: root, caching: .file(HouseFiles.facts)).read())
    }

    /// The findings of the named rules in this tree, or of all rules if no name is given.
    package func findings(_ names: String..., since: String? = nil) throws -> [Diagnostic] {
        try findings(names, since: since)
    }

    package func findings(_ names: [String], since: String? = nil) throws -> [Diagnostic] {
        let tree = try TreeReader(root: root, caching: .file(HouseFiles.facts)).read(isLenient: true)
        let found = try RuleBook.tree.findings(
            of: RuleBook.rules(named: names), in: RuleContext(tree, since: since))
        // The configuration of a tree gives the reasons for denials.
        for finding in found where finding.rule != "denied-use" { #expect(finding.isInForm, "\(finding)") }
        return found
    }

    /// Expects findings of the named rules, given a part of the place and message of each.
    package func expect(_ rules: String, finds parts: [String]) throws {
        let found = try findings(rules.split(separator: " ").map(String.init)).map {
            "\($0.place): \($0.what)"
        }
        #expect(found.count == parts.count, "\(found)")
        for (finding, part) in zip(found, parts) { #expect(finding.contains(part)) }
    }

    /// The identifiers of the violated rules about releases, sorted: one per finding, but only one of the rule that has a
    /// finding for each change of an Api.
    package func rules(since: String? = nil) throws -> [String] {
        let names = ["version-lowered", "version-raised", "version-step", "version-deprecation"]
        return try findings(names, since: since).rules
    }

    /// Expects that rules about releases are violated, commits all files, and expects the same again.
    package func expect(_ rules: String..., location: SourceLocation = #_sourceLocation) throws {
        try expect(rules, location: location)
    }

    package func expect(_ rules: [String], location: SourceLocation = #_sourceLocation) throws {
        for state in ["uncommitted", "committed"] {
            let found = try self.rules()
            #expect(found == rules, "\(state)", sourceLocation: location)
            if state == "uncommitted" { try commit("Changed") }
        }
    }

    /// Writes Ride's versions into VERSIONS.md.
    package func raiseRide(_ api: String, _ imp: String) throws {
        try raise("Ride", "\(api) | \(imp) | >= \(imp)")
    }

    /// Replaces the cells of a row in VERSIONS.md.
    package func raise(_ name: String, _ cells: String) throws {
        let row = try #require(
            try read(File.versions).split(separator: "\n").first { $0.hasPrefix("| \(name) ") })
        try edit(File.versions, String(row), "| \(name) | \(cells) |")
    }

    /// Inserts code before a text of a file.
    package func insert(_ code: String, before text: String, in file: String) throws {
        try apply([.insert(code, before: text, in: file)])
    }
}
