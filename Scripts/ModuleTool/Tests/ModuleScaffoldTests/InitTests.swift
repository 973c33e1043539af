import Foundation
import ModuleKit
import Testing
import ToolFixtures

/// Runs the built tool in empty folders.
@Suite("The init command")
struct InitTests {
    private static let appTests = "Apps/Acme/Tests/AppModulesTests/AppModulesTests.swift"

    @Test("If .modules.yml was deleted, an editing command says how to restore it")
    func deletedConfiguration() throws {
        let tree = try NewTree()
        try tree.expect("init app --app Acme")
        try tree.shell("git add -A && git commit -qm Start && rm .modules.yml")
        try tree.expect(
            "new-module Wallet", 2, "/app/.modules.yml: is missing",
            "\n  fix:  Run: git checkout .modules.yml\n")
        try tree.shell("git checkout -q .modules.yml")
        try tree.expect("new-module Wallet")
    }

    @Test("In an empty folder, init creates a tree that breaks no rule and in which all commands work")
    func empty() throws {
        let tree = try NewTree()
        let dry = try tree.expect(
            "init app --app Acme --dry-run", 0, "\n+ Packages/Core/ApiCenter/Package.swift\n")
        #expect(dry.hasSuffix("\nWithout --dry-run, init would also run: git init\n"))
        #expect(!FileManager.default.fileExists(atPath: tree.root))
        let made = try tree.expect(
            "init app --app Acme", 0, "\n+ Apps/Acme/Sources/Acme/main.swift\n",
            "Next: Run the app: swift run Acme\n")
        #expect(made.contains(/\n\+ Packages\/Core\/ApiCenter\/ \(\d\d files\)\n/), "\(made)")
        #expect(made.split(separator: "\n").count < 45, "\(made)")
        #expect(made.hasSuffix("\nRan git init, because the folder was not in a git repository.\n"))
        try tree.expect("check", 0, "clean: 10 packages")
        #expect(try tree.read("README.md").contains("- `swift run Acme` runs the app"))
        #expect(try tree.read("Package.swift").contains("path: \"Apps/Acme/Tests/AppModulesTests\"),\n"))
        #expect(try tree.read(Self.appTests).contains("@Test(\"Every module of this app can be built\")"))
        #expect(try !tree.read("README.md").contains("before the first build"))
        #expect(try tree.read("VERSIONS.md").hasSuffix("| Greeting | 0.1.0 | 0.1.0 | >= 0.1.0 |\n"))
        let before = try tree.files()
        try tree.expect("init app --app Other", 0, "is already set up")
        #expect(try tree.files() == before)

        try tree.expect("new-module Wallet --calls Greeting")
        try tree.expect("new-module Passenger --layer common")
        try tree.expect("new-module WalletCashless --alternative-to Wallet")
        #expect(try tree.read("Package.swift").contains("    Pair(\"Common/Passenger\"),\n"))
        try tree.expect("check")
        try tree.shell("git add -A && git commit -qm Start")
        try tree.expect("bump Wallet minor --note More.")
        try tree.expect("check versions")
        try tree.shell("git add -A && git commit -qm More")
        for name in ["WalletCashless", "Wallet", "Passenger"] { try tree.expect("remove \(name)") }
        try tree.expect("check")
        #expect(try tree.files() == before)
    }

