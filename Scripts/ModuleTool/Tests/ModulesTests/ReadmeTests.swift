import Foundation
import ModuleFixtures
import ModuleRules
import Testing

@testable import modules

@Suite("ModuleTool's README")
struct ReadmeTests {
    private static let path = "Scripts/ModuleTool/README.md"

    private func text() throws -> String {
        try String(contentsOf: HouseFiles.root.appending(path: Self.path), encoding: .utf8)
    }

    @Test("lists the rules as `explain` knows them")
    func rules() throws {
        let rows = RuleBook.rules.map { "| `\($0.id)` | \($0.group.rawValue) | \($0.why) |" }
        let table = (["| Rule | Group | Why |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
        #expect(try text().hasSuffix(table), "\(Self.path) has to end with:\n\(table)")
    }

    @Test("names every command")
    func commands() throws {
        for command in Modules.configuration.subcommands {
            let words = "\(command)".matches(of: /[A-Z][a-z]*/).map { $0.0.lowercased() }
            let name = command.configuration.commandName ?? words.joined(separator: "-")
            #expect(try text().contains(name), "no word of \(name)")
        }
    }

    @Test("has commands that work, one after the other")
    func examples() throws {
        let tool = try Tool()
        try tool.installLaunchers()
        try tool.write("# Tree\n\n```mermaid\n%% Made by: Scripts/modules graph\n```\n", to: "README.md")
        try tool.shell("Scripts/modules", "graph", "--write", "README.md")
        let blocks = try text().matches(of: /(<!-- .*? -->\n)?```sh\n((?s:.*?))```\n/).filter { $0.1 == nil }
        let lines = blocks.flatMap { $0.2.split(separator: "\n").map(String.init) }
        #expect(lines.count > 20)
        for line in lines {
            let output = try tool.attempt(line)
            #expect(output.status == 0, "\(line)\n\(output.text)\(output.standardError)")
        }
        #expect(try tool.text("tree.html").hasPrefix("<!doctype html>"))
        let status = try tool.shell("git", "status", "--porcelain", "--untracked-files=all", "Packages")
        #expect(!status.isEmpty)
        #expect(status.split(separator: "\n").allSatisfy { $0.hasPrefix("?? Packages/Common/Passenger") })
    }
}
