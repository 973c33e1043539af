import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import Testing

@testable import moduletool

/// Runs the built tool as a separate process.
@Suite("The command line")
struct CommandTests {
    @Test("The check command exits with 0 for a clean tree, from any folder in the tree")
    func clean() throws {
        let tree = try SmallTree.withOneCommit()
        let output = try Tool.alone("check", "--no-cache", in: tree.root + "/Packages/Business/Ride/Sources")
        #expect(output.status == 0)
        #expect(output.text.hasPrefix("clean: "))
    }

    @Test(
        "The check command exits with 1 for findings, and prints them as text, JSON or GitHub workflow commands"
    )
    func findings() throws {
        let tree = try SmallTree.withOneCommit()
        let file = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
        try tree.edit(file, "import RideApi", "import RideApi\nimport Ride")
        let text = try Tool.alone("check", "imp-hidden", "--no-cache", "--root", tree.root, in: "/")
        #expect(text.status == 1)
        #expect(text.text.hasPrefix("\(file):5:1: imp-hidden: Journey depends on the IMP Ride\n  why:  "))
        #expect(text.text.contains("\n  fix:  depend on RideApi instead"))

        let json = try Tool.alone("check", "imp-hidden", "--no-cache", "--format", "json", in: tree.root)
        let document = try #require(
            try JSONSerialization.jsonObject(with: json.standardOutput) as? [String: Any])
        let first = try #require((document["findings"] as? [[String: Any]])?.first)
        #expect(first["path"] as? String == file)
        #expect(first["line"] as? Int == 5)

