import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("The commands of ModuleTool's README")
struct ReadmeDeepTests {
    @Test("The commands in the tool's README work in sequence")
    func examples() throws {
        let tool = try Tool(in: WholeTree.make())
        try tool.installLaunchers()
        let blocks = try HouseFiles.text("Scripts/ModuleTool/README.md").matches(
            of: /(<!-- .*? -->\n)?```sh\n((?s:.*?))```\n/
        ).filter { $0.1 == nil }
        let lines = blocks.flatMap { $0.2.split(separator: "\n").map(String.init) }
        #expect(lines.count > 20)
        for line in lines {
            let output = try tool.attempt(line)
            #expect(output.status == 0, "\(line)\n\(output.text)\(output.standardError)")
        }
        #expect(try tool.tree.read("tree.html").hasPrefix("<!doctype html>"))
        let changed = try tool.tree.git("diff", "--name-only", "HEAD~", "--", "Packages")
        #expect(
            changed.split(separator: "\n").allSatisfy { $0.hasPrefix("Packages/Common/Passenger") }
                && changed.contains("Passenger"), "\(changed)")
    }
}
