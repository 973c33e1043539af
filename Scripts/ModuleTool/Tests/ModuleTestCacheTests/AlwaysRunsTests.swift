import ModuleFixtures
import ModuleKit
import Testing

@Suite("Targets that always run")
struct AlwaysRunsTests {
    @Test(
        "A word that leads outside the package makes a target run always, unless `reads` lists the target",
        arguments: [
            ("let path = #filePath", "#filePath"), ("let run = Process()", "Process("),
            ("try Process.run(url, arguments: [])", "Process."), ("let path = \"../data\"", "../"),
            ("_ = FileManager.default.currentDirectoryPath", "currentDirectoryPath"),
            ("_ = ProcessInfo.processInfo.environment", "processInfo.environment"),
            ("getenv(\"A\")", "getenv"),
            ("import Subprocess", "Subprocess"), ("let path = #file", "#file"),
            ("let run: Process = .init()", ": Process"),
            ("let a = info.environment[\"A\"]", ".environment["),
            ("let a = info.environment\n", ".environment\n"),
            ("View().environment(\\.locale, locale)", nil), ("posix_spawnp()", "posix_spawnp"),
            ("dlopen(path, 0)", "dlopen"), ("_ = system(\"make\")", "system("), ("Font.system(size: 1)", nil),
            ("Bundle.main.bundlePath", "bundlePath"),
            ("#include \"/opt/a.h\"", "include \"/"), ("#include \"a.h\"", nil),
            ("execlp(a)", "execlp"), ("URL(filePath: path)", nil),
            ("let file = Test.current?.sourceLocation.filePath", ".filePath"),
            ("let file = place._filePath", "_filePath"),
            ("let folder = URL(filePath: CommandLine.arguments[0])", "CommandLine.arguments"),
            ("let folder = info.arguments[0]", ".arguments[0]"),
            ("let state = read(\"/proc/self/status\")", nil), ("let path = \"/proc/self/stat\"", "/proc/"),
            ("let path = \"/proc/self/status/\\(name)\"", "/proc/"),
            ("let path = \"/tmp/proc/self/status\"", "/proc/"),
            ("otherProcess(); let file = #fileID; let SubprocessTests = 1", nil),
            ("_ = ProcessInfo.processInfo.processIdentifier", nil), ("", nil),
        ] as [(String, String?)])
    func words(_ line: String, _ word: String?) throws {
        let file = "Apps/PlainTests/PlainTests.swift"
        let tree = try TestTree([file: "import Testing\n" + line])
        #expect(try tree.target("PlainTests")?.alwaysRuns == word.map { "\(file) contains `\($0)`" })
        try tree.tree.edit(".modules.yml", "[ReadsTests]", "[ReadsTests, PlainTests]")
        #expect(try tree.target("PlainTests")?.alwaysRuns == nil)
    }

    @Test("A target that links such a target always runs too")
    func linked() throws {
        let tree = try TestTree(["Packages/Ride/Sources/Ride/Path.swift": "let path = #filePath\n"])
        let open = try tree.targets().filter { $0.alwaysRuns != nil }.map(\.name)
        #expect(open == ["AppTests", "RideTests"])
        try tree.tree.edit(".modules.yml", "[ReadsTests]", "[ReadsTests, Ride]")
        #expect(try tree.targets().allSatisfy { $0.alwaysRuns == nil })
    }

