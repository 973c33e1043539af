import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// The README's part for outsiders, done as it says: packages are exported, and applications in folders of
/// their own fetch ApiCenter by the address in the README, which git is told to look for in those packages.
///
/// SwiftPM remembers for each user which commit a version at an address was, and refuses another one ever after;
/// so each test has a `--security-path` of its own.
@Suite("The README's way for outsiders", .serialized)
struct AdoptionTests {
    let tool: Tool
    private let outside: TemporaryTree

    init() throws {
        tool = try Tool()
        outside = try TemporaryTree([:])
        try outside.write(
            "gitconfig",
            """
            [user]
                name = Tester
                email = t@example.com
            [url "file://\(outside.root)/packages/"]
                insteadOf = https://github.com/acme/

            """)
        try outside.write("tree/README.md", "")
    }

    private static let readme = try? String(
        contentsOf: HouseFiles.root.appending(path: "README.md"), encoding: .utf8)

    private func run(_ command: String, in folder: String, limit: Duration = .seconds(300)) throws
        -> Command.Output
    {
        try Command.run(
            ["env", "GIT_CONFIG_GLOBAL=\(outside.root)/gitconfig", "bash", "-c", command],
            in: outside.root + "/" + folder, limit: limit)
    }

    /// Does what the README says about exporting ApiCenter.
    private func export() throws {
        let readme = try #require(Self.readme)
        let command = try #require(
            readme.split(separator: "\n").first { $0.hasPrefix("Scripts/modules export ApiCenter ") })
        let words = command.replacing("Scripts/modules", with: try Tool.path())
        let output = try run("\(words) --no-cache --root '\(tool.folder.path)'", in: "tree")
        try #require(output.status == 0, "\(output.text)\(output.standardError)")
        #expect(output.text.contains("new: ApiCenter"))
    }

    /// Copies one of the projects that the README's code is from.
    private func project(_ name: String) throws {
        try FileManager.default.copyItem(
            at: HouseFiles.root.appending(path: "Scripts/ModuleTool/Tests/Adoption/\(name)"),
            to: URL(filePath: outside.root + "/" + name))
    }

    @Test("brings ApiCenter into a project of its own in three steps", .tags(.endToEnd))
    func alone() throws {
        try export()
        try project("Alone")
        let output = try run(
            "swift run --quiet --cache-path ../cache --security-path ../security Radio", in: "Alone")
        #expect(output.status == 0, "\(output.standardError)")
        #expect(output.text == "playing jazz\n")
    }

    @Test(
        "moves an old code base over, module by module, and after each step it does the same",
        .tags(.endToEnd))
    func legacy() throws {
        try export()
        try project("Legacy")
        let built = try run(
            "swift build --quiet --cache-path ../cache --security-path ../security", in: "Legacy")
        try #require(built.status == 0, "\(built.text)\(built.standardError)")
        for step in ["Before", "Step1", "Step2", "Step3"] {
            #expect(
                try run(".build/debug/\(step)", in: "Legacy").text == "playing jazz\n3 records\n", "\(step)")
        }
    }

    @Test(
        "leaves packages that link and pass their tests outside: optimised, on an empty package cache, from another folder",
        .tags(.endToEnd), .enabled(if: Self.isBuilding, "it takes minutes: EXPORT_BUILD_TESTS=1 asks for it"))
    func everyPackage() throws {
        let exported = try run(
            "\(try Tool.path()) export --git --to ../packages --no-cache --root '\(tool.folder.path)'",
            in: "tree")
        try #require(exported.status == 0, "\(exported.text)\(exported.standardError)")
        let project = try OutsiderProject(
            in: URL(filePath: outside.root + "/outsider"), on: URL(filePath: outside.root + "/packages"))
        #expect(exported.text.matches(of: /new: (\w+)/).map { String($0.1) } == project.packages)
        let output = try run(
            "swift test -c release --no-parallel --package-path ../outsider --cache-path ../cache --security-path ../security 2>&1",
            in: "tree", limit: .seconds(2700))
        #expect(output.status == 0, "\(output.text)")
        #expect(output.text.contains(/Test run with \d{3,} tests.* passed/), "\(output.text)")
        #expect(try run(".build/release/App", in: "outsider").text == "linked\n")
        let listed = try run(
            "swift test list -c release --skip-build --package-path ../outsider --cache-path ../cache",
            in: "tree")
        let suites = Set(listed.text.split(separator: "\n").map { String($0.prefix { $0 != "." }) })
        #expect(suites == Set(project.tests))
    }

    private static let isBuilding = ProcessInfo.processInfo.environment["EXPORT_BUILD_TESTS"] == "1"

    @Test("is refused for a tree that breaks a rule, with the findings")
    func brokenTree() throws {
        let broken = "Packages/Business/ModuleA/Sources/ModuleA/Broken.swift"
        try tool.write("import ModuleB\n", to: broken)
        let output = try run(
            "\(try Tool.path()) export --to ../packages --no-cache --root '\(tool.folder.path)'", in: "tree")
        #expect(output.status == 1)
        #expect(output.text.contains("imp-hidden"))
        #expect(output.standardError.contains("Nothing was exported."))
        #expect(!FileManager.default.fileExists(atPath: outside.root + "/packages"))
    }

    @Test(
        "exits with 2 for wrong usage",
        arguments: ["", "--to x Nobody", "--to x --url nowhere", "--to x --podspecs"])
    func usage(arguments: String) throws {
        let output = try run(
            "\(try Tool.path()) export \(arguments) --no-cache --root '\(tool.folder.path)'", in: "tree")
        #expect(output.status == 2, "\(output.text)\(output.standardError)")
        #expect(!output.standardError.isEmpty)
    }

    @Test("is refused into the tree itself", arguments: ["", "/Packages", "/Packages/../new"])
    func intoTheTree(folder: String) throws {
        let output = try run(
            "\(try Tool.path()) export --to '\(tool.folder.path)\(folder)' --no-cache --root '\(tool.folder.path)'",
            in: "tree")
        #expect(output.status == 2, "\(output.text)\(output.standardError)")
        #expect(output.standardError.contains("it lies in the tree."))
    }
}
