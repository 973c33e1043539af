import ArgumentParser
import Foundation
import ModuleRules
import ModuleTree

enum FindingFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    /// GitHub workflow commands, which show findings beside the lines of a pull request.
    case github
}

struct FindingReport {
    let findings: [Finding]
    let packages: Int
    let rules: [String]
    let root: String
    let coverage: RuleCoverage?

    static func finish(
        _ findings: [Finding], of rules: [any Rule], in context: RuleContext, _ format: FindingFormat
    ) throws {
        let known = try Baseline(root: context.tree.root)
        let findings = known?.apply(to: findings, of: rules) ?? findings
        let report = FindingReport(
            findings: findings, packages: context.tree.packages.count, rules: rules.map(\.id),
            root: context.tree.root, coverage: try RuleCoverage(of: rules, in: context))
        print(try report.text(format), terminator: "")
        if !findings.isEmpty { throw ExitCode(1) }
    }

    func text(_ format: FindingFormat) throws -> String {
        switch format {
        case .text: text
        case .json: try json
        case .github: github
        }
    }

    private var summary: String {
        func count(_ number: Int, _ name: String) -> String { "\(number) \(name)\(number == 1 ? "" : "s")" }
        let clean = findings.isEmpty ? "clean" : count(findings.count, "finding")
        return "\(clean): \(count(packages, "package")), \(count(rules.count, "rule"))\n"
            + (coverage?.lines ?? []).map { "  \($0)\n" }.joined()
    }

    private var text: String {
        findings.map { finding in
            var lines = [
                "\(finding.place): \(finding.rule): \(finding.what)", "  why:  \(finding.why)",
                "  fix:  \(finding.fix)",
            ]
            lines += finding.notes.map { "  see:  \($0.place): \($0.text)" }
            return lines.joined(separator: "\n") + "\n\n"
        }.joined() + summary
    }

    private var github: String {
        // GitHub expects paths relative to the repository, and the tree may be a subfolder of it.
        let workspace = (ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"] ?? "") + "/"
        let isInside = workspace != "/" && root.hasPrefix(workspace)
        let folder = isInside ? String(root.dropFirst(workspace.count)) + "/" : ""
        return findings.map { finding in
            let place = finding.place
            let notes = finding.notes.map { "\nsee \($0.place): \($0.text)" }.joined()
            let message = "\(finding.what)\nwhy: \(finding.why)\nfix: \(finding.fix)\(notes)"
            return "::error file=\(property(folder + place.path)),line=\(place.line),col=\(place.column),"
                + "title=\(property(finding.rule))::\(data(message))\n"
        }.joined() + summary
    }

    private func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    private struct Document: Encodable {
        let findings: [Finding]
        let packages: Int
        let rules: [String]
        let coverage: RuleCoverage?
    }

    private var json: String {
        get throws {
            let document = Document(findings: findings, packages: packages, rules: rules, coverage: coverage)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
        }
    }
}
