import Foundation
import ModuleFixtures
import ModuleRules
import Testing
import ToolFixtures

@testable import moduletool

@Suite("The commands that answer questions about a tree")
struct QuestionCommandTests {
    private let tool: Tool
    private var tree: TemporaryTree { tool.tree }

    init() throws { tool = try Tool(in: SmallTree.withOneCommit()) }

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
        try tree.edit(
            "Packages/Business/Ride/Sources/Ride/RideModule.swift", "import Lifecycle", "import  Lifecycle")
        let text = "package App  through Ride\npackage Ride  changed\ntests   RideTests\n"
        #expect(try tool.expect("affected --since HEAD") == text)
        // Build folders do not count as changes, even if git does not ignore them.
        try tree.write(".build/debug/App.swift", "")
        try tree.write("Packages/Base/Mediator/.build/x", "")
        #expect(try tool.expect("affected --since HEAD") == text)
        try tool.expect("affected --since nowhere", 3)
    }

    @Test(
        "The affected command works in a shallow clone, and says how many commits to fetch for an older revision"
    )
    func shallow() throws {
        for name in ["One", "Two", "Three"] {
            try tree.write("Packages/Base/Mediator/Sources/Mediator/\(name).swift", "")
            try tree.commit(name)
        }
        try tree.git("branch", "other", "HEAD~3")
        let clone = try Tool(in: TemporaryTree())
        try clone.tree.git("clone", "-q", "--depth=2", "--no-single-branch", "file://" + tree.root, ".")
        #expect(
            try clone.expect("affected --since HEAD~1")
                == "package Mediator  changed\npackage RideActions  through Mediator\n")
        for (revision, fix) in [
            ("HEAD~3", "pass fetch-depth: 4 to actions/checkout; otherwise run: git fetch --depth=4"),
            ("origin/other", ": git fetch --depth=50 origin +other:refs/remotes/origin/other"),
            ("origin/nowhere", ": git fetch --depth=50 origin +nowhere:refs/remotes/origin/nowhere"),
        ] {
            try clone.expect(
                "affected --since \(revision)", 3, "why:  The clone contains only 2 commits",
                "fix:  In a workflow, pass fetch-depth: ",
                fix + "\n")
        }
        try clone.tree.git("fetch", "-q", "--depth=4")
        try clone.expect("affected --since HEAD~3")
    }

    @Test(
        "The why command shows the shortest path between two packages or targets, and the source lines of each step"
    )
    func why() throws {
        #expect(
            try tool.expect("why App ErrorCode") == """
                Shell (App) -> Journey
                  declared  Package.swift:28:17
                  imported  Apps/Shell/Sources/Shell/Registrations.swift:4:1
                Journey -> ErrorCode
                  declared  Packages/Business/Journey/Package.swift:15:62
                  imported  Packages/Business/Journey/Sources/Journey/JourneyService.swift:2:1

                """)
        #expect(try tool.expect("why RideTests ApiCenter").hasPrefix("RideTests (Ride) -> Ride\n"))
        // A caller of a pair depends on its Api, and an app on its IMP.
        for (from, way) in [("Journey", "Journey -> RideApi\n"), ("App", "Shell (App) -> Ride\n")] {
            let text = try tool.expect("why \(from) Ride")
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
                let text = try tool.expect("why \(from) \(name)")
                let last = "ErrorCode -> \(name)\n  declared  \(manifest):9:51\n"
                #expect(text.hasPrefix(first) && text.hasSuffix(last), "\(text)")
            }
        }
        #expect(
            try tool.expect("why ErrorCode Journey", 1)
                == "ErrorCode does not depend on Journey, but Journey depends on ErrorCode\n")
    }

    @Test(
        "The former command list names the command that replaces it",
        arguments: [("", "text"), (" --format json", "json"), (" --format=json", "json")])
    func list(options: String, format: String) throws {
        try tool.expect(
            "list" + options, 2, "there is no command 'list'",
            "\n  fix:  Run: Scripts/modules graph --format \(format)\n")
    }
}