        let github = try Tool.alone("check", "imp-hidden", "--no-cache", "--format", "github", in: tree.root)
        #expect(github.text.hasPrefix("::error file=\(file),line=5,col=1,title=imp-hidden::Journey depends"))
        #expect(github.text.split(separator: "\n").count == 2)
        // The paths are relative to the workspace, even for a tree in a subfolder.
        for (workspace, path) in [(tree.root, file), ("/nowhere", String(file.dropFirst("Packages/".count)))]
        {
            let output = try Command.run(
                [
                    "env", "GITHUB_WORKSPACE=\(workspace)", Tool.path(), "check", "imports", "--no-cache",
                    "--format", "github", "--root", tree.root + "/Packages",
                ], in: tree.root)
            #expect(output.text.hasPrefix("::error file=\(path),line=5,"))
        }
    }

    @Test("The tool exits with 2 for invalid arguments, and says how to fix them")
    func usage() throws {
        let tree = try SmallTree.withOneCommit()
        for (line, fix) in [
            ("check layer-oder", "use layer-order"), ("check nothing", "use one of: pairs, "),
            ("chek", "modules check"), ("frobnicate", "use one of: check, "),
            ("check --format xml", "modules check "), ("graph --focus A --write B", "modules graph "),
            ("graph --focus Rid", "use Ride"), ("new-module", "modules new-module "),
            ("check --root \(tree.root)/.git", "with --root, pass the folder"),
        ] {
            let output = try Command.run(
                ["env", "-u", "MODULETOOL_ROOT", Tool.path()] + line.split(separator: " ").map(String.init),
                in: tree.root)
            #expect(output.status == 2)
            #expect(output.standardError.hasPrefix("error: "))
            #expect(output.standardError.contains("\n  fix:  " + fix), "\(output.standardError)")
        }
    }

    @Test("The tool prints its version, and prints shell completion scripts")
    func completionScripts() throws {
        let versions = try String(contentsOf: HouseFiles.root.appending(path: "VERSIONS.md"), encoding: .utf8)
        let version = try Tool.alone("--version", in: "/").text.dropLast()
        #expect(versions.contains("\n| ModuleTool | \(version) |\n"))
        for shell in ["bash", "zsh", "fish"] {
            let output = try Tool.alone("--generate-completion-script", shell, in: "/")
            #expect(
                output.status == 0 && output.text.contains("new-module")
                    && output.text.contains("layer-order"))
        }
        #expect(try Tool.alone("--generate-completion-script", "csh", in: "/").status == 2)
    }

    @Test("Bash completes commands, and the names of pairs, packages, rules and formats")
    func completion() throws {
        let tool = try Tool()
        try tool.installLaunchers()
        for (line, names) in [
            ("re", "registrations,recover,release,remove"), ("remove Mod", "ModuleA,ModuleB,ModuleC"),
            ("bump Rou", "Routes"), ("graph --focus Pay", "PayType,PayTypeApi,PayTypeCashless"),
            ("check imp-h", "imp-hidden"), ("check --format g", "github"), ("remove Nobody", ""),
        ] {
            let words = "Scripts/modules " + line
            let output = try tool.attempt(
                """
                eval "$(Scripts/modules --generate-completion-script bash)"
                COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="\(words)"
                COMP_POINT=${#COMP_LINE}
                _modules Scripts/modules "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            let found = Set(output.text.split(separator: "\n"))
            #expect(
                found.isSuperset(of: names.split(separator: ",")), "\(output.text)\(output.standardError)")
            #expect(found.isEmpty == names.isEmpty)
        }
    }

    @Test("The tool's executable has a unique name even on a case-insensitive disk")
    func caseInsensitive() throws {
        let tool = URL(filePath: try Tool.path())
        let names = try FileManager.default.contentsOfDirectory(
            atPath: tool.deletingLastPathComponent().path)
        let same = names.filter { $0.lowercased() == tool.lastPathComponent.lowercased() }
        #expect(same == [tool.lastPathComponent])
    }

    @Test("With a baseline, check fails only for new findings and for stale entries")
    func baseline() throws {
        let tree = try SmallTree.withOneCommit()
        let file = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
        try tree.edit(file, "import RideApi", "import RideApi\nimport Ride")
        let dry = try Tool.alone(
            "baseline", "pairs", "layers", "imports", "--dry-run", "--no-cache", in: tree.root)
        #expect(dry.status == 0)
        #expect(dry.text.contains("imp-hidden"))
        #expect(!FileManager.default.fileExists(atPath: tree.root + "/" + Baseline.path))

        #expect(
            try Tool.alone("baseline", "pairs", "layers", "imports", "--no-cache", in: tree.root).status == 0)
        #expect(try Tool.alone("check", "layers", "imports", "--no-cache", in: tree.root).status == 0)
        // A known finding may move to another line.
        try tree.edit(file, "import RideApi", "// A word.\nimport RideApi")
        #expect(try Tool.alone("check", "layers", "imports", "--no-cache", in: tree.root).status == 0)
        // A different finding counts as new.
        try tree.edit(file, "import Ride\n", "import Ride\nimport Mediator\n")
        let new = try Tool.alone("check", "layers", "imports", "--no-cache", in: tree.root)
        #expect(new.status == 1)
        #expect(new.text.contains("Mediator is imported"))
        // Entries for fixed findings must be removed from the baseline.
        try tree.edit(file, "import Ride\nimport Mediator\n", "")
        let stale = try Tool.alone("check", "layers", "--no-cache", in: tree.root)
        #expect(stale.status == 1)
        #expect(stale.text.contains("baseline-stale"))
        for (option, message) in [
            ("--dry-run", "There are no findings to record: \(Baseline.path) would be deleted.\n"),
            ("--no-cache", "There are no findings to record: \(Baseline.path) was deleted.\n"),
            ("--no-cache", "There are no findings to record.\n"),
        ] {
            let output = try Tool.alone("baseline", "pairs", "layers", "imports", option, in: tree.root)
            #expect(output.status == 0 && output.text == "" && output.standardError == message)
        }
        #expect(!FileManager.default.fileExists(atPath: tree.root + "/" + Baseline.path))
    }

    @Test("A version-raised finding in the baseline stays known after other edits and a rewritten history")
    func baselineOfVersions() throws {
        let tree = try SmallTree.committed()
        let sources = "Packages/Business/Ride/Sources/Ride/"
        try tree.write(sources + "Later.swift", "let later = 1\n")
        #expect(try Tool.alone("baseline", "versions", "--no-cache", in: tree.root).status == 0)
        #expect(try tree.read(Baseline.path).contains("version-raised"))
        try tree.write(sources + "Earlier.swift", "let earlier = 1\n")
        try tree.git("commit", "-q", "--amend", "-m", "Another hash")
        let known = try Tool.alone("check", "versions", "--no-cache", in: tree.root)
        #expect(known.status == 0, "\(known.text)")
        try tree.write("Packages/Business/Journey/Sources/Journey/X.swift", "let x = 1\n")
        let new = try Tool.alone("check", "versions", "--no-cache", in: tree.root)
        #expect(new.text.contains("Journey's sources changed") && !new.text.contains("Ride's"), "\(new.text)")
    }

    @Test("The explain command describes every rule")
    func explain() throws {
        let all = try Tool.alone("explain", in: "/")
        for rule in RuleBook.all {
            #expect(all.text.contains(rule.id))
            #expect(try Explain.parse([rule.id]).rules == [rule.id])
        }
    }

    @Test("The affected command lists the packages and tests that a change affects")
    func affected() throws {
        let tree = try SmallTree.withOneCommit()
        try tree.edit(
            "Packages/Business/Ride/Sources/Ride/RideModule.swift", "import Lifecycle", "import  Lifecycle")
        func output() throws -> String {
            try Tool.alone("affected", "--since", "HEAD", "--no-cache", in: tree.root).text
        }
        let text = "package App  through Ride\npackage Ride  changed\ntests   RideTests\n"
        #expect(try output() == text)
        // Build folders do not count as changes, even if git does not ignore them.
        try tree.write(".build/debug/App.swift", "")
        try tree.write("Packages/Base/Mediator/.build/x", "")
        #expect(try output() == text)
        #expect(try Tool.alone("affected", "--since", "nowhere", "--no-cache", in: tree.root).status == 3)
    }

    @Test(
        "The affected command works in a shallow clone, and says how many commits to fetch for an older revision"
    )
    func shallow() throws {
        let tree = try SmallTree.withOneCommit()
        for name in ["One", "Two", "Three"] {
            try tree.write("Packages/Base/Mediator/Sources/Mediator/\(name).swift", "")
            try tree.commit(name)
        }
        try tree.git("branch", "other", "HEAD~3")
        let clone = try TemporaryTree()
        try clone.git("clone", "-q", "--depth=2", "--no-single-branch", "file://" + tree.root, "tree")
        func affected(_ revision: String) throws -> Command.Output {
            try Tool.alone(
                "affected", "--since", revision, "--no-cache", "--root", clone.root + "/tree", in: "/")
        }
        #expect(
            try affected("HEAD~1").text
                == "package Mediator  changed\npackage RideActions  through Mediator\n")
        for (revision, fix) in [
            ("HEAD~3", "git fetch --depth=4 (in a workflow: actions/checkout with fetch-depth: 4)\n"),
            ("origin/other", "git fetch --depth=50 origin +other:refs/remotes/origin/other (in a"),
            ("origin/nowhere", "git fetch --depth=50 origin +nowhere:refs/remotes/origin/nowhere (in a"),
        ] {
            let output = try affected(revision)
            #expect(output.status == 3)
            #expect(output.standardError.contains("why:  the clone contains only 2 commits"))
            #expect(output.standardError.contains("fix:  " + fix), "\(output.standardError)")
        }
        try clone.run("git", "-C", "tree", "fetch", "-q", "--depth=4")
        #expect(try affected("HEAD~3").status == 0)
    }

    @Test(
        "The why command shows the shortest path between two packages or targets, and the source lines of each step"
    )
    func why() throws {
        let tree = try SmallTree.withOneCommit()
        let way = try Tool.alone("why", "App", "ErrorCode", "--no-cache", in: tree.root)
        #expect(
            way.text == """
                Shell (App) -> Journey
                  declared  Package.swift:28:17
                  imported  Apps/Shell/Sources/Shell/Registrations.swift:4:1
                Journey -> ErrorCode
                  declared  Packages/Business/Journey/Package.swift:15:62
                  imported  Packages/Business/Journey/Sources/Journey/JourneyService.swift:2:1

                """)
        #expect(
            try Tool.alone("why", "RideTests", "ApiCenter", "--no-cache", in: tree.root).text.hasPrefix(
                "RideTests (Ride) -> Ride\n"))
        // A caller of a pair depends on its Api, and an app on its IMP.
        for (from, way) in [("Journey", "Journey -> RideApi\n"), ("App", "Shell (App) -> Ride\n")] {
            let text = try Tool.alone("why", from, "Ride", "--no-cache", in: tree.root).text
            #expect(text.hasPrefix(way) && text.ranges(of: " -> ").count == 1, "\(text)")
        }
        let manifest = "Packages/Common/ErrorCode/Package.swift"
        try tree.edit(
            manifest, "dependencies: [\n    ]",
            "dependencies: [.package(url: \"https://x.org/swift-log\", from: \"1.0.0\")]")
        try tree.edit(
            manifest, "dependencies: []",
            "dependencies: [.product(name: \"Logging\", package: \"swift-log\")]")
        for name in ["swift-log", "Logging"] {
            for (from, first) in [("Journey", "Journey -> ErrorCode\n"), ("ErrorCode", "ErrorCode -> ")] {
                let text = try Tool.alone("why", from, name, "--no-cache", in: tree.root).text
                let last = "ErrorCode -> \(name)\n  declared  \(manifest):9:51\n"
                #expect(text.hasPrefix(first) && text.hasSuffix(last), "\(text)")
            }
        }
        let none = try Tool.alone("why", "ErrorCode", "Journey", "--no-cache", in: tree.root)
        #expect(none.status == 1)
        #expect(none.text == "ErrorCode does not depend on Journey, but Journey depends on ErrorCode\n")
        for (names, fix) in [
            (["Rid", "ErrorCode"], "use Ride instead"), (["Ride", "Ride"], "choose two different"),
        ] {
            let wrong = try Tool.alone("why", names[0], names[1], "--no-cache", in: tree.root)
            #expect(
                wrong.status == 2 && wrong.standardError.contains("fix:  " + fix), "\(wrong.standardError)")
        }
    }

    @Test("The list command shows all packages; its JSON output adds pairs, layers and targets")
    func list() throws {
        let tree = try SmallTree.withOneCommit()
        let text = try Tool.alone("list", "--no-cache", in: tree.root).text
        #expect(text.hasPrefix("Apps      app      App          "))
        #expect(text.contains("\nBusiness  imp      Ride         1.1.0  2 targets  Packages/Business/Ride\n"))
        #expect(
            text.contains("\nCore      library  ApiCenter    1.0.0  1 target   Packages/Core/ApiCenter\n"))
        let json = try Tool.alone("list", "--format", "json", "--no-cache", in: tree.root).standardOutput
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect((document["layers"] as? [String])?.first == "Core")
        let pairs = try #require(document["pairs"] as? [[String: String]])
        #expect(pairs.last == ["name": "Ride", "api": "1.2.0", "version": "1.1.0", "floor": "1.1.0"])
        let packages = try #require(document["packages"] as? [[String: Any]])
        let api = try #require(packages.first { $0["name"] as? String == "RideApi" })
        #expect(api["pair"] as? String == "Ride" && api["version"] as? String == "1.2.0")
    }
}
