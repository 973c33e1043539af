import Foundation
import Testing

@Suite("The export command")
struct ExportCommandTests {
    private let outside: Outside

    init() throws { outside = try Outside() }

    @Test("For a tree that breaks a rule, the export command prints the findings and writes nothing")
    func brokenTree() throws {
        let broken = "Packages/Business/ModuleA/Sources/ModuleA/Broken.swift"
        try outside.tool.tree.write(broken, "import ModuleB\n")
        let output = try outside.export("--to ../packages")
        #expect(output.status == 1)
        #expect(output.text.contains("imp-hidden"))
        #expect(output.standardError.contains("Nothing was exported."))
        #expect(!FileManager.default.fileExists(atPath: outside.folder.root + "/packages"))
    }

    @Test("The export command also checks what the tool generated")
    func generated() throws {
        let list = "Apps/Shell/Sources/AppModules/Registrations.swift"
        try outside.tool.tree.write(list, try outside.tool.tree.read(list) + "// By hand.\n")
        let output = try outside.export("--to ../packages")
        #expect(output.status == 1 && output.text.contains("registrations-current"), "\(output.text)")
    }

    @Test(
        "The export command exits with 2 for invalid arguments",
        arguments: ["", "--to x Nobody", "--to x --url nowhere"])
    func usage(arguments: String) throws {
        let output = try outside.export(arguments)
        #expect(output.status == 2, "\(output.text)\(output.standardError)")
        #expect(!output.standardError.isEmpty)
    }

    @Test(
        "The export command rejects a destination inside the tree",
        arguments: ["", "/Packages", "/Packages/../new"])
    func intoTheTree(folder: String) throws {
        let output = try outside.export("--to '\(outside.tool.tree.root)\(folder)'")
        #expect(output.status == 2, "\(output.text)\(output.standardError)")
        #expect(output.standardError.contains("this folder is inside the tree."))
    }
}
