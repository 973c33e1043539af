import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("Killed exports")
struct ExportInterruptionDeepTests {
    @Test("If an export is killed at any step, the next export gives the same result as an uninterrupted one")
    func everyStep() throws {
        let small = try SmallExport()
        // The killed export releases a new version of one package and exports another for the first time.
        #expect(try small.export(["Mediator", "ErrorCode"]).status == 0)
        try small.tree.edit("VERSIONS.md", "| Mediator | 1.0.0 ", "| Mediator | 1.1.0 ")
        try small.tree.edit(
            "Packages/Base/Mediator/CHANGELOG.md", "## 1.0.0", "## 1.1.0\n\n- More.\n\n## 1.0.0")
        try small.tree.commit("Mediator 1.1.0")
        try small.shell("cp -a . ../start")
        #expect(try small.export(["RideActions"]).status == 0)
        let whole = try small.state()
        #expect(whole.keys.contains("RideActions/Package.swift"))
        var steps = 0
        for step in 1... {
            try small.shell("cd .. && rm -r packages && cp -a start packages")
            guard try small.export(["RideActions"], killedAt: step).status == SIGKILL else { break }
            steps += 1
            let output = try small.export(["RideActions"])
            #expect(output.status == 0, "after step \(step): \(output.standardError)")
            let state = try small.state()
            let different = Set(whole.keys).union(state.keys).filter { whole[$0] != state[$0] }
            #expect(different.isEmpty, "after step \(step)")
        }
        // The steps are a push to Mediator, a new repository, and a push to RideActions.
        #expect(steps == 3)
    }
}
