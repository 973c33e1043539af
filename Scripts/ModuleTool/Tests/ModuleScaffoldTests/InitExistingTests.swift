import Foundation
import ModuleKit
import Testing
import ToolFixtures

@Suite("The init command in a repository with an app")
struct InitExistingTests {
    @Test("If several folders contain packages, init changes nothing and prints the layers to put in order")
    func order() throws {
        let tree = try NewTree(NewTree.repository)
        try tree.shell("rm .modules.yml")
        let before = try tree.files()
        let text = try tree.expect("init app", 2)
        #expect(try tree.files() == before)
        let lines = try #require(text.firstMatch(of: /\n\n(#(?:.|\n)*optional\n)/)).1
        #expect(lines.contains("  - name: A\n    folders: [Sources/A]\n    pairs: optional\n  - name: B\n"))
        // In the printed order, the package in A may not depend on the one in B.
        try tree.place.write("app/.modules.yml", String(lines))
        try tree.expect("init app", 0, "the layers Api, Base, A, B, Apps")
        try tree.expect("check layers", 1, "layer-order: ")
    }

    @Test("In a repository, init keeps the layers, links the pairs to the app, and changes no source file")
    func adopted() throws {
        let tree = try NewTree(NewTree.repository)
        let before = try tree.files()
        try tree.expect("init app", 0, "the layers Api, Base, B, A, Apps")
        let changed = try tree.files().filter { before[$0.key] != $0.value && before[$0.key] != nil }
        #expect(changed.keys.sorted() == [".modules.yml", "Package.swift"])
        let manifest = try tree.read("Package.swift")
        #expect(manifest.contains(".package(path: \"Apps/AppModules\")"))
        #expect(manifest.contains(".product(name: \"AppModules\", package: \"AppModules\")"))
        #expect(try tree.read("Sources/Old/LaunchModules.swift").contains("func launchModules()"))
        let tests = "Apps/AppModules/Tests/AppModulesTests/AppModulesTests.swift"
        #expect(try tree.read(tests).contains("@Test(\"Every module of this app can be built\")"))
        try tree.expect("check", 0, "clean: ")
        let after = try tree.files()
        try tree.expect("init app")
        #expect(try tree.files() == after)
        try tree.expect(
            "new-module Purse --calls Wallet", 2,
            "\n  fix:  Add a pair first: Scripts/modules new-module --root '")

        try tree.expect("new-module Wallet")
        #expect(try tree.read("Apps/AppModules/Package.swift").contains("    Pair(\"Sources/A/Wallet\"),\n"))
        try tree.expect("new-module Purse --layer B --calls Wallet")
        try tree.expect("check", 0, "clean: ")
        try tree.expect(
            "new-module Cash --alternative-to Wallet", 0,
            ": depend on Apps/AppModules with traits: [\"Cash\", \"Purse\"], in swift-tools-version 6.1 or later.\n"
        )
        try tree.shell("git add -A && git commit -qm Pairs")
        for name in ["Cash", "Purse", "Wallet"] { try tree.expect("remove \(name)") }
        #expect(try tree.files() == after)
    }

    @Test("An app directly below the root is an app, and init says which of its platforms are too old")
    func appBelowRoot() throws {
        let app = NewTree.manifest(
            "Old", ".executableTarget(name: \"Old\", dependencies: [\"Zoo\"])", ["../Zoo"])
        let tree = try NewTree([
            "Shop/Package.swift": app.replacing(".macOS(.v15)", with: ".macOS(.v13), .iOS(.v18)"),
            "Shop/Sources/Old/main.swift": "import Zoo\n\nprint(zoo)\n",
            "Zoo/Package.swift": NewTree.manifest("Zoo", ".target(name: \"Zoo\")"),
            "Zoo/Sources/Zoo/Zoo.swift": "public let zoo = 1\n",
        ])
        try tree.expect("init app", 0, "Next: Raise the platforms in Shop/Package.swift to macOS 15.\n")
        #expect(try tree.read(".modules.yml").contains("folders: [Shop, Apps/AppModules]"))
        try tree.expect("new-module Wallet")
        try tree.expect("check")
        // The rules about registrations read the app.
        try tree.place.edit(
            "app/Shop/Sources/Old/main.swift", "print(zoo)",
            "import ApiCenter\nimport Other\n_ = ApiCenter.shared.api(type: OtherApiProtocol.self)")
        try tree.expect("check registration", 1, "registration-missing: ")
    }

