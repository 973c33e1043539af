import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@Suite("The tool's own sources")
struct ToolSourcesTests {
    private static let features = [
        "ModuleChecks", "ModuleExport", "ModuleFocus", "ModuleGraph", "ModuleReleases", "ModuleRemote",
        "ModuleScaffold", "ModuleTestCache",
    ]

    /// The lines of all Swift files below a folder of the tool, by path.
    private func lines(in folder: String) throws -> [String: [Substring]] {
        let tool = HouseFiles.root.appending(path: "Scripts/ModuleTool/").path(percentEncoded: false)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tool + folder)
        return try Dictionary(
            uniqueKeysWithValues: paths.filter { $0.hasSuffix(".swift") }.map { path in
                let text = try String(contentsOfFile: "\(tool)\(folder)/\(path)", encoding: .utf8)
                return (path, text.split(separator: "\n", omittingEmptySubsequences: false))
            })
    }

    @Test("A file has at most 300 lines, and a folder at most 15 files", arguments: ["Sources", "Tests"])
    func sizes(_ folder: String) throws {
        // The sample projects of the guides are packages of their own.
        let files = try lines(in: folder).filter { !$0.key.hasPrefix("Adoption/") }
        #expect(files.count > 100)
        for (path, lines) in files { #expect(lines.count <= 301, "\(path)") }
        for (folder, files) in Dictionary(grouping: files.keys, by: { PathText.split($0).folder }) {
            #expect(files.count <= 15, "\(folder)")
        }
    }

    @Test("One file starts git")
    func git() throws {
        let starts = try lines(in: "Sources").filter { _, lines in
            lines.contains { $0.contains(/\["git"|"\/\S*\/git"/) }
        }
        #expect(starts.keys.sorted() == ["ModuleKit/Git.swift"])
    }

    @Test("Features do not import each other", arguments: features)
    func imports(_ feature: String) throws {
        let files = try lines(in: "Sources/" + feature)
        #expect(!files.isEmpty)
        for (path, lines) in files {
            let imported = lines.compactMap { $0.wholeMatch(of: /.*import (\w+)/)?.1 }.map(String.init)
            #expect(Set(imported).isDisjoint(with: Self.features), "\(feature)/\(path)")
        }
    }
}
