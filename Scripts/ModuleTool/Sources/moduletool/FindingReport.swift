import ArgumentParser
import Foundation
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
    let findings: [Finding]
    let rules: [Rule]
    let tree: Tree
    let coverage: RuleCoverage
    /// Whether `--fix` has already run.
    let isFixed: Bool

    static func finish(
        _ findings: [Finding], of rules: [Rule], in context: RuleContext, _ format: FindingFormat,
        isFixed: Bool = false
    ) throws {
        let known = try Baseline(root: context.tree.root)
        var findings = known?.apply(to: findings, of: rules) ?? findings
        // Only the fixes contain commands: a path such as Scripts/modules/Package.swift stays as it is.
        for index in findings.indices { findings[index].fix = Main.named(findings[index].fix) }
        let report = FindingReport(
            findings: findings, rules: rules, tree: context.tree,
            coverage: try RuleCoverage(of: rules, in: context), isFixed: isFixed)
        print(try report.text(format), terminator: "")
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
        case .xcode: xcode
        }
    }

    private var summary: String {
        func count(_ number: Int, _ name: String) -> String { "\(number) \(name)\(number == 1 ? "" : "s")" }
        let clean = findings.isEmpty ? "clean" : count(findings.count, "finding")
        return "\(clean): \(count(tree.packages.count, "package")), \(count(rules.count, "rule"))\n"
            + coverage.lines.map { "  \($0)\n" }.joined()
    }

    private var text: String {
        // Only the first finding of a rule says why the rule exists.
        var explained: Set<String> = []
        let isFixable = !isFixed && findings.contains { $0.repair != nil }
        return findings.map { $0.text(saysWhy: explained.insert($0.rule).inserted) + "\n\n" }.joined()
            + (isFixable
                ? Main.named("Scripts/modules check --fix") + " may fix some of these findings.\n" : "")
            + summary
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

    private var xcode: String {
        findings.map { finding in
            let notes = finding.notes.map { "\(tree.root)/\($0.place): note: \($0.text)\n" }.joined()
            return "\(tree.root)/\(finding.place): error: \(finding.what); fix: \(finding.fix); "
                + "why: \(finding.why) (\(finding.rule))\n" + notes
        }.joined()
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
    fileprivate func text(saysWhy: Bool) -> String {
        let notes = notes.map { "\n  see:  \($0.place): \($0.text)" }.joined()
        return "\(place): \(rule): \(what)" + (saysWhy ? "\n  why:  \(why)" : "")
            + "\n  fix:  \(fix)\(notes)"
    }
}
