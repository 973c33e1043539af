import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("Packages of Core and Base in other trees")
struct AddTests {
    private func shop() throws -> NewTree {
        let tree = try NewTree()
        try tree.expect("init app --app Shop")
        try tree.shell("git add -A && git commit -qm Start")
        return tree
    }

    private let list = "app/Packages/Base/Storage/.modules-copy"

    @Test("The add command copies a package with what it needs, and remove undoes it")
    func added() throws {
        let tree = try shop()
        let before = try tree.files()
        let lines = try tree.expect(
            "add Storage Pages", 0, "Copied Digests, Pages, Storage.\n",
            "Next: Where the app starts, register a storage for the modules:\n    let storage = try Storage(",
            "Next: In a module, answer a link with a page:\n",
            "\nNext: Import the new packages where you need them, and complete the manifests: Scripts/modules check"
        )
        #expect(!lines.contains("Locking"))
        try tree.expect("check", 0, "clean: 13 packages")
        #expect(try tree.expect("add Storage") == "This tree already has Storage.\n")
        // The fix adds the package to the manifests of a pair and of the app.
        let service = "app/Packages/Business/Greeting/Sources/Greeting/GreetingService.swift"
        try tree.place.edit(service, "import GreetingApi\n", "import GreetingApi\nimport Storage\n")
        try tree.place.edit(
            "app/Apps/Shop/Sources/Shop/main.swift", "import Launch\n", "import Launch\nimport Storage\n")
        try tree.expect("check --fix", 0, "clean: 13 packages")
        #expect(try tree.read("Package.swift").contains(".package(path: \"Packages/Base/Storage\")"))
        try tree.expect(
            "remove Storage", 1, "Storage is still used:",
            "Packages/Business/Greeting/Sources/Greeting/GreetingService.swift")
        try tree.shell(
            "git add -A && git commit -qm More && git revert --no-edit HEAD && git reset -q --hard HEAD")
        try tree.expect("add Storage Pages")
        // The new copies contain no work, unless somebody has changed one.
        let source = "app/Packages/Base/Storage/Sources/Storage/Storage.swift"
        let text = try tree.place.read(source)
        try tree.place.write(source, text + "// A day's work.\n")
        try tree.expect(
            "remove Storage", 1, "uncommitted work would be lost:\n  \(source.dropFirst(4))\n  why:")
        try tree.place.write(source, text)
        try tree.expect("remove Storage", 0, "Removed Storage: Packages/Base/Storage, Packages/Base/Digests.")
        try tree.expect("remove Pages")
        #expect(try tree.files() == before)
    }

    @Test("The add command rejects an unknown package, and lists the packages")
    func unknown() throws {
        let tree = try shop()
        try tree.expect("add Rutes", 2, "Rutes is not a package that can be added.", "fix:  Choose Routes.")
        try tree.expect("add Nonsense", 2, "fix:  Choose one of: ApiCenter, Digests, Launch, ")
    }

    @Test("In an existing repository, copies lie in the folder that new-packages names")
    func existing() throws {
        let tree = try NewTree(NewTree.repository.merging(["vendor/Note.txt": ""]) { $1 })
        try tree.expect("init app")
        #expect(try tree.read(".modules.yml").contains("new-packages:\n  copies: Packages/Base"))
        try tree.expect("add Routes", 0, "Copied Routes.\n")
        #expect(try tree.read("Packages/Base/Routes/Package.swift").contains("path: \"../Links\""))
        try tree.expect("check", 0, "clean: ")
    }

    @Test("In a tree with exported packages, the add command requires the package by URL and version")
    func required() throws {
        let tree = try NewTree()
        for name in ["ApiCenter", "Launch", "Lifecycle", "ModuleTool", "Pages", "Routes"] {
            try tree.place.write("origin/\(name)/launch", "")
            try tree.shell(
                "git init -q && git add . && git commit -qm A && git tag 1.2.0", in: "origin/\(name)")
        }
        try tree.expect("init app --app Shop --packages file://\(tree.place.root)/origin/{name}")
        try tree.expect("add Pages", 0, "Required Pages 1.2.0.\n")
        let line = ".package(url: \"file://\(tree.place.root)/origin/Pages\", from: \"1.2.0\")"
        #expect(try tree.read("Package.swift").contains(line))
        try tree.expect("check", 0, "clean: ")
    }

