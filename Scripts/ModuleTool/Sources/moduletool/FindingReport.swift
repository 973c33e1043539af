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
    let rules: [any Rule]
    let tree: Tree
    let coverage: RuleCoverage
    let showsAll: Bool
    /// Whether `--fix` has already run.
    let isFixed: Bool

    static func finish(
        _ findings: [Finding], of rules: [any Rule], in context: RuleContext, _ format: FindingFormat,
        showsAll: Bool = false, isFixed: Bool = false
    ) throws {
        let known = try Baseline(root: context.tree.root)
        let findings = known?.apply(to: findings, of: rules) ?? findings
        let report = FindingReport(
            findings: findings, rules: rules, tree: context.tree,
            coverage: try RuleCoverage(of: rules, in: context), showsAll: showsAll, isFixed: isFixed)
        print(Main.named(try report.text(format)), terminator: "")
        if !findings.isEmpty { throw ExitCode(1) }
    }

    func text(_ format: FindingFormat) throws -> String {
        switch format {
        case .text: text
        case .json:
            try Document(
                findings: findings, packages: tree.packages.count, rules: rules.map(\.id), coverage: coverage
            ).prettyJSON()
        case .github: github
        }
    }

    private var summary: String {
        func count(_ number: Int, _ name: String) -> String { "\(number) \(name)\(number == 1 ? "" : "s")" }
        let clean = findings.isEmpty ? "clean" : count(findings.count, "finding")
        return "\(clean): \(count(tree.packages.count, "package")), \(count(rules.count, "rule"))\n"
            + coverage.lines.map { "  \($0)\n" }.joined()
    }

    private var text: String {
        let counts = findings.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 }
        let many = showsAll ? [] : Set(counts.filter { $0.value > FindingGroup.limit }.keys)
        let groups = FindingGroup.all(of: findings.filter { many.contains($0.rule) }, in: tree)
        let single =
            findings.filter { !many.contains($0.rule) }.map(\.text) + FindingGroup.text(of: groups)
        let hint = groups.isEmpty ? "" : "Findings are grouped if a rule has many; --all prints each.\n"
        let isFixable = !isFixed && findings.contains { $0.repair != nil }
        return single.map { $0 + "\n\n" }.joined() + hint
            + (isFixable ? "Scripts/modules check --fix may fix some of these findings.\n" : "") + summary
    }

    /// The tree's folder in the repository, with a trailing slash. GitHub expects paths relative to the repository.
    private var workspaceFolder: String {
        let workspace = (ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"] ?? "") + "/"
        let isInside = workspace != "/" && tree.root.hasPrefix(workspace)
        return isInside ? String(tree.root.dropFirst(workspace.count)) + "/" : ""
    }

    private var github: String {
        findings.map { finding in
            let place = finding.place
            let notes = finding.notes.map { "\nsee \($0.place): \($0.text)" }.joined()
            let message = "\(finding.what)\nwhy: \(finding.why)\nfix: \(finding.fix)\(notes)"
            return
                "::error file=\(property(workspaceFolder + place.path)),line=\(place.line),col=\(place.column),"
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
        let coverage: RuleCoverage
    }
}

extension Finding {
    fileprivate var text: String {
        let notes = notes.map { "\n  see:  \($0.place): \($0.text)" }.joined()
        return "\(place): \(rule): \(what)\n  why:  \(why)\n  fix:  \(fix)\(notes)"
    }
}