    @Test(
        "With --ios, init also writes the app in SwiftUI and a screen with a preview, and the tree breaks no rule"
    )
    func iOS() throws {
        let tree = try NewTree()
        try tree.expect("init app --app Tram --ios", 0, "Next: Make the Xcode project: ")
        try tree.expect("check", 0, "clean: 12 packages")
        #expect(try tree.read("Package.swift").contains(".library(name: \"TramUI\", targets: [\"TramUI\"]),"))
        let files = try tree.files()
        #expect(
            files["Apps/Tram/Sources/TramUI/TramApp.swift"]?.contains("public struct TramApp: App {") == true)
        #expect(files["Packages/Business/Greeting/Tests/GreetingPreviews/GreetingPreviews.swift"] != nil)
        #expect(
            files[".github/workflows/ci.yml"]?.contains(
                "-scheme TramUI -destination 'generic/platform=iOS Sim") == true)
        #expect(
            try tree.read("README.md").contains("tests.\n- `Apps/Tram/Sources/TramUI` is the app in SwiftUI"))
        #expect(files.values.allSatisfy { !$0.contains("{{") || $0.contains("${{") })
        let other = try NewTree(NewTree.repository)
        try other.expect("init app --app Old --ios", 2, "--ios needs an empty folder.")
    }

    @Test(
        "With --no-versions, no command writes or asks for versions and change notes",
        arguments: [[:], NewTree.repository])
    func withoutVersions(files: [String: String]) throws {
        let tree = try NewTree(files)
        try tree.expect("init app --app \(files.isEmpty ? "Acme" : "Old") --no-versions")
        #expect(try tree.read(".modules.yml").contains("\nversions: none  # the app ships as one\n"))
        try tree.shell("git add -A && git commit -qm Start")
        let before = try tree.files()
        func expectNone() throws {
            let copies = ["Packages/Base/", "Packages/Core/"]
            let written = try tree.files().keys.filter { path in
                !copies.contains(where: path.hasPrefix)
                    && ["VERSIONS.md", "CHANGELOG.md"].contains(PathText.split(path).name)
            }
            #expect(written == [])
            try tree.expect("check", 0, "clean: ")
        }
        try expectNone()
        let added = try tree.expect("new-module Wallet")
        #expect(!added.contains("0.1.0") && !added.contains("1.0.0"), "\(added)")
        try tree.expect("new-module WalletCashless --alternative-to Wallet")
        try tree.expect("add Storage")
        try expectNone()
        try tree.shell("git add -A && git commit -qm Pairs")
        try tree.place.edit("app/\(try wallet(tree))", "I am Wallet.", "I am the wallet.")
        try expectNone()
        for line in ["bump Wallet", "release", "export --to packages"] {
            try tree.expect(
                line, 1,
                ".modules.yml: \(line.prefix { $0 != " " }) needs versions, and this file says versions: none.",
                "remove versions: none")
        }
        try tree.expect("graph --format json", 0, "\"Wallet\"")
        try tree.shell("git checkout -q .")
        for name in ["WalletCashless", "Wallet", "Storage"] { try tree.expect("remove \(name)") }
        try expectNone()
        #expect(try tree.files() == before)
    }

    private func wallet(_ tree: NewTree) throws -> String {
        try #require(try tree.files().keys.first { $0.hasSuffix("/Wallet/WalletService.swift") })
    }

    @Test(
        "In a tree with a .swift-format, the commands write formatted code",
        arguments: [#"{"version": 1}"#, #"{"version": 1, "lineLength": 200, "indentation": {"tabs": 1}}"#],
        [[:], NewTree.repository])
    func formatted(settings: String, files: [String: String]) throws {
        let tree = try NewTree(files.merging([".swift-format": settings]) { $1 })
        func lint() throws { try tree.shell("swift format lint --strict --recursive .") }
        if !files.isEmpty { try tree.shell("swift format --in-place --recursive .") }
        try tree.expect("init app --app \(files.isEmpty ? "Acme" : "Old")")
        try lint()
        let before = try tree.files()
        try tree.expect("new-module Wallet")
        try lint()
        try tree.shell("git add -A && git commit -qm Start")
        try tree.expect("remove Wallet")
        #expect(try tree.files() == before)
    }

    @Test("Settings that swift format cannot read are an error, and nothing is written")
    func unreadableSettings() throws {
        let tree = try NewTree([".swift-format": "{version"])
        let before = try tree.files()
        try tree.expect(
            "init app --app Acme", 3, "error: .swift-format: swift format fails with these settings: ")
        #expect(try tree.files() == before)
    }

    @Test("The init command keeps the README and the .gitignore of an otherwise empty repository")
    func cloned() throws {
        let tree = try NewTree(["README.md": "Mine.", ".gitignore": ".build/\n*.log\n"])
        try tree.expect("init app --app Acme")
        #expect(try tree.read("README.md") == "Mine.")
        #expect(try tree.read(".gitignore").hasPrefix(".build/\n*.log\n.swiftpm/\n"))
    }

    @Test(
        "With --packages, the tree depends on packages and the tool by URL and version, and contains no copies"
    )
    func addresses() throws {
        let tree = try NewTree()
        let line = "init app --app Acme --packages file://\(tree.place.root)/origin/{name}"
        try tree.expect(line, 3, "origin/ApiCenter: git cannot read")
        for (name, tags) in [
            ("ApiCenter", "1.9.0 1.10.0 2.0.0-beta"), ("Launch", "1.0.1"), ("Lifecycle", "v3.0.4"),
            ("ModuleTool", "x"), ("Routes", "1.2.0"),
        ] {
            try tree.place.write("origin/\(name)/launch", "#!/bin/sh\necho \"$MODULETOOL_ROOT: $*\"\n")
            try tree.shell(
                """
                chmod +x launch && git init -q && git add . && git commit -qm A &&
                    for tag in \(tags); do git tag $tag; done
                """, in: "origin/\(name)")
        }
        try tree.expect(line, 2, "ModuleTool: this repository has no version tag")
        try tree.shell("git tag 1.0.0", in: "origin/ModuleTool")
        try tree.expect(line)
        #expect(try tree.read(".modules.yml").contains("origin/ApiCenter', from: 1.10.0}"))
        for path in ["Package.swift", "Packages/Business/Greeting/Package.swift"] {
            #expect(try tree.read(path).contains("origin/Lifecycle\", from: \"3.0.4\")"))
        }
        // Only the app uses Launch and Routes.
        for release in [#"Launch", from: "1.0.1")"#, #"Routes", from: "1.2.0")"#] {
            #expect(try tree.read("Package.swift").contains("origin/" + release))
        }
        #expect(try !tree.read("Packages/Business/Greeting/Package.swift").contains("Launch"))
        try tree.expect("check", 0, "clean: 3 packages")
        // The launcher script needs the address only once.
        for _ in 0..<2 {
            #expect(try tree.shell("cd Packages && ../Scripts/modules check x") == "\(tree.root): check x\n")
            try? tree.place.remove("origin")
        }
    }

    @Test(
        "With --check-builds, the app's target uses the build plugin", arguments: [[:], NewTree.repository])
    func checkBuilds(files: [String: String]) throws {
        let tree = try NewTree(files)
        let text = try tree.expect("init app --app \(files.isEmpty ? "Acme" : "Old") --check-builds")
        // The first build needs the tool, so building the tool is the first step.
        let first = text.split(separator: "\n").first { $0.hasPrefix("Next: ") }
        #expect(first == "Next: Build the tool that each build starts: Scripts/modules check")
        if files.isEmpty {
            #expect(try tree.read("README.md").contains("\n  Run it once on each machine before the first"))
        }
        let manifest = files.isEmpty ? "Package.swift" : "Apps/AppModules/Package.swift"
        #expect(
            try tree.read(manifest).contains(
                "plugins: [.plugin(name: \"ModuleCheck\", package: \"ModuleCheck\")]"))
        try tree.expect("check", 0, "clean: ")
        try tree.expect("new-module Wallet")
        try tree.expect("check")
    }

    @Test("The launcher script starts the tool from the commit that created the tree")
    func launcher() throws {
        let tree = try NewTree()
        try tree.expect("init app --app Acme")
        #expect(try tree.shell("cd Packages && ../Scripts/modules check").hasPrefix("clean: 10 packages"))
        // An address that cannot be read is an error, and leaves nothing in the cache.
        let cached = try tree.shell("ls ../cache/moduletool/sources")
        try tree.shell("sed -i.old \"s|^url='[^']*'|url='/nowhere'|\" Scripts/modules")
        let output = try tree.shell("Scripts/modules check 2>&1 || echo $?")
        #expect(output.contains("modules: cannot fetch "), "\(output)")
        #expect(output.hasSuffix(" from /nowhere. Correct url= and revision= in Scripts/modules.\n3\n"))
        #expect(try tree.shell("ls ../cache/moduletool/sources") == cached)
    }

    @Test(
        "The init command rejects an unsuitable folder or name, and changes nothing",
        arguments: [
            (["file": ""], "app/file --app A", Int32(2), "app/file: is not a readable folder"),
            (["notes.txt": ""], "app --app A", 2, "app/notes.txt: this folder is not empty"),
            (["Package.swift": ""], "app/new --app A", 2, "is inside the tree"),
            ([".github/workflows/ci.yml": ""], "app --app A", 2, "ci.yml: this file already exists."),
            ([:], "app", 2, "the app has no name"),
            ([:], "app --app my-app", 2, "'my-app' cannot be an app's name: it is not a word"),
            ([:], "app --app greeting", 2, "begins with a capital letter"),
            ([:], "app --app Greeting", 2, "Choose another name, such as Acme or Shop."),
            ([:], "app --app Apps/Acme", 2, "Pass the name without the folder: --app Acme"),
            ([:], "app --app Launch", 2, "generated code has this name."),
            ([:], "app --app A --packages https://example.com", 2, "is not an address template"),
            (NewTree.repository, "app --app Ould", 2, "Choose Old."),
            (
                NewTree.repository.merging(["versions.md": ""]) { $1 }, "app", 2,
                "app/versions.md: this file already exists"
            ),
            ([:], "/dev/null/new --app A", 3, "/dev/null/new: the tree cannot be written to"),
        ])
    func refused(files: [String: String], arguments: String, status: Int32, message: String) throws {
        let tree = try NewTree(files)
        func names() throws -> [String] { try tree.place.names().filter { !$0.hasPrefix("cache") } }
        let before = try names()
        try tree.expect("init " + arguments, status, message)
        #expect(try names() == before)
    }
}
