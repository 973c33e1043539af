import ModuleFixtures
import ModuleKit
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleRules

@Suite("Rules that a team turns off or into warnings")
struct RuleSettingsTests {
    private let tree: TemporaryTree

    init() throws {
        tree = try SmallTree.make()
        // An import of a higher layer, which two rules report.
        try tree.write(File.beside(File.mediator, "More.swift"), "import ErrorCode\n")
    }

    private func set(_ settings: (rule: String, severity: String)...) throws {
        let lines = settings.map { "  - {rule: \($0.rule), severity: \($0.severity), reason: Not yet.}\n" }
        try tree.write(File.configuration, "rules:\n" + lines.joined())
    }

    private func findings() throws -> [String] {
        try tree.findings("layers", "imports").map { "\($0.severity): \($0.rule)" }
    }

    @Test("A rule that is off reports nothing, and weaker rules report the cause")
    func off() throws {
        #expect(try findings() == ["error: layer-order"])
        try set(("layer-order", "off"))
        #expect(try findings() == ["error: import-declared"])
        #expect(try tree.findings("import-declared").first?.fix.contains("Add") == true)
        try set(("layer-order", "off"), ("import-declared", "off"))
        #expect(try findings() == [])
    }

    @Test("A list whose only rule is off has no findings")
    func onlyRule() throws {
        try set(("layer-order", "off"))
        let rules = try RuleBook.rules(named: ["layer-order"])
        let context = RuleContext(try TreeReader(root: tree.root).read())
        #expect(try RuleBook(rules).findings(of: rules, in: context) == [])
    }

    @Test("A warning hides no error about the same cause")
    func warning() throws {
        try set(("layer-order", "warning"))
        #expect(try findings() == ["error: import-declared"])
        try set(("layer-order", "warning"), ("import-declared", "warning"))
        #expect(try findings() == ["warning: layer-order"])
        #expect(
            try tree.findings("layers").first?.text().contains("swift:1:1: warning: layer-order: ") == true)
    }

    @Test("Comments and records about a rule that is off are not reported as unneeded")
    func unneeded() throws {
        try tree.write(
            File.beside(File.mediator, "More.swift"),
            "// modules:allow layer-order: Later.\nimport ErrorCode\n")
        try set(("layer-order", "off"), ("import-declared", "off"))
        #expect(try findings() == [])
        let context = RuleContext(try TreeReader(root: tree.root).read())
        #expect(!context.active(RuleBook.tree.rules).contains { $0.id == "layer-order" })
        let coverage = try RuleCoverage(of: RuleBook.rules(named: ["layers"]), in: context)
        #expect(coverage.lines.last == "off in .modules.yml: layer-order (Not yet.)")
        #expect(coverage.counts["layer-order"] == nil)
    }

    @Test("A command that relies on a group of rules ignores what the file says about them")
    func relied() throws {
        try set(("layer-order", "off"), ("import-declared", "warning"))
        let read = try TreeReader(root: tree.root).read()
        for (groups, expected) in [([], []), ([RuleGroup.layers], ["error"]), ([.versions], [])] {
            let context = RuleContext(read, relyingOn: Set(groups))
            let found = try RuleBook.tree.findings(of: RuleBook.rules(named: ["layers"]), in: context)
            #expect(found.map(\.severity.rawValue) == expected)
        }
    }

    @Test("Findings of a rule fail a check, unless the rule is off or only warns")
    func errors() throws {
        try set(("layer-order", "off"), ("import-declared", "warning"))
        let context = RuleContext(try TreeReader(root: tree.root).read())
        let rules = try RuleBook.rules(named: ["layer-order", "import-declared", "cycles"])
        #expect(rules.filter(context.isError).map(\.id) == ["cycles"])
    }

    @Test(
        "The name of no rule is an error, and the rule about unreadable manifests cannot be changed",
        arguments: [
            ("layer-oder", "off", "no rule is named layer-oder", "Choose layer-order."),
            ("manifest-read", "off", "manifest-read cannot be off", "Remove the entry"),
            ("manifest-read", "warning", "manifest-read cannot be warning", "Remove the entry"),
        ])
    func refused(rule: String, severity: String, what: String, fix: String) throws {
        try set((rule, severity))
        let error = try #require(throws: Diagnostic.self) { try tree.findings("cycles") }
        #expect(error.kind == .configuration && error.place.description == ".modules.yml:2:12")
        #expect(error.what == what && error.fix.hasPrefix(fix))
    }
}