    @Test(
        "The update command brings copies to the state of a newer clone, and refuses to overwrite local changes"
    )
    func updated() throws {
        let tree = try shop()
        try tree.expect("add Storage")
        try tree.shell("git add -A && git commit -qm Storage")
        #expect(try tree.expect("update") == "The copies are up to date.\n")
        try tree.place.run("cp", "-a", NewTree.house.get().root, "newer")
        let (folder, file) = ("Packages/Base/Storage/", "Packages/Base/Storage/Sources/Storage/Storage.swift")
        try tree.place.write("newer/" + file, "// Newer\n")
        try tree.place.write("newer/\(folder)Sources/Storage/Added.swift", "// Added\n")
        try tree.place.remove("newer/\(folder)README.md")
        try tree.shell("git add -A && git commit -qm Newer", in: "newer")
        let newer = "MODULETOOL_SOURCES=\(tree.place.root)/newer/Scripts/ModuleTool"
        func update(_ name: String...) throws -> (status: Int32, text: String) {
            let output = try tree.run(["update"] + name + ["--root", "app"], newer)
            return (output.status, output.text + output.standardError)
        }

        let old = try tree.read(file)
        try tree.place.write("app/" + file, old + "// Mine\n")
        try tree.place.write("app/\(folder)Sources/Storage/Mine.swift", "// Mine\n")
        let refused = try update()
        #expect(refused.status == 1)
        #expect(
            refused.text.contains(
                "copies were changed in this tree:\n  \(folder)Sources/Storage/Mine.swift\n  \(file)\n"),
            "\(refused.text)")
        try tree.shell("git stash -q --include-untracked")

        let updated = try update("Storage", "Routes")
        #expect(updated.status == 0, "\(updated.text)")
        #expect(updated.text.contains("\nUpdated Routes, Storage.\n"), "\(updated.text)")
        let changed = try tree.shell("git status --porcelain --untracked-files=all")
        #expect(
            changed == """
                 M Packages/Base/Storage/.modules-copy
                 D Packages/Base/Storage/README.md
                 M Packages/Base/Storage/Sources/Storage/Storage.swift
                 M Scripts/modules
                ?? Packages/Base/Storage/Sources/Storage/Added.swift

                """)
        let revision = try tree.shell("git rev-parse HEAD", in: "newer")
        #expect(try tree.read("Scripts/modules").contains(" revision=\(revision)"))
        #expect(try update().text == "The copies are up to date.\n")
    }

    @Test("The update command overwrites no file that it has not copied")
    func otherFiles() throws {
        let tree = try shop()
        try tree.expect("add Storage")
        try tree.place.run("cp", "-a", NewTree.house.get().root, "newer")
        try tree.place.write("newer/Packages/Base/Extra/Package.swift", SmallTree.manifest("Extra"))
        try tree.place.write("newer/Packages/Base/Extra/Sources/Extra/Extra.swift", "")
        try tree.place.edit(
            "newer/Packages/Base/Storage/Package.swift", "dependencies: [\n        .package",
            "dependencies: [\n        .package(path: \"../Extra\"),\n        .package")
        try tree.shell("git add -A && git commit -qm Newer", in: "newer")
        try tree.place.write("app/Packages/Base/Extra/Sources/Extra/Extra.swift", "// Mine\n")
        let newer = "MODULETOOL_SOURCES=\(tree.place.root)/newer/Scripts/ModuleTool"
        let output = try tree.run(["update", "Storage", "--root", "app"], newer)
        #expect(output.status == 1, "\(output.text)")
        #expect(output.standardError.contains("Packages/Base/Extra/Sources/Extra/Extra.swift"))
        #expect(try tree.read("Packages/Base/Extra/Sources/Extra/Extra.swift") == "// Mine\n")
    }

    @Test("The update command names an unknown copy")
    func unknownCopy() throws {
        let tree = try shop()
        try tree.expect("update Greeting", 2, "Greeting is not a copy.", "fix:  Choose one of: ApiCenter, ")
    }
}