    @Test(
        "A dependency outside the tree, a manifest that reads files, and an edited dependency have unknown inputs"
    )
    func unknown() throws {
        let tree = try TestTree()
        #expect(try tree.targets().allSatisfy { $0.alwaysRuns == nil })
        try tree.tree.edit(
            "Packages/Gate/Package.swift", "\"../GateApi\"", "\"../GateApi\"),\n.package(path: \"../../../X\""
        )
        #expect(
            try tree.target("GateTests")?.alwaysRuns
                == "Packages/Gate/Package.swift depends on ../../../X, which is outside the tree")
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
        try tree.tree.edit("Packages/Ride/Package.swift", "let package", "import Foundation\nlet package")
        #expect(
            try tree.target("RideTests")?.alwaysRuns
                == "Packages/Ride/Package.swift contains `import Foundation`")
        try tree.tree.write(".build/workspace-state.json", "{\"state\": {\"name\": \"edited\"}}")
        #expect(try tree.target("KitTests")?.alwaysRuns == "a dependency is edited with `swift package edit`")
        #expect(try tree.target("PlainTests")?.alwaysRuns == nil)
    }

    @Test(
        "A manifest that sets flags, or that asks for the commit, has unknown inputs",
        arguments: [
            "unsafeFlags", "linkedLibrary", "import Glibc", "#file", "@_silgen_name", "gitInformation",
            "packageDirectory", "headerSearchPath(\"..",
            "copy(\"../..", "headerSearchPath(", "publicHeadersPath:",
        ])
    func flags(_ text: String) throws {
        let tree = try TestTree()
        try tree.tree.edit("Packages/Ride/Package.swift", "let package", "// .\(text)\")\nlet package")
        #expect(try tree.target("RideTests")?.alwaysRuns == "Packages/Ride/Package.swift contains `\(text)`")
        #expect(try tree.target("GateTests")?.alwaysRuns == nil)
    }

    @Test("A manifest may name folders of its own package")
    func folders() throws {
        let tree = try TestTree()
        try tree.tree.edit(
            "Packages/Ride/Package.swift", "let package",
            "// .headerSearchPath(\"C\"), .copy( \"R\" ), publicHeadersPath: \"include\",\nlet package")
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
    }

    @Test("A manifest that reads variables in an extension of Context has unknown inputs")
    func context() throws {
        let tree = try TestTree()
        try tree.tree.edit(
            "Packages/Ride/Package.swift", "let package",
            "extension Context { static func has(_ name: String) -> Bool { environment[name] != nil } }\nlet package"
        )
        #expect(
            try tree.target("RideTests")?.alwaysRuns
                == "Packages/Ride/Package.swift reads the environment other than by Context.environment[\"NAME\"]"
        )
    }

    @Test("The files of a C target in a default folder are known, and in another folder they are not")
    func languageC() throws {
        let tree = try TestTree([
            "Packages/Clock/Package.swift": SmallTree.manifest("Clock"),
            "Packages/Clock/src/Clock/clock.c": "int clock = 1;",
            "Package.swift": TestTree.root.replacing(
                ".package(path: \"Packages/Gate\"),",
                with: ".package(path: \"Packages/Gate\"), .package(path: \"Packages/Clock\"),"
            ).replacing(
                "path: \"Apps/PlainTests\"",
                with:
                    "dependencies: [.product(name: \"Clock\", package: \"Clock\")], path: \"Apps/PlainTests\""
            ),
        ])
        #expect(try tree.target("PlainTests")?.alwaysRuns == nil)
        let before = try tree.keys()
        try tree.tree.write("Packages/Clock/src/Clock/clock.c", "int clock = 2;")
        #expect(try tree.keys().filter { before[$0.key] != $0.value }.map(\.key) == ["PlainTests"])
        try tree.tree.run("mv", "Packages/Clock/src", "Packages/Clock/code")
        let reason = "Packages/Clock/Sources/Clock has no files of Clock; give its `path`"
        #expect(try tree.target("PlainTests")?.alwaysRuns == reason)
        // What `reads` says about a target does not tell where its sources are.
        try tree.tree.edit(".modules.yml", "[ReadsTests]", "[ReadsTests, Clock]")
        #expect(try tree.target("PlainTests")?.alwaysRuns == reason)
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
    }

    @Test("A file that cannot be read is an unknown input, and so are files whose names are equal strings")
    func unreadable() throws {
        let tree = try TestTree()
        let folder = "Packages/Ride/Sources/Ride/Resources"
        try tree.tree.run("ln", "-s", "nowhere", "\(folder)/link")
        #expect(try tree.target("RideTests")?.alwaysRuns == "\(folder)/link cannot be read")
        #expect(try tree.target("GateTests")?.alwaysRuns == nil)
        try tree.tree.remove("\(folder)/link")
        #if os(Linux)
        for names in [["caf\\xe9"], ["e\\xcc\\x81", "\\xc3\\xa9"]] {
            for name in names { try tree.tree.run("bash", "-c", "echo >\(folder)/$'\(name)'") }
            #expect(
                try tree.target("RideTests")?.alwaysRuns?.hasSuffix(" cannot be read") == true, "\(names)")
            try tree.tree.run("bash", "-c", "rm \(folder)/$'\(names[0])'")
        }
        #expect(try tree.target("RideTests")?.alwaysRuns == nil)
        #endif
    }

    @Test("A manifest may optimise")
    func optimised() throws {
        for (flags, isFine) in [
            ("([\"-Ounchecked\"])", true), ("([\"-O\"] + more)", false), (" ([\"-O\"])", false),
            ("([\"-Ofile\", a])", false),
        ] {
            let tree = try TestTree()
            try tree.tree.edit(
                "Packages/Ride/Package.swift", "let package", "// .unsafeFlags\(flags)\nlet package")
            #expect(try (tree.target("RideTests")?.alwaysRuns == nil) == isFine, "\(flags)")
        }
    }

    @Test("A folder under `reads` whose files do not count has unknown inputs")
    func noFiles() throws {
        let tree = try TestTree()
        try tree.tree.edit(".modules.yml", "Packages/Gate/Shared", ".build/bin")
        #expect(
            try tree.target("ReadsTests")?.alwaysRuns
                == ".build/bin, which `reads` lists, contains no files that count")
    }

    @Test("A plugin and a system library have unknown inputs")
    func plugins() throws {
        let tree = try TestTree()
        try tree.tree.edit(
            "Package.swift", "path: \"Apps/PlainTests\"",
            "path: \"Apps/PlainTests\", plugins: [.plugin(name: \"Lint\", package: \"Kit\")]")
        #expect(try tree.target("PlainTests")?.alwaysRuns == "PlainTests uses a plugin or a system library")
    }

    @Test("An option that names a folder makes all targets run, unless the folder is the toolchain's")
    func optionsWithFolders() throws {
        let tree = try TestTree()
        tree.options = ["-Xcc", "-IPackages"]
        #expect(try tree.targets().allSatisfy { $0.alwaysRuns == "the option Packages names a folder" })
        tree.machine.libraries = tree.tree.root
        #expect(try tree.targets().allSatisfy { $0.alwaysRuns == nil })
    }

    @Test("A checkout of a dependency that differs from its revision has unknown inputs")
    func checkouts() throws {
        let tree = try TestTree()
        try tree.tree.write(".build/checkouts/Kit/Kit.swift", "")
        let git = "git -C .build/checkouts/Kit"
        try tree.tree.run(
            "sh", "-c",
            "\(git) init -q && \(git) add . && \(git) -c user.name=T -c user.email=t@e commit -qm Kit")
        let head = try Command.run(["sh", "-c", git + " rev-parse HEAD"], in: tree.tree.root).line
        try tree.tree.write(
            ".build/workspace-state.json", "{\"subpath\": \"Kit\", \"revision\": \"\(head)\"}")
        let reason = "the checkout of Kit differs from its pinned revision"
        #expect(try tree.target("KitTests")?.alwaysRuns == nil)
        for file in ["Kit.swift", "New.swift"] {
            try tree.tree.write(".build/checkouts/Kit/\(file)", "// Edited.")
            #expect(try tree.target("KitTests")?.alwaysRuns == reason)
            #expect(try tree.target("PlainTests")?.alwaysRuns == nil)
            try tree.tree.run("sh", "-c", "\(git) checkout -q . && \(git) clean -fq")
        }
        try tree.tree.run(
            "sh", "-c", "\(git) -c user.name=T -c user.email=t@e commit --allow-empty -qm More")
        #expect(try tree.target("KitTests")?.alwaysRuns == reason)
    }

    @Test("A package outside the tree is not taken for one in the tree with the same name")
    func sameName() throws {
        let outside = try TemporaryTree(["Shared/RideApi/Package.swift": SmallTree.manifest("RideApi")])
        let path = outside.root + "/Shared/RideApi"
        let tree = try TestTree()
        try tree.tree.edit("Packages/Ride/Package.swift", "\"../RideApi\"", "\"\(path)\"")
        #expect(
            try tree.target("RideTests")?.alwaysRuns
                == "Packages/Ride/Package.swift depends on \(path), which is outside the tree")
        #expect(try tree.target("PlainTests")?.alwaysRuns == nil)
    }

    @Test("A misspelt name under `reads` is an error")
    func misspelt() throws {
        let tree = try TestTree()
        try tree.tree.edit(".modules.yml", "[ReadsTests]", "[ReadTests]")
        let error = try #require(throws: Diagnostic.self) { try tree.targets() }
        #expect(error.what.contains("no target 'ReadTests'") && error.fix == "Choose ReadsTests.")
    }
}
