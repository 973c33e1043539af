import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import Testing

@testable import moduletool

private func text(_ path: String = "Scripts/ModuleTool/README.md") throws -> String {
    try String(contentsOf: HouseFiles.root.appending(path: path), encoding: .utf8)
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

    @Test("The tool's README mentions every command")
    func commands() throws {
        for command in Modules.configuration.subcommands {
            let words = "\(command)".matches(of: /[A-Z][a-z]*/).map { $0.0.lowercased() }
            let name = command.configuration.commandName ?? words.joined(separator: "-")
            #expect(try text().contains(name), "the README does not mention \(name)")
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
        let template = "Scripts/ModuleTool/Sources/ModuleEdits/Templates/RootManifest.template"
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

@Suite("The commands of ModuleTool's README", .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct ReadmeDeepTests {
    @Test("The commands in the tool's README work in sequence")
    func examples() throws {
        let tool = try Tool()
        try tool.installLaunchers()
        let blocks = try text().matches(of: /(<!-- .*? -->\n)?```sh\n((?s:.*?))```\n/).filter { $0.1 == nil }
        let lines = blocks.flatMap { $0.2.split(separator: "\n").map(String.init) }
        #expect(lines.count > 20)
        for line in lines {
            let output = try tool.attempt(line)
            #expect(output.status == 0, "\(line)\n\(output.text)\(output.standardError)")
        }
        #expect(try tool.tree.read("tree.html").hasPrefix("<!doctype html>"))
        let changed = try tool.tree.git("diff", "--name-only", "HEAD~", "--", "Packages")
        #expect(
            changed.split(separator: "\n").allSatisfy {
                $0.hasPrefix("Packages/Common/Passenger") || $0 == "Packages/README.md"
            } && changed.contains("Passenger"), "\(changed)")
    }
}