    @Test("A baseline from before the first pair still holds after it")
    func baseline() throws {
        let net = NewTree.repository["Sources/B/Net/Package.swift"]
        let twin = ["Sources/A/Net/Package.swift": net ?? "", "Sources/A/Net/Sources/Net/Net.swift": ""]
        let tree = try NewTree(NewTree.repository.merging(twin) { $1 })
        try tree.expect("init app")
        try tree.expect("check", 1, "pair-names: two packages")
        for line in ["baseline", "check", "new-module Wallet"] { try tree.expect(line) }
        try tree.expect("check", 0, " rules, 1 known finding\n")
    }

    @Test(
        "The init command names the edited files that had uncommitted changes, and no other files",
        arguments: ["Package.swift", "Sources/Old/main.swift", "Sources/New.txt"])
    func uncommitted(path: String) throws {
        let tree = try NewTree(NewTree.repository)
        try tree.shell("git init -q && git add . && git commit -qm Start && echo >>\(path)")
        let output = try tree.expect("init app")
        let note = "Next: Check Package.swift: it had uncommitted changes, and init changed it too.\n"
        #expect(output.contains(note) == (path == "Package.swift"), "\(output)")
        #expect(output.contains("uncommitted") == (path == "Package.swift"))
    }

    @Test("Beside an Xcode project, init creates a package that the app has to link only once")
    func project() throws {
        let tree = try NewTree([
            "iOS/Shop.xcodeproj/project.pbxproj": "{}\n",
            "Packages/Cart/Package.swift": NewTree.manifest("Cart"),
        ])
        let before = try tree.files()
        try tree.expect(
            "init app", 0,
            "Next: Link the product AppModules of the local package Apps/AppModules, and the product Launch, to the app in "
                + "iOS/Shop.xcodeproj.\n",
            "add 'sources: FOLDER' to the app in .modules.yml.\n")
        #expect(try tree.files().filter { before[$0.key] != nil } == before)
        func findings() throws -> Substring {
            try tree.run(["check", "--root", "app"]).text.prefix { $0 != ":" }
        }
        let old = try findings()
        try tree.expect("new-module Wallet")
        let manifest = try tree.read("Apps/AppModules/Package.swift")
        #expect(manifest.contains("    Pair(\"") && manifest.contains(".package(path: \"../../"))
        #expect(try findings() == old)
    }

    @Test(
        "The init command writes a configuration that the next commands accept",
        arguments: [
            (["Modules/Net", "Modules/Zoo"], "Api, Base, Modules, Apps"),
            // A package whose name ends in Api is not a pair.
            (["Packages/WeatherApi"], "Api, Packages, Pairs, Apps"),
            (["Modules/Net", "Modules/WebApi"], ""), (["Apps/Kit", "Apps/Tool"], ""),
        ])
    func accepted(packages: [String], layers: String) throws {
        let files = packages.map { ($0 + "/Package.swift", NewTree.manifest(PathText.split($0).name)) }
        let tree = try NewTree(Dictionary(uniqueKeysWithValues: files))
        try tree.expect("init app", 0, "the layers " + layers)
        if !layers.isEmpty { try tree.expect("check", 0, "clean: ") }
        try tree.expect("graph --format json")
        try tree.expect("new-module Wallet")
        guard packages == ["Modules/Net", "Modules/Zoo"] else { return }
        #expect(try tree.read(".modules.yml").contains("ApiCenter: {path: Packages/Base/ApiCenter}"))
        #expect(try tree.read("Apps/AppModules/Package.swift").contains("    Pair(\"Modules/Wallet\"),\n"))
        try tree.expect("check")
    }

