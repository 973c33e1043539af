import Foundation
import ModuleFixtures
import ModuleRules
import Testing
import ToolFixtures

@testable import moduletool

/// Runs the built tool as a separate process.
@Suite("The command line")
struct CommandTests {
    private static let service = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"

    private let tool: Tool
    private var tree: TemporaryTree { tool.tree }

    init() throws { tool = try Tool(in: SmallTree.withOneCommit()) }

    @Test("The check command exits with 0 for a clean tree, from any folder in the tree")
    func clean() throws {
        let output = try Tool.alone("check", "--no-cache", in: tree.root + "/Packages/Business/Ride/Sources")
        #expect(output.status == 0)
        #expect(output.text.hasPrefix("clean: "))
    }

    @Test(
        "The check command exits with 1 for findings, and prints them as text, JSON, or lines for GitHub or Xcode"
    )
    func findings() throws {
        let file = Self.service
        try tree.edit(file, "import RideApi", "import RideApi\nimport Ride\nimport Mediator")
        let text = try tool.expect(
            "check imp-hidden", 1, "\n  fix:  Depend on RideApi instead", "\n1 finding: ")
        #expect(text.hasPrefix("\(file):5:1: imp-hidden: Journey depends on the IMP Ride\n  why:  "))
        // The reason for a rule is printed once.
        let two = try tool.expect("check import-declared", 1, "\n2 findings: ")
        #expect(two.ranges(of: "why:").count == 1 && two.ranges(of: "  fix:").count == 2, "\(two)")
        let json = try tool.expect("check imp-hidden --format json", 1)
        let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let first = try #require((document?["findings"] as? [[String: Any]])?.first)
        #expect(first["path"] as? String == file && first["line"] as? Int == 5)
        let xcode = try tool.expect("check import-declared --format xcode", 1).split(separator: "\n")
        #expect(xcode.count == 2 && xcode[0].hasPrefix("\(tree.root)/\(file):5:1: error: Ride is imported"))
        #expect(
            xcode[1].contains(/:6:1: error: Mediator .*; fix: .*; why: .* \(import-declared\)$/), "\(xcode)")
        #expect(try tool.expect("check cycles --format xcode") == "")
        let github = try tool.expect("check imp-hidden --format github", 1)
        #expect(github.hasPrefix("::error file=\(file),line=5,col=1,title=imp-hidden::Journey depends"))
        #expect(github.split(separator: "\n").count == 2)
        // The paths are relative to the workspace, even for a tree in a subfolder.
        for (workspace, path) in [(tree.root, file), ("/nowhere", String(file.dropFirst("Packages/".count)))]
        {
            try tool.expect(
                "check imports --format github", 1, "::error file=\(path),line=5,",
                environment: ["GITHUB_WORKSPACE": workspace], root: "Packages")
        }
    }

    @Test("A warning has its own severity in each format, and does not fail the check")
    func warnings() throws {
        let file = Self.service
        try tree.edit(file, "import RideApi", "import RideApi\nimport Mediator")
        try tree.write(
            ".modules.yml",
            """
            rules:
              - {rule: import-declared, severity: warning, reason: The manifests follow in May.}
              - {rule: api-content, severity: off, reason: Old Apis have bodies.}

            """)
        let text = try tool.expect(
            "check imports api-content", 0, "\(file):5:1: warning: import-declared: Mediator is imported",
            "\n1 warning: ", ", 1 rule off, 1 rule set to warning\n",
            "\n  off in .modules.yml: api-content (Old Apis have bodies.)\n")
        #expect(!text.contains("1 finding: "), "\(text)")
        try tool.expect("check layers", 0, "clean: 10 packages, 6 rules\n")
        try tool.expect("check imports --format json", 0, "\"severity\" : \"warning\"")
        try tool.expect("check imports --format github", 0, "::warning file=\(file),line=5,")
        try tool.expect("check imports --format xcode", 0, "\(tree.root)/\(file):5:1: warning: Mediator is")
        try tree.edit(file, "import Mediator", "import Ride")
        try tool.expect("check imports layers", 1, "5:1: imp-hidden: ", "\n1 finding: ")
    }

    @Test("Release and export ignore the settings of the rules that they rely on")
    func reliedRules() throws {
        let tool = try Tool()
        let tree = tool.tree
        try tree.git("tag", "ModuleB-1.0.0")
        let rules = ["version-raised", "version-step", "api-alone", "import-declared"].map {
            "  - {rule: \($0), severity: off, reason: Later.}\n"
        }
        try tree.write(".modules.yml", tree.read(".modules.yml") + "rules:\n" + rules.joined())
        try tree.edit("Packages/Business/ModuleB/Sources/ModuleB/ModuleBService.swift", "I am", "I am the")
        try tree.commit("Changed")
        try tool.expect("check versions")
        try tool.expect(
            "export ModuleB --to \(tree.root).exported", 1, "version-raised: ModuleB's sources changed",
            "Nothing was exported.")
        try tool.expect(
            "release --note Changed.", 0, "Raised ModuleBApi 1.0.0 -> 1.0.1, ModuleB 1.0.0 -> 1.0.1")
    }

    @Test("In the formats for GitHub and Xcode, an error is shown beside the code too")
    func errors() throws {
        try tree.write(Baseline.path, "[")
        try tool.expect(
            "check --format github", 2, "::error title=modules::is not a list", "\nerror: \(Baseline.path): ")
        try tree.remove(Baseline.path)
        try tree.write(".modules.yml", "layer: []\n")
        try tool.expect(
            "check --format github", 2, "::error file=.modules.yml,line=1,", "error: .modules.yml:1")
        try tool.expect("check --format xcode", 2, "\(tree.root)/.modules.yml:1", ": error: ")
    }

    @Test("Only fixes name the script that started the tool: a path in a finding stays as it is")
    func script() throws {
        let path = "Scripts/modules/Package.swift"
        try tree.write(path, SmallTree.manifest("modules", uses: ["Gone"]))
        try tree.write("Scripts/modules/Sources/modules/modules.swift", "import Mediator\n")
        try tree.write(Baseline.path, "[{\"rule\": \"cycles\", \"path\": \"x\", \"what\": \"y\"}]")
        for format in ["text", "json", "github"] {
            try tool.expect(
                "check imports layers --format \(format)", 1, "Scripts/modules/Sources/modules/modules.swift",
                "Run tools/modules baseline", environment: ["MODULETOOL_COMMAND": "tools/modules"])
        }
    }

    @Test(
        "The tool exits with 2 for invalid arguments, says how to fix them, and writes nothing",
        arguments: [
            ("check layer-oder", "Use layer-order."), ("check nothing", "Use one of: pairs, "),
            ("chek", "modules check"), ("frobnicate", "Use one of: check, "),
            ("check --format xml", "modules check "), ("graph --write B", "modules graph "),
            ("graph --focus Rid", "Choose Ride."), ("new-module", "modules new-module "),
            ("check --fix --format json", "modules check "), ("check --dry-run", "modules check "),
            ("why Rid ErrorCode", "Use Ride instead."), ("why Ride Ride", "Choose two different"),
            ("focus", "modules focus NAME"), ("focus Riide", "Choose Ride."),
            ("focus RideApi", "Choose Ride."), ("focus ErrorCode", "Choose one of: "),
            ("export", "modules export "), ("export --to /x Nobody", "Choose one of: "),
            ("export --to /x --url nowhere", "/{name}"), ("export --to ROOT", "Choose a folder outside"),
            ("export --to ROOT/Packages", "Choose a folder outside"),
            ("export --to ROOT/Packages/../new", "Choose a folder outside"),
        ])
    func usage(_ line: String, fix: String) throws {
        let before = try tree.files()
        let text = try tool.expect(line.replacing("ROOT", with: tree.root), 2)
        let found = try #require(text.firstMatch(of: /\n  fix:  (.*)/)).1
        #expect(text.hasPrefix("error: ") && found.contains(fix), "\(text)")
        #expect(try tree.files() == before)
    }

    @Test("The root of a tree has to contain a package")
    func noPackage() throws {
        try tool.expect("check", 2, "\n  fix:  With --root, pass the folder", root: ".git")
    }

    @Test("The tool prints its version, and prints shell completion scripts")
    func completionScripts() throws {
        let versions = try HouseFiles.text("VERSIONS.md")
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
            ("bump Lif", "Lifecycle"), ("graph --focus Pay", "PayType,PayTypeApi,PayTypeCashless"),
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
        let file = Self.service
        let isThere = { [tree] in FileManager.default.fileExists(atPath: tree.root + "/" + Baseline.path) }
        try tree.edit(file, "import RideApi", "import RideApi\nimport Ride")
        try tool.expect("baseline pairs layers imports --dry-run", 0, "\"imp-hidden\"", "this was a dry run")
        #expect(!isThere())
        try tool.expect("baseline pairs layers imports", 0, "recorded as known")
        try tool.expect("check layers imports")
        // A known finding may move to another line.
        try tree.edit(file, "import RideApi", "// A word.\nimport RideApi")
        try tool.expect("check layers imports")
        // A different finding counts as new.
        try tree.edit(file, "import Ride\n", "import Ride\nimport Mediator\n")
        try tool.expect("check layers imports", 1, "Mediator is imported")
        // Entries for fixed findings must be removed from the baseline.
        try tree.edit(file, "import Ride\nimport Mediator\n", "")
        try tool.expect("check layers", 1, "baseline-stale")
        let deleted = "- \(Baseline.path)\n"
        try tool.expect("baseline pairs layers imports --dry-run", 0, deleted)
        #expect(isThere())
        let none = "There are no findings to record.\n"
        #expect(try tool.expect("baseline pairs layers imports") == deleted + none)
        #expect(try tool.expect("baseline pairs layers imports") == none)
        #expect(!isThere())
    }

    @Test("A version-raised finding in the baseline stays known after other edits and a rewritten history")
    func baselineOfVersions() throws {
        let tool = try Tool(in: SmallTree.committed())
        let sources = "Packages/Business/Ride/Sources/Ride/"
        try tool.tree.write(sources + "Later.swift", "let later = 1\n")
        try tool.expect("baseline versions")
        #expect(try tool.tree.read(Baseline.path).contains("version-raised"))
        try tool.tree.write(sources + "Earlier.swift", "let earlier = 1\n")
        try tool.tree.git("commit", "-q", "--amend", "-m", "Another hash")
        try tool.expect("check versions")
        try tool.tree.write("Packages/Business/Journey/Sources/Journey/X.swift", "let x = 1\n")
        #expect(try !tool.expect("check versions", 1, "Journey's sources changed").contains("Ride's"))
    }

    @Test("For a tree that breaks a rule, export prints the findings and writes nothing")
    func export() throws {
        try tree.write("Packages/Business/Journey/Sources/Journey/Broken.swift", "import Ride\n")
        let folder = tree.root + ".cache/packages"
        try tool.expect("export --to \(folder)", 1, "imp-hidden", "Nothing was exported.")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
