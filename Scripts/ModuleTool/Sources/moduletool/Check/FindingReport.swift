import ArgumentParser
import Foundation
import ModuleKit
import ModuleRules
import ModuleTree

enum FindingFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    /// GitHub workflow commands, which show findings beside the lines of a pull request.
    case github
    /// The lines that Xcode and `swift build` show beside the code; nothing if there are no findings.
    case xcode
}

struct FindingReport {
    let findings: [Diagnostic]
    private let rules: [Rule]
    private let tree: Tree
    private let coverage: RuleCoverage
    /// The number of findings that the baseline records.
    private let knownCount: Int
    /// The number of findings that `check --fix` would fix.
    var fixable = 0

    /// - Parameter findings: The findings of the rules, from which the report leaves out those in the baseline.
    init(_ findings: [Diagnostic], of chosen: [Rule], in context: RuleContext) throws {
        rules = context.active(chosen)
        tree = context.tree
        let open = try Baseline(root: tree.root)?.apply(to: findings, of: rules) ?? findings
        knownCount = Set(findings).subtracting(open).count
        self.findings = open.map(Main.named)
        coverage = try RuleCoverage(of: chosen, in: context)
    }

    /// Whether any finding is more than a warning.
    var hasErrors: Bool { findings.contains { $0.severity == .error } }

    /// Prints the report. Exits with 1 if there are findings that are more than warnings.
    func finish(_ format: FindingFormat) throws {
        print(try text(format), terminator: "")
        if hasErrors { throw ExitCode(1) }
    }

    private func text(_ format: FindingFormat) throws -> String {
        switch format {
        case .text: text
        case .json:
            try Document(
                findings: findings, packages: tree.packages.count, rules: rules.map(\.id), coverage: coverage
            ).prettyJSON()
        case .github: lines(format) + summary
        case .xcode: lines(format)
        }
    }

    private func lines(_ format: FindingFormat) -> String {
        findings.map { format.line(of: $0, in: tree.root) }.joined()
    }

    private var summary: String {
        let warnings = findings.count { $0.severity == .warning }
        func count(_ number: Int, _ name: String, _ rest: String = "") -> String? {
            number == 0 ? nil : Spelling.count(number, name) + rest
        }
        let found = [count(findings.count - warnings, "finding"), count(warnings, "warning")]
        let looked = [
            Spelling.count(tree.packages.count, "package"), Spelling.count(rules.count, "rule"),
            count(coverage.off.count, "rule", " off"),
            count(coverage.warning.count, "rule", " set to warning"), count(knownCount, "known finding"),
        ]
        func list(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }
        return "\(findings.isEmpty ? "clean" : list(found)): \(list(looked))\n"
            + coverage.lines.map { "  \(Main.named($0))\n" }.joined()
    }

    /// What to do about the findings of a tree that existed before the check.
    private static let baseline =
        "To record today's findings as known, so that check reports only new ones: Scripts/modules baseline\n"

    private var text: String {
        // Only the first finding of a rule says why the rule exists.
        var explained: Set<String> = []
        let fix = "check --fix fixes \(fixable) of \(Spelling.count(findings.count, "finding")).\n"
        return findings.map { $0.text(saysWhy: explained.insert($0.rule).inserted) + "\n\n" }.joined()
            + (fixable > 0 ? Main.named("Scripts/modules \(fix)") : "")
            + (findings.count >= 20 && knownCount == 0 ? Main.named(Self.baseline) : "") + summary
    }

    private struct Document: Encodable {
        let findings: [Diagnostic]
        let packages: Int
        let rules: [String]
        let coverage: RuleCoverage
    }
}

extension FindingFormat {
    /// A finding or an error for GitHub or Xcode.
    func line(of diagnostic: Diagnostic, in root: String) -> String {
        let (place, what, fix, why) = (diagnostic.place, diagnostic.what, diagnostic.fix, diagnostic.why)
        let severity = diagnostic.severity.rawValue
        if self == .github {
            let notes = diagnostic.notes.map { "\nsee \($0.place): \($0.text)" }.joined()
            let path = property(Self.workspaceFolder(of: root) + place.path)
            let file = place.line == 0 ? "" : "file=\(path),line=\(place.line),col=\(max(place.column, 1)),"
            return
                "::\(severity) \(file)title=\(property(diagnostic.rule.isEmpty ? "modules" : diagnostic.rule))::"
                + data("\(what)\nwhy: \(why)\nfix: \(fix)\(notes)") + "\n"
        }
        let notes = diagnostic.notes.map { "\(root)/\($0.place): note: \($0.text)\n" }.joined()
        let start = place.line == 0 ? "" : "\(root)/\(place): "
        // On one line, semicolons separate the parts, and the last full stop of each is left out.
        func part(_ text: String) -> Substring { text.hasSuffix(".") ? text.dropLast() : text[...] }
        return "\(start)\(severity): \(what); fix: \(part(fix)); why: \(part(why))"
            + (diagnostic.rule.isEmpty ? "\n" : " (\(diagnostic.rule))\n") + notes
    }

    /// The tree's folder in the repository, with a trailing slash. GitHub expects paths relative to the repository.
    private static func workspaceFolder(of root: String) -> String {
        let workspace = (ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"] ?? "") + "/"
        let isInside = workspace != "/" && root.hasPrefix(workspace)
        return isInside ? String(root.dropFirst(workspace.count)) + "/" : ""
    }

    private func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