    @Test("The init command uses existing folders, whatever the case of their names")
    func otherCase() throws {
        let files = ["scripts/lint": "", "apps/notes": "", "packages/base/notes": ""]
        let tree = try NewTree(NewTree.repository.merging(files) { $1 })
        try tree.expect("init app", 0, "Next: Add a pair: scripts/modules new-module NAME\n")
        for name in ["Scripts", "Apps", "Packages", "packages/Base"] {
            #expect(!FileManager.default.fileExists(atPath: tree.root + "/" + name))
        }
        #expect(try tree.read("VERSIONS.md").contains("`scripts/modules bump`"))
        #expect(try tree.shell("scripts/modules check").hasPrefix("clean: "))
        // The tool names the script that has started it.
        #expect(
            try tree.shell("scripts/modules explain app-list").contains("run scripts/modules registrations"))
        try tree.shell("echo >>apps/AppModules/Sources/AppModules/Registrations.swift")
        #expect(
            try tree.shell("scripts/modules check || true").contains(
                "fix:  Run: scripts/modules registrations\n"))
    }

    private static let broken =
        "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Missing()\n"

    @Test("An example whose manifest cannot be read is excluded by init, and left out by affected")
    func unreadableExample() throws {
        let tree = try NewTree([
            "Packages/Cart/Package.swift": NewTree.manifest("Cart", ".target(name: \"Cart\")"),
            "Packages/Cart/Sources/Cart/Cart.swift": "", "Examples/Old/Package.swift": Self.broken,
        ])
        try tree.shell(
            "git init -q && git add . && git commit -qm Start && echo 'let x = 1' >Packages/Cart/Sources/Cart/Cart.swift"
        )
        let affected = try tree.expect(
            "affected --since HEAD", 0, "package Cart  changed\n",
            "note: Examples/Old/Package.swift cannot be read, so ",
            "write exclude: [Examples/Old] in .modules.yml.\n")
        #expect(affected.contains("cannot find 'Missing' in scope"), "\(affected)")
        try tree.expect(
            "init app", 0, "the layers Api, Packages, Apps",
            "Next: Note that Examples/Old/Package.swift:3:15 cannot be read (cannot find 'Missing' in scope), so .modules.yml excludes"
        )
        #expect(try tree.read(".modules.yml").contains("\nexclude: [Examples/Old]\n"))
        try tree.expect("check", 0, "clean: ")
        #expect(try !tree.expect("affected --since HEAD").contains("note:"))
    }

    @Test(
        "A manifest that cannot be read and that others need stops init and affected, which say how to exclude its folder"
    )
    func unreadableManifest() throws {
        let cart = NewTree.manifest("Cart", ".target(name: \"Cart\", dependencies: [\"Net\"])", ["../Net"])
        let tree = try NewTree([
            "Packages/Cart/Package.swift": cart, "Packages/Cart/Sources/Cart/Cart.swift": "",
            "Packages/Net/Package.swift": Self.broken,
        ])
        try tree.shell("git init -q && git add . && git commit -qm Start")
        for line in ["init app", "affected --since HEAD"] {
            try tree.expect(
                line, 2, "Packages/Net/Package.swift:3:15: the manifest cannot be read: ",
                "write exclude: [Packages/Net] in .modules.yml. ")
        }
    }

    @Test("If many libraries are targets of one package, init says that most rules see only the package")
    func largePackage() throws {
        let targets = (0..<10).map { ".target(name: \"T\($0)\")" }.joined(separator: ", ")
        let sources = (0..<10).map { ("Kit/Sources/T\($0)/T.swift", "let x = 1\n") }
        let manifest = NewTree.manifest("Kit", targets).replacing(
            "targets: [\"Kit\"]", with: "targets: [\"T0\"]")
        let tree = try NewTree(Dictionary(uniqueKeysWithValues: sources + [("Kit/Package.swift", manifest)]))
        try tree.expect(
            "init app", 0,
            "Next: Note that Kit/Package.swift declares 10 libraries: most rules look at packages")
        let checked = try tree.expect(
            "check", 0, " rules have nothing to check: the tree has no pair, so add one with ")
        #expect(
            checked.contains(
                "; Kit/Package.swift declares 10 libraries, of which the rules about layers see "),
            "\(checked)")
        try tree.expect("new-module Wallet")
        #expect(try !tree.expect("check").contains(" rules have nothing"))
    }
}
