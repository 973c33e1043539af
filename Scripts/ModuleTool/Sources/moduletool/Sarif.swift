import Foundation
import ModuleRules
import ModuleTree

/// Writes a log in the Static Analysis Results Interchange Format.
///
/// Source: SARIF 2.1.0, OASIS Standard, sections 3.13 (log), 3.14 (run), 3.27 (result) and 3.49 (rule).
enum Sarif {
    /// - Parameter folder: The tree's folder in the repository, with a trailing slash; empty for the repository itself.
    static func log(_ findings: [Finding], of rules: [any Rule], inFolder folder: String) throws -> String {
        func message(_ text: String) -> [String: String] { ["text": text] }
        func location(_ place: SourcePlace) -> [String: Any] {
            // The URI is relative: a colon in its first segment would be read as the end of a scheme.
            let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
            let path = folder + place.path
            let uri = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
            let region = ["startLine": place.line, "startColumn": place.column]
            return ["physicalLocation": ["artifactLocation": ["uri": uri], "region": region]]
        }
        func descriptor(_ id: String, _ why: String, _ explanation: String, tags: [String]) -> [String: Any] {
            [
                "id": id, "shortDescription": message(why), "fullDescription": message(explanation),
                "help": message(explanation), "properties": ["tags": tags],
            ]
        }
        // The rule `baseline-stale` is not in `RuleBook`.
        let others = Set(findings.map(\.rule)).subtracting(rules.map(\.id)).sorted()
        let ids = rules.map(\.id) + others
        let descriptors =
            rules.map { descriptor($0.id, $0.why, $0.explanation, tags: [$0.group.rawValue]) }
            + others.map { id in
                let why = findings.first { $0.rule == id }?.why ?? id
                return descriptor(id, why, why, tags: [])
            }
        let results = findings.map { finding -> [String: Any] in
            [
                "ruleId": finding.rule, "ruleIndex": ids.firstIndex(of: finding.rule) ?? -1, "level": "error",
                "message": message("\(finding.what)\nwhy: \(finding.why)\nfix: \(finding.fix)"),
                "locations": [location(finding.place)],
                "relatedLocations": finding.notes.map { note in
                    location(note.place).merging(["message": message(note.text)]) { $1 }
                },
            ]
        }
        let driver: [String: Any] = ["name": "ModuleTool", "version": Modules.version, "rules": descriptors]
        let log: [String: Any] = [
            "$schema":
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0", "runs": [["tool": ["driver": driver], "results": results]],
        ]
        let data = try JSONSerialization.data(
            withJSONObject: log, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
