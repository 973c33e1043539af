import Foundation
import ModuleRules
import ModuleTree

/// A log in the Static Analysis Results Interchange Format.
///
/// Source: SARIF 2.1.0, OASIS Standard, sections 3.13 (log), 3.14 (run), 3.27 (result) and 3.49 (rule).
struct Sarif: Encodable {
    private let schema =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    /// - Parameter folder: The tree's folder in the repository, with a trailing slash; empty for the repository itself.
    init(_ findings: [Finding], of rules: [any Rule], inFolder folder: String) {
        let checked = rules.map { rule in
            Descriptor(
                id: rule.id, shortDescription: Message(rule.why), fullDescription: Message(rule.explanation),
                help: Message(rule.explanation), properties: .init(tags: [rule.group.rawValue]))
        }
        // The rule `baseline-stale` is not in `RuleBook`.
        let others = Set(findings.map(\.rule)).subtracting(rules.map(\.id)).sorted().map { id in
            let why = Message(findings.first { $0.rule == id }?.why ?? id)
            return Descriptor(
                id: id, shortDescription: why, fullDescription: why, help: why, properties: .init(tags: []))
        }
        let indices = Dictionary(uniqueKeysWithValues: (checked + others).enumerated().map { ($1.id, $0) })
        let results = findings.map { finding in
            Result(
                ruleId: finding.rule, ruleIndex: indices[finding.rule] ?? -1,
                message: Message("\(finding.what)\nwhy: \(finding.why)\nfix: \(finding.fix)"),
                locations: [Location(finding.place, folder)],
                relatedLocations: finding.notes.map { Location($0.place, folder, message: Message($0.text)) })
        }
        let driver = Driver(version: Modules.version, rules: checked + others)
        runs = [Run(tool: ["driver": driver], results: results)]
    }

    private struct Run: Encodable {
        let tool: [String: Driver]
        let results: [Result]
    }

    private struct Driver: Encodable {
        let name = "ModuleTool"
        let version: String
        let rules: [Descriptor]
    }

    private struct Descriptor: Encodable {
        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let properties: Properties
    }

    private struct Properties: Encodable { let tags: [String] }

    private struct Message: Encodable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level = "error"
        let message: Message
        let locations: [Location]
        let relatedLocations: [Location]
    }

    private struct Location: Encodable {
        private struct Physical: Encodable {
            let artifactLocation: [String: String]
            let region: [String: Int]
        }

        private let physicalLocation: Physical
        private let message: Message?

        init(_ place: SourcePlace, _ folder: String, message: Message? = nil) {
            // A relative URI: a colon in its first segment would end a scheme.
            let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
            let path = folder + place.path
            physicalLocation = Physical(
                artifactLocation: ["uri": path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path],
                region: ["startLine": place.line, "startColumn": place.column])
            self.message = message
        }
    }
}
