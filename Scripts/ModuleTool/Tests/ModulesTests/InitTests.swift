import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Runs the built tool in empty folders and in existing repositories.
@Suite("The init command")
struct InitTests {
    /// The answer to the question of `init` about ``repository``.
    private static let layers = """
        layers:
          - {name: B, folders: [Sources/B], pairs: optional}
          - {name: A, folders: [Sources/A], pairs: optional}

        """

    /// A repository with an app and two layers, whose names do not suggest their order.
    static let repository = [
        ".modules.yml": layers,
        "Package.swift": manifest(
            "Old", ".executableTarget(name: \"Old\", dependencies: [\"Zoo\"])", ["Sources/A/Zoo"]),
        "Sources/Old/main.swift": "import Zoo\n\nprint(zoo)\n",
        "Sources/A/Zoo/Package.swift": manifest(
            "Zoo", ".target(name: \"Zoo\", dependencies: [\"Net\"])", ["../../B/Net"]),
        "Sources/A/Zoo/Sources/Zoo/Zoo.swift": "import Net\n\npublic let zoo = net\n",
        "Sources/B/Net/Package.swift": manifest("Net", ".target(name: \"Net\")", []),
        "Sources/B/Net/Sources/Net/Net.swift": "public let net = 1\n",
    ]

    static func manifest(_ name: String, _ target: String, _ paths: [String]) -> String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "\(name)",
            platforms: [.macOS(.v15)],
            products: [\(name == "Old" ? "" : ".library(name: \"\(name)\", targets: [\"\(name)\"])")],
            dependencies: [\(paths.map { ".package(path: \"\($0)\")" }.joined(separator: ", "))],
            targets: [\(target)]
        )

        """
    }

    @Test("If .modules.yml was deleted, an editing command says how to restore it")
    func deletedConfiguration() throws {
        let tree = try NewTree()
        try tree.make("init", "--app", "Acme")
        try tree.shell("git add -A && git commit -qm Start && rm .modules.yml")
        let output = try tree.run("new-module", "Wallet", "--root", "app")
        #expect(output.status == 2)
        #expect(output.standardError.contains("/app/.modules.yml: is missing"), "\(output.standardError)")
        #expect(output.standardError.contains("\n  fix:  git checkout .modules.yml\n"))
        try tree.shell("git checkout -q .modules.yml")
        try tree.make("new-module", "Wallet")
    }

    @Test("In an empty folder, init creates a tree that breaks no rule and in which all commands work")
    func empty() throws {
        let tree = try NewTree()
        let dry = try tree.make("init", "--app", "Acme", "--dry-run")
        #expect(dry.contains("\n+ Packages/Base/ApiCenter/Package.swift\n"))
        #expect(dry.hasSuffix("\nWithout --dry-run, init would also run: git init\n"))
        #expect(!FileManager.default.fileExists(atPath: tree.root))
        let made = try tree.make("init", "--app", "Acme")
        #expect(made.contains("\n+ Apps/Acme/Sources/Acme/main.swift\n"))
        #expect(made.contains(/\n\+ Packages\/Base\/ApiCenter\/ \(\d\d files\)\n/), "\(made)")
        #expect(made.split(separator: "\n").count < 40, "\(made)")
        #expect(made.contains("Next: Run the app: swift run Acme\n"))
        #expect(made.hasSuffix("\nRan git init, because the folder was not in a git repository.\n"))
        #expect(try tree.make("check").hasPrefix("clean: 6 packages"))
        #expect(try tree.read("README.md").contains("- `swift run Acme` runs the app"))
        #expect(try !tree.read("README.md").contains("before the first build"))
        #expect(try tree.read("VERSIONS.md").hasSuffix("| Greeting | 0.1.0 | 0.1.0 | >= 0.1.0 |\n"))
        let before = try tree.files()
        #expect(try tree.make("init", "--app", "Other").contains("is already set up"))
        #expect(try tree.files() == before)

        try tree.make("new-module", "Wallet", "--calls", "Greeting")
        try tree.make("new-module", "Passenger", "--layer", "common")
        try tree.make("new-module", "WalletCashless", "--alternative-to", "Wallet")
        #expect(try tree.read("Package.swift").contains("    Pair(\"Common/Passenger\"),\n"))
        try tree.make("check")
        try tree.shell("git add -A && git -c user.name=T -c user.email=t@e commit -qm Start")
        try tree.make("bump", "Wallet", "minor", "--note", "More.")
        try tree.make("check", "versions")
        try tree.shell("git add -A && git -c user.name=T -c user.email=t@e commit -qm More")
        for name in ["WalletCashless", "Wallet", "Passenger"] { try tree.make("remove", name) }
        try tree.make("check")
        #expect(try tree.files() == before)
    }

    @Test("The init command keeps the README and the .gitignore of an otherwise empty repository")
    func cloned() throws {
        let tree = try NewTree(["README.md": "Mine.", ".gitignore": ".build/\n*.log\n"])
        try tree.make("init", "--app", "Acme")
        #expect(try tree.read("README.md") == "Mine.")
        #expect(try tree.read(".gitignore").hasPrefix(".build/\n*.log\n.swiftpm/\n"))
    }

    @Test(
        "With --packages, the tree depends on packages and the tool by URL and version, and contains no copies"
    )
    func addresses() throws {
        let tree = try NewTree()
        let template = "file://\(tree.place.root)/origin/{name}"
        let missing = try tree.run("init", "app", "--app", "Acme", "--packages", template)
        #expect(missing.status == 3 && missing.standardError.contains("origin/ApiCenter: git cannot read"))
        for (name, tags) in [
            ("ApiCenter", "1.9.0 1.10.0 2.0.0-beta"), ("Lifecycle", "v3.0.4"), ("ModuleTool", "x"),
        ] {
            try tree.place.write("origin/\(name)/launch", "#!/bin/sh\necho \"$MODULETOOL_ROOT: $*\"\n")
            try tree.place.run(
                "bash", "-c",
                """
                cd origin/\(name) && chmod +x launch && git init -q && git add . && \
                git -c user.name=T -c user.email=t@e commit -qm A && for tag in \(tags); do git tag $tag; done
                """)
        }
        let untagged = try tree.run("init", "app", "--app", "Acme", "--packages", template)
        #expect(
            untagged.status == 2
                && untagged.standardError.contains("ModuleTool: this repository has no version tag"))
        try tree.place.run("git", "-C", "origin/ModuleTool", "tag", "1.0.0")
        try tree.make("init", "--app", "Acme", "--packages", template)
        #expect(try tree.read(".modules.yml").contains("origin/ApiCenter', from: 1.10.0}"))
        for path in ["Package.swift", "Packages/Business/Greeting/Package.swift"] {
            #expect(try tree.read(path).contains("origin/Lifecycle\", from: \"3.0.4\")"))
        }
        #expect(try tree.make("check").hasPrefix("clean: 3 packages"))
        // The launcher script needs the address only once.
        for _ in 0..<2 {
            #expect(try tree.shell("cd Packages && ../Scripts/modules check x") == "\(tree.root): check x\n")
            try? tree.place.remove("origin")
        }
    }

    @Test("With --check-builds, the app's target uses the build plugin", arguments: [[:], repository])
    func checkBuilds(files: [String: String]) throws {
        let tree = try NewTree(files)
        let output = try tree.make("init", "--app", files.isEmpty ? "Acme" : "Old", "--check-builds")
        #expect(output.contains("\nNext: Run Scripts/modules check before the first build"))
        if files.isEmpty {
            #expect(try tree.read("README.md").contains("\n  Run it once on each machine before the first"))
        }
        let manifest = files.isEmpty ? "Package.swift" : "Apps/AppModules/Package.swift"
        #expect(
            try tree.read(manifest).contains(
                "plugins: [.plugin(name: \"ModuleCheck\", package: \"ModuleCheck\")]"))
        #expect(try tree.make("check").hasPrefix("clean: "))
        try tree.make("new-module", "Wallet")
        try tree.make("check")
    }

    @Test("The launcher script starts the tool from the commit that created the tree")
    func launcher() throws {
        let tree = try NewTree()
        try tree.make("init", "--app", "Acme")
        #expect(try tree.shell("cd Packages && ../Scripts/modules check").hasPrefix("clean: 6 packages"))
        // An address that cannot be read is an error, and leaves nothing in the cache.
        let cached = try tree.shell("ls ../cache/moduletool/sources")
        try tree.shell("sed -i.old \"s|^url='[^']*'|url='/nowhere'|\" Scripts/modules")
        let output = try tree.shell("Scripts/modules check 2>&1 || echo $?")
        #expect(output.contains("modules: cannot fetch "), "\(output)")
        #expect(output.hasSuffix(" from /nowhere. Correct url= and revision= in Scripts/modules.\n3\n"))
        #expect(try tree.shell("ls ../cache/moduletool/sources") == cached)
    }

    @Test(
        "The init command writes a configuration that the next command accepts",
        arguments: [
            [
                "Modules/Net/Package.swift": manifest("Net", "", []),
                "Modules/WebApi/Package.swift": manifest("WebApi", "", []),
            ],
            [
                "Apps/Kit/Package.swift": manifest("Kit", "", []),
                "Apps/Tool/Package.swift": manifest("Tool", "", []).replacing(
                    ".target(", with: ".executableTarget("),
            ],
        ])
    func accepted(files: [String: String]) throws {
        let tree = try NewTree(files)
        try tree.make("init")
        try tree.make("list")
        try tree.make("new-module", "Wallet")
    }

    @Test(
        "The init command rejects an unsuitable folder or name, and changes nothing",
        arguments: [
            (["file": ""], ["init", "app/file", "--app", "A"], 2, "app/file: is not a readable folder"),
            (["notes.txt": ""], ["init", "app", "--app", "A"], 2, "app/notes.txt: this folder is not empty"),
            (["Package.swift": ""], ["init", "app/new", "--app", "A"], 2, "is inside the tree"),
            (
                [".github/workflows/ci.yml": ""], ["init", "app", "--app", "A"], 2,
                "ci.yml: this file already exists."
            ),
            ([:], ["init", "app"], 2, "the app has no name"),
            ([:], ["init", "app", "--app", "my-app"], 2, "is not a word of ASCII letters"),
            ([:], ["init", "app", "--app", "greeting"], 2, "begins with a capital letter"),
            ([:], ["init", "app", "--app", "Lifecycle"], 2, "generated code has this name."),
            (
                [:], ["init", "app", "--app", "A", "--packages", "https://example.com"], 2,
                "is not an address template"
            ),
            (repository, ["init", "app", "--app", "Ould"], 2, "Choose Old."),
            (
                [:], ["init", "/dev/null/new", "--app", "A"], 3,
                "/dev/null/new: the tree cannot be written to"
            ),
        ])
    func refused(files: [String: String], arguments: [String], status: Int32, message: String) throws {
        let tree = try NewTree(files)
        func names() throws -> [String] { try tree.place.names().filter { !$0.hasPrefix("cache") } }
        let before = try names()
        let output = try tree.run(arguments)
        #expect(output.status == status && output.standardError.contains(message), "\(output.standardError)")
        #expect(try names() == before)
    }
}
