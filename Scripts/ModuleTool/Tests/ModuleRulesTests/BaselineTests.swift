import Foundation
import ModuleFixtures
import ModuleKit
import RuleFixtures
import Testing

@testable import ModuleRules

@Suite("Baselines")
struct BaselineTests {
    private let tree: TemporaryTree
    private let rules: [Rule]

    init() throws {
        tree = try SmallTree.make()
        try tree.commit("Good")
        rules = try RuleBook.rules(named: [])
    }

    /// The findings that are not in the tree's baseline, and the stale entries.
    private func open() throws -> [String] {
        let baseline = try #require(try Baseline(root: tree.root))
        return baseline.apply(to: try tree.findings(), of: rules).map { "\($0.rule): \($0.what)" }
    }

    private func record() throws { try tree.write(Baseline.path, Baseline(try tree.findings()).text()) }

    /// Writes a baseline as an older version of the tool wrote it.
    private func write(_ entries: (rule: String, path: String, what: String)...) throws {
        let all = entries.map { ["rule": $0.rule, "path": $0.path, "what": $0.what] }
        try tree.write(Baseline.path, String(decoding: JSONEncoder().encode(all), as: UTF8.self))
    }

    @Test("A known finding stays known when the lines and positions in its message change")
    func positions() throws {
        let call = "        list.append(RideModule())"
        try tree.edit(File.list, call, "        if list.isEmpty {\n    \(call)\n        }")
        try record()
        #expect(try tree.findings().contains { $0.rule == "app-list" && $0.what.contains(" at ") })
        #expect(try open() == [])
        try tree.edit(File.list, "        if list", "        // A word.\n          if list")
        #expect(try open() == [])
    }

    @Test("A known finding stays known when its reason and its fix have other words")
    func words() {
        func finding(why: String, fix: String) -> Diagnostic {
            Diagnostic(
                .rule("cycles"), at: SourcePlace(File.journey), "Journey uses Ride", why: why, fix: fix)
        }
        let baseline = Baseline([finding(why: "it is a cycle", fix: "remove it")])
        #expect(baseline.apply(to: [finding(why: "It is a cycle.", fix: "Remove it.")], of: rules) == [])
    }

    @Test("A known finding stays known when another commit is named")
    func commits() {
        func finding(_ commit: String) -> Diagnostic {
            Diagnostic(
                .rule("version-lowered"), at: SourcePlace(File.versions),
                "RideApi went down from 1.2.0 (commit \(commit)) to 1.1.0", fix: "")
        }
        let baseline = Baseline([finding("0123456789")])
        #expect(baseline == Baseline([finding("fedcba9870")]))
        #expect(baseline.apply(to: [finding("fedcba9870")], of: rules) == [])
    }

    @Test(
        "A known finding hides no other one: of its rule, of another rule about its package, or in its file",
        arguments: [
            ("version-raised", File.journey, "Journey's sources changed"),
            ("version-step", File.ride, "Ride's sources changed"),
            ("version-raised", File.journey, "Ride's sources changed"),
            ("cycles", File.versions, "Ride's sources changed"),
            ("version-raised", File.versions, "Journey's sources changed"),
        ])
    func others(_ rule: String, _ path: String, _ what: String) {
        func finding(_ rule: String, _ path: String, _ what: String) -> Diagnostic {
            Diagnostic(.rule(rule), at: SourcePlace(path), what, fix: "")
        }
        let baseline = Baseline([finding(rule, path, what)])
        let left = baseline.apply(
            to: [finding("version-raised", File.ride, "Ride's sources changed")], of: rules)
        #expect(left.map(\.rule).sorted() == ["baseline-stale", "version-raised"])
    }

    @Test("Equal findings are counted: one more is new, and one fewer is stale")
    func equal() {
        func findings(_ count: Int) -> [Diagnostic] {
            (1...count).map { line in
                Diagnostic(
                    .rule("cycles"), at: SourcePlace(path: File.journey, line: line), "Journey uses Ride",
                    fix: "", home: File.journeyManifest)
            }
        }
        for (known, found, open) in [(3, 3, []), (3, 5, ["cycles", "cycles"]), (1, 2, ["cycles"])] {
            let left = Baseline(findings(known)).apply(to: findings(found), of: rules)
            #expect(left.map(\.rule) == open, "\(known) \(found)")
        }
        #expect(Baseline(findings(3)).apply(to: findings(2), of: rules).map(\.rule) == ["baseline-stale"])
    }

    @Test("Imports that are known as one finding stay known when one of them goes")
    func places() throws {
        for name in ["A", "Z"] {
            try tree.write(File.beside(File.errorCode, "\(name).swift"), "import ApiCenter\n")
        }
        try record()
        #expect(try open() == [])
        try tree.remove(File.beside(File.errorCode, "A.swift"))
        #expect(try open() == [])
        try tree.remove(File.beside(File.errorCode, "Z.swift"))
        #expect(try open().map { $0.prefix(14) } == ["baseline-stale"])
    }

    @Test("A baseline of an older version lists each import, and the findings of weaker rules")
    func older() throws {
        let (a, z) = (File.beside(File.errorCode, "A.swift"), File.beside(File.errorCode, "Z.swift"))
        for file in [a, z] { try tree.write(file, "import ApiCenter\n") }
        let upward = File.beside(File.mediator, "More.swift")
        try tree.write(upward, "import ErrorCode\n")
        func missing(_ module: String, _ target: String) -> String {
            "\(module) is imported, but the target \(target) does not declare it"
        }
        try write(
            ("import-declared", a, missing("ApiCenter", "ErrorCode")),
            ("import-declared", z, missing("ApiCenter", "ErrorCode")),
            ("import-declared", upward, missing("ErrorCode", "Mediator")),
            ("layer-order", upward, "Mediator (Base) depends upward on ErrorCode (Common)"),
            ("diagram-current", "README.md", "shows an outdated tree: expected `a --> b`"),
            ("linked-once", File.rideManifest, "A and B each contain a copy of C"))
        #expect(try open() == [])
        try tree.remove(upward)
        #expect(
            try open()
                == [
                    "baseline-stale: listed as known, but no longer found: \(upward): layer-order: "
                        + "Mediator (Base) depends upward on ErrorCode (Common)",
                    "baseline-stale: listed as known, but no longer found: \(upward): import-declared: "
                        + missing("ErrorCode", "Mediator"),
                ].sorted())
    }

    @Test(
        "Older entries about a row of VERSIONS.md are about the same row",
        arguments: [
            (
                "| >= 1.1.0 |", "| >= 1.0.0 |", "version-table",
                "the floor of Ride is 1.0.0, but its IMP is 1.1.0."
            ),
            ("| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |\n", "", "version-table", "Ride has no row"),
            (
                "| Lifecycle ", "| Aaa | 1.0.0 |\n| Lifecycle ", "version-libraries",
                "the table lists Aaa, but the tree has no such library"
            ),
        ])
    func rows(_ old: String, _ new: String, _ rule: String, _ what: String) throws {
        try tree.edit(File.versions, old, new)
        try write((rule, File.versions, what))
        #expect(try tree.findings(rule).count == 1)
        let baseline = try #require(try Baseline(root: tree.root))
        let chosen = try RuleBook.rules(named: [rule])
        #expect(baseline.apply(to: try tree.findings(rule), of: chosen) == [])
        try write(
            (rule, File.versions, what.replacing("Ride", with: "Journey").replacing("Aaa", with: "Bbb")))
        let other = try #require(try Baseline(root: tree.root))
        #expect(other.apply(to: try tree.findings(rule), of: chosen).count == 2)
    }
}
