import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing
import ToolFixtures

@testable import moduletool

private func text(_ path: String = "Scripts/ModuleTool/README.md") throws -> String {
    try HouseFiles.text(path)
}

@Suite("ModuleTool's README")
struct ReadmeTests {
    @Test("Rules.md describes each rule once, in its group, with a reason, an example and a fix")
    func rules() throws {
        for group in RuleGroup.allCases {
            #expect(
                RuleText.sections.filter { $0.group == group.rawValue }.map(\.id)
                    == RuleBook.all.filter { $0.group == group }.map(\.id))
        }
        #expect(RuleText.sections.count == RuleBook.all.count)
        for rule in RuleText.sections {
            let expected = /Why: [^\n]((?s).*)\.\n\n((?s).*)\nBreaks it:  .*\nFix it:     ((?s).*)/
            // Outsiders do not have the documents on which the rules are based.
            #expect(!rule.text.localizedCaseInsensitiveContains("seed"))
            #expect(!rule.why.isEmpty && rule.text.wholeMatch(of: expected) != nil, "\(rule.text)")
        }
    }

    @Test("Tests check the same rules about what people write as the tool, in the same order")
    func testedRules() throws {
        let generated = ["remote-current", "registrations-current", "test-uses"]
        #expect(
            try RuleBook.rules(named: []).map(\.id)
                == RuleBook.all.map(\.id).filter { !generated.contains($0) })
    }

    @Test("The tool's README mentions every command")
    func commands() throws {
        for command in Modules.configuration.subcommands {
            let words = "\(command)".matches(of: /[A-Z][a-z]*/).map { $0.0.lowercased() }
            let name = command.configuration.commandName ?? words.joined(separator: "-")
            #expect(try text().contains("`\(name)`"), "the README does not mention \(name)")
        }
    }
}

@Suite("The page about tests that have passed")
struct TestingPageTests {
    @Test("Its commands and entries are valid, and manifests here and in new trees end with its lines")
    func page() throws {
        let page = try text("Scripts/ModuleTool/Testing.md")
        let blocks = page.matches(of: /```(sh|yaml|swift)\n((?s:.*?))```/).map { ($0.1, $0.2) }
        #expect(blocks.map(\.0) == ["sh", "yaml", "yaml", "swift", "yaml"])
        for command in blocks[0].1.split(separator: "\n") {
            #expect(
                try Modules.parseAsRoot(command.split(separator: " ").dropFirst().map(String.init))
                    is TestCommand)
        }
        for block in blocks[1...2] {
            #expect(try Configuration(yaml: String(block.1)).reads.first?.targets == ["RideTests"])
        }
        #expect(try text("Package.swift").contains(blocks[3].1))
        let template = "Scripts/ModuleTool/Sources/ModuleScaffold/Init/Templates/RootManifest.template"
        #expect(try text(template).hasSuffix(blocks[3].1))
    }
}

@Suite("The root README")
struct RootReadmeTests {
    @Test("The finding in the root README is printed as shown")
    func finding() throws {
        let readme = try text("README.md")
        let block = try #require(try /<!-- a finding -->\n```text\n((?s:.*?))```\n/.firstMatch(in: readme))
        let tool = try Tool()
        let path = "Packages/Business/Home/Sources/Home/HomeService.swift"
        try tool.tree.write(path, "import Ride\n" + tool.tree.read(path))
        let output = try tool.run("check", "imp-hidden")
        #expect(output.status == 1 && output.text.hasPrefix(block.1), "\(output.text)")
    }
}
