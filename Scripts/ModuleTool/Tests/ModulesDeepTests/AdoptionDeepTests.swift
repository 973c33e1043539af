import Foundation
import ModuleFixtures
import Testing

/// Follows the guide for adopters: exports packages, and builds applications that fetch ApiCenter from the
/// guide's address.
@Suite("The sample projects of the guide for adopters", .serialized)
struct AdoptionDeepTests {
    private let outside: Outside

    init() throws { outside = try Outside() }

    /// Runs the command of Exporting.md that exports ApiCenter.
    private func exportApiCenter() throws {
        let guide = try HouseFiles.text("Scripts/ModuleTool/Exporting.md")
        let prefix = "Scripts/modules export "
        let command = try #require(
            guide.split(separator: "\n").first { $0.hasPrefix(prefix + "ApiCenter ") })
        let output = try outside.export(String(command.dropFirst(prefix.count)))
        try #require(output.status == 0, "\(output.text)\(output.standardError)")
        #expect(output.text.contains("new: ApiCenter"))
    }

    /// Copies one of the sample projects that the guide quotes.
    private func project(_ name: String) throws {
        try FileManager.default.copyItem(
            at: HouseFiles.root.appending(path: "Scripts/ModuleTool/Tests/Adoption/\(name)"),
            to: URL(filePath: outside.folder.root + "/" + name))
    }

    @Test("A new project can use ApiCenter after the guide's three steps")
    func alone() throws {
        try exportApiCenter()
        try project("Alone")
        let output = try outside.run(
            "swift run --quiet --cache-path ../cache --security-path ../security Radio", in: "Alone")
        #expect(output.status == 0, "\(output.standardError)")
        #expect(output.text == "playing jazz\n")
    }

    @Test("An old code base works the same after each step of the guide's migration")
    func legacy() throws {
        try exportApiCenter()
        try project("Legacy")
        let built = try outside.run(
            "swift build --quiet --cache-path ../cache --security-path ../security", in: "Legacy")
        try #require(built.status == 0, "\(built.text)\(built.standardError)")
        for step in ["Before", "Step1", "Step2", "Step3"] {
            #expect(
                try outside.run(".build/debug/\(step)", in: "Legacy").text
                    == "playing jazz\nplaying rock\n3 records\n",
                "\(step)")
        }
    }

    /// Runs the tests of three packages: the adapter that no other step tests, and a library and a pair with many
    /// dependencies. The root package and the step `host` run the tests of all other packages. This test uses the
    /// build folder of the step `host`, which already contains gRPC and GRDB.
    @Test("All exported packages build in an outside project")
    func everyPackage() throws {
        let exported = try outside.export("--to ../packages")
        try #require(exported.status == 0, "\(exported.text)\(exported.standardError)")
        // The copy of this repository lacks ModuleTool's sources. GuideDeepTests builds ModuleTool instead, and
        // BuildCheckDeepTests uses the plugin ModuleCheck.
        let tools = ["ModuleCheck", "ModuleTool"]
        for name in tools {
            try FileManager.default.removeItem(atPath: outside.folder.root + "/packages/" + name)
        }
        let project = try OutsiderProject(
            in: URL(filePath: outside.folder.root + "/outsider"),
            on: URL(filePath: outside.folder.root + "/packages"),
            testing: ["AsyncHTTPAPIClient", "Lifecycle", "Ride"])
        let names = exported.text.matches(of: /new: (\w+)/).map { String($0.1) }
        #expect(names.filter { !tools.contains($0) } == project.packages)
        let build = HouseFiles.root.appending(path: ".build-host").path
        let options = "--package-path ../outsider --scratch-path '\(build)' --cache-path ../cache"
        let output = try outside.run(
            "swift test \(options) --security-path ../security 2>&1")
        #expect(output.status == 0, "\(output.text)")
        #expect(output.text.contains(/Test run with \d{2,} tests.* passed/), "\(output.text)")
        #expect(try outside.run("'\(build)/debug/App'").text == "linked\n")
        let listed = try outside.run("swift test list --skip-build \(options)")
        let suites = Set(listed.text.split(separator: "\n").map { String($0.prefix { $0 != "." }) })
        #expect(suites == Set(project.tests))
    }
}
