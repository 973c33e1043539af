import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The READMEs")
struct ReadmeTests {
    private func readme() throws -> Readme { try Readme("README.md", in: Tree.root) }

    /// All READMEs and guides of the tree.
    private static let paths =
        [
            ".github/CONTRIBUTING.md", ".github/WRITING.md", "README.md", "Apps/Shell/README.md",
            "Packages/README.md", "Packages/Comparison.md", "Packages/Seeds.md",
            "Scripts/ModuleTool/Adopting.md", "Scripts/ModuleTool/Exporting.md", "Scripts/ModuleTool/IOS.md",
            "Scripts/ModuleTool/LargeTrees.md", "Scripts/ModuleTool/Releasing.md",
            "Scripts/ModuleTool/SharedTypes.md",
            "Scripts/ModuleTool/TestAModule.md", "Scripts/ModuleTool/WriteAModule.md",
        ]
        + ["Packages/Core", "Packages/Base", "Packages/Adapters", "Scripts"].flatMap { folder in
            let packages =
                (try? FileManager.default.contentsOfDirectory(
                    atPath: Tree.root.appending(path: folder).path)) ?? []
            return packages.sorted().map { "\(folder)/\($0)/README.md" }
        }.filter { FileManager.default.fileExists(atPath: Tree.root.appending(path: $0).path) }

    /// The paths that a README's blocks name are relative to `folder`. Other packages test their own READMEs.
    @Test(
        "Each Swift block in the READMEs and in the guides is quoted from the file that the block names",
        arguments: [
            ("", "README.md"), ("", "Apps/Shell/README.md"), ("", "Scripts/ModuleTool/Adopting.md"),
            ("", "Scripts/ModuleTool/Exporting.md"), ("", "Scripts/ModuleTool/IOS.md"),
            ("", "Scripts/ModuleTool/SharedTypes.md"), ("", "Scripts/ModuleTool/Releasing.md"),
            ("", "Scripts/ModuleTool/TestAModule.md"), ("", "Scripts/ModuleTool/WriteAModule.md"),
            ("Packages/Business/ModuleB", "README.md"),
        ])
    func code(folder: String, path: String) throws {
        let readme = try Readme(path, in: Tree.root.appending(path: folder))
        #expect(!readme.blocks(in: "swift").isEmpty)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }

    @Test("A README has at most 150 lines", arguments: paths)
    func length(path: String) throws {
        let text = try Tree.text(path)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test("Sample output in the root README is part of the Shell's output")
    func output() throws {
        // A test of the tool checks the block with the note "a finding".
        let blocks = try readme().blocks(in: "text").filter { $0.note == nil }
        #expect(!blocks.isEmpty)
        let output = try Shell.run().output
        for block in blocks { #expect(output.contains(block.text), "\(block.text)") }
    }

    @Test("Besides dotfiles and ignored files, there are only six files and folders at the top level")
    func topLevel() throws {
        let names = try Tree.files().map { $0.prefix { $0 != "/" } }.filter { !$0.hasPrefix(".") }
        let allowed: Set = ["Apps", "Packages", "Package.swift", "README.md", "Scripts", "VERSIONS.md"]
        #expect(Set(names.map(String.init)) == allowed)
    }

    @Test("The root README's commands for an own app are commands of the guide, which a test runs")
    func ownApp() throws {
        let guide = try Readme("Scripts/ModuleTool/Adopting.md", in: Tree.root).blocks(in: "sh")
        let notes = guide.compactMap(\.note)
        let own = try readme().blocks(in: "sh").filter { $0.note.map(notes.contains) == true }
        #expect(own.count == 2)
        for block in own {
            let known = guide.filter { $0.note == block.note }.flatMap(\.lines)
            #expect(block.lines.allSatisfy(known.contains), "\(block)")
        }
    }

    /// A pair that someone adds to a clone needs no line.
    @Test("Packages/README.md links to each package that is not a pair, and to each guide")
    func index() throws {
        let files = try Tree.files()
        let packages = files.filter { $0.hasPrefix("Packages/") && $0.hasSuffix("/Package.swift") }
            .map { String($0.dropLast("/Package.swift".count)) }
        let alone = packages.filter { !$0.hasSuffix("Api") && !packages.contains($0 + "Api") }
        let guides = files.filter { $0.hasSuffix(".md") && $0.split(separator: "/").count == 3 }
            .filter { $0.hasPrefix("Scripts/") || $0.hasPrefix("Apps/") }
            .filter { !$0.hasSuffix("CHANGELOG.md") }
        #expect(!alone.isEmpty && !guides.isEmpty)
        let page = try Tree.text("Packages/README.md")
        let pages = ["Packages/Comparison.md", "Packages/Seeds.md", "VERSIONS.md", ".github/CONTRIBUTING.md"]
        for path in alone + guides + pages {
            let link = path.hasPrefix("Packages/") ? String(path.dropFirst("Packages/".count)) : "../" + path
            #expect(page.contains("](\(link)"), "Packages/README.md has no link to \(path)")
        }
    }

    @Test("The root README has code blocks only in languages that tests check")
    func kinds() throws {
        let kinds = Set(try readme().blocks.map(\.language))
        #expect(kinds == ["sh", "swift", "text"])
    }

    @Test("Links in the READMEs point to existing files and folders", arguments: paths + ["VERSIONS.md"])
    func links(path: String) throws {
        let folder = Tree.root.appending(path: path).deletingLastPathComponent()
        for link in try Tree.text(path).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
            let file = folder.appending(path: String(link.1))
            #expect(FileManager.default.fileExists(atPath: file.path), "\(path) links to \(link.1)")
        }
    }
}
#endif
