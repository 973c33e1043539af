import Foundation
import ModuleFixtures
import ModuleKit
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleEdits
@testable import ModuleReleases

private let changelog = "Packages/Business/RideApi/CHANGELOG.md"
private let module = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
private let alternative = "Packages/Business/RideCheap/Sources/RideCheap/Entry.swift"
private let rideRow = "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |"

@Suite("The bump and release commands")
struct MakeReleasesTests {
    let tree: TemporaryTree

    /// The small tree, and another IMP of Ride's Api.
    init() throws {
        tree = try SmallTree.make()
        try tree.edit(
            "VERSIONS.md", "\n\n| Library", "\n| RideCheap | Ride | 1.0.0 | >= 1.0.0 |\n\n| Library")
        try tree.write(
            "Packages/Business/RideCheap/Package.swift",
            SmallTree.manifest("RideCheap", packages: ["../RideApi"], uses: ["RideApi"]))
        try tree.write(alternative, "struct RideCheapModule { var version: String { \"1.0.0\" } }\n")
    }

    /// Makes the edit, and returns the plan and the paths of the changed files.
    @discardableResult
    private func make(_ edit: some Edit) throws -> (plan: EditPlan, files: [String]) {
        let before = try tree.files()
        let plan = try edit.plan(TreeRoot(tree.url, caching: .file(HouseFiles.facts)))
        try Transaction(root: tree.url).apply(plan.changes, command: edit.command)
        return (plan, try tree.files().filter { before[$0.key] != $0.value }.keys.sorted())
    }

    @Test(
        "The bump command raises each version from its own value, and writes the note and the version in the code",
        arguments: [
            ("Ride", VersionStep.major, false, ["| Ride | 2.0.0 | 2.0.0 | >= 2.0.0 |"], [changelog, module]),
            ("Ride", .minor, false, ["| Ride | 1.3.0 | 1.2.0 | >= 1.2.0 |"], [changelog, module]),
            ("Ride", .patch, false, ["| Ride | 1.2.1 | 1.1.1 | >= 1.1.1 |"], [changelog, module]),
            ("Ride", .minor, true, ["| Ride | 1.3.0 | 1.1.0 | >= 1.1.0 |"], [changelog]),
            (
                "RideCheap", .minor, false,
                ["| Ride | 1.3.0 | 1.1.0 | >= 1.1.0 |", "| RideCheap | Ride | 1.1.0 | >= 1.1.0 |"],
                [changelog, alternative]
            ),
            (
                "Mediator", .minor, false, ["| Mediator | 1.1.0 |"],
                ["Packages/Base/Mediator/CHANGELOG.md"]
            ),
        ])
    func raises(name: String, step: VersionStep, isApiOnly: Bool, rows: [String], files: [String]) throws {
        let edit = MakeReleases(
            name, step, notes: ["First  thing.", "Second\nthing."], isApiOnly: isApiOnly)
        let made = try make(edit)
        #expect(made.files.sorted() == (files + ["VERSIONS.md"]).sorted())
        for row in rows { #expect(try tree.read("VERSIONS.md").contains("\n\(row)\n"), "\(row)") }
        #expect(VersionsFile(try tree.read("VERSIONS.md")).problems == [])
        #expect(Changelog(try tree.read(files[0])).notes[0].text == "- First thing.\n- Second thing.")
        if files.count > 1 {
            let imp = try #require(rows.last?.split(separator: " ").dropLast().last)
            #expect(try tree.read(files[1]).contains("\"\(imp)\""))
        }
    }

    @Test("A package that is generated from a pair follows the release of this pair alone")
    func followers() throws {
        let pairs = [("Mediator", "Ride"), ("ErrorCode", "Journey"), ("Lifecycle", nil)]
        let edit = MakeReleases(
            "Ride", .minor, notes: ["New."],
            generated: { _, _ in
                pairs.map { name, pair in
                    GeneratedPackage(
                        name, of: pair, in: "Packages/Base/\(name)", files: { _ in [:] },
                        stale: { ["Packages/Base/\(name)/Stated.txt": $0.text] })
                }
            })
        #expect(
            try make(edit).files == [
                "Packages/Base/Mediator/CHANGELOG.md", "Packages/Base/Mediator/Stated.txt", module, changelog,
                "VERSIONS.md",
            ])
        #expect(
            Changelog(try tree.read("Packages/Base/Mediator/CHANGELOG.md")).notes[0].text
                == "- Follows RideApi 1.3.0.")
        let versions = try tree.read("VERSIONS.md")
        #expect(versions.contains("| Mediator | 1.1.0 |") && versions.contains("| ErrorCode | 1.0.0 |"))
        #expect(try tree.read("Packages/Base/Mediator/Stated.txt").contains("| Ride | 1.3.0 | 1.2.0 |"))
    }

    @Test("Without changes, the release command says whether there was a release", arguments: [true, false])
    func nothing(isReleased: Bool) throws {
        let summary = try make(
            MakeReleases(
                nil, notes: [], released: { _ in isReleased ? ["RideApi": [SemanticVersion(1, 2, 0)]] : [:] })
        ).plan.summary
        #expect(
            summary
                == (isReleased
                    ? "Nothing has changed since the last releases."
                    : "Nothing is released yet. To release the versions of VERSIONS.md, tag the commit: git tag 1.0.0")
        )
    }

    @Test(
        "Where packages have no versions, the error names the command",
        arguments: [("Ride", "bump"), (nil, "release")])
    func withoutVersions(name: String?, command: String) throws {
        try tree.write(Configuration.path, "versions: none\n")
        let error = #expect(throws: Diagnostic.self) { try make(MakeReleases(name, .minor, notes: ["New."])) }
        #expect(error?.what == "\(command) needs versions, and this file says versions: none.")
    }

    @Test("Messages name a tag that release-tags lists", arguments: ["{name}/{version}", "v*"])
    func tags(pattern: String) throws {
        try tree.write(Configuration.path, "release-tags: [\"\(pattern)\"]\n")
        let summary = try make(MakeReleases(nil, notes: [])).plan.summary
        #expect(summary.hasSuffix("tag the commit: git tag " + (pattern == "v*" ? "v1" : "Journey/1.0.0")))
    }

    @Test("Without a name, a message names the tag of the first Api, or else of the first library")
    func firstTag() throws {
        func tag(_ table: String) throws -> String? {
            try tree.write("VERSIONS.md", table)
            let summary = try make(MakeReleases(nil, notes: [])).plan.summary
            return summary.components(separatedBy: "git tag ").last
        }
        try tree.write(Configuration.path, "release-tags: [\"{name}/{version}\"]\n")
        let (pairs, libraries) = (
            "| Module | Api | IMP | Floor |\n|---|---|---|---|\n", "\n| Library | Version |\n"
        )
        let cheap = "| Cheap | Ride | 1.0.0 | >= 1.0.0 |\n"
        #expect(try tag(pairs + cheap + "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |\n") == "Ride/1.2.0")
        #expect(try tag(pairs + libraries + "|---|---|\n| Mediator | 2.3.0 |\n") == "Mediator/2.3.0")
        #expect(try tag(pairs) == "/1.0.0")
    }

    @Test(
        "The bump command refuses what it cannot raise, and changes nothing",
        arguments: [
            (
                "Ride", rideRow.replacing(">= 1.1.0", with: ">= 0.9.0"), ["x"], false,
                "Write in this line: \(rideRow)"
            ),
            (
                "Ride", rideRow.replacing("1.2.0", with: "1.0.0"), ["x"], false,
                "Write in this line: | Ride | 1.1.0 | 1.1.0 | >= 1.1.0 |"
            ),
            (
                "Ride", rideRow.replacing("1.1.0", with: "1.2.0"), ["x"], false,
                "has version 1.1.0, but its row"
            ),
            (
                "Ride", rideRow.replacing(">= ", with: ""), ["x"], false,
                "the row of Ride is not the expected one."
            ),
            ("RideCheap", "", ["x"], false, "the row of RideCheap is not the expected one."),
            ("Ride", rideRow, [], false, "notes are missing:\n  \(changelog)\n"),
            ("Ride", rideRow, ["fine", " \n"], false, "a note is empty"),
            ("Mediator", rideRow, ["x"], true, "It is a library"),
            ("RideCheap", rideRow, ["x"], true, "Bump Ride instead."),
            ("RideApi", rideRow, ["x"], false, "Choose Ride."),
            ("mediator", rideRow, ["x"], false, "Choose Mediator."),
            ("Nobody", rideRow, ["x"], false, "Choose one of: "),
        ])
    func refused(name: String, row: String, notes: [String], isApiOnly: Bool, message: String) throws {
        try tree.edit("VERSIONS.md", rideRow + "\n", row.isEmpty ? "" : row + "\n")
        let before = try tree.files()
        let error = #expect(throws: Diagnostic.self) {
            try make(MakeReleases(name, .patch, notes: notes, isApiOnly: isApiOnly))
        }
        #expect(
            error?.kind == .configuration && error?.description.contains(message) == true, "\(error as Any)")
        #expect(try tree.files() == before)
    }

    @Test("A changelog with a note for a later version is refused, and unreleased changes join the note")
    func notes() throws {
        let before = try tree.read(changelog)
        try tree.edit(changelog, "## 1.2.0", "## 1.5.0\n\n- Later.\n\n## 1.2.0")
        let edit = MakeReleases("Ride", .patch, notes: [])
        #expect(throws: Diagnostic.self) { try make(edit) }
        try tree.write(
            changelog, before.replacing("## 1.2.0", with: "## Unreleased\n\n- Faster.\n\n## 1.2.0"))
        try make(edit)
        let day = Date.now.formatted(.iso8601.year().month().day())
        #expect(
            try tree.read(changelog)
                == before.replacing("## 1.2.0", with: "## 1.2.1 - \(day)\n\n- Faster.\n\n## 1.2.0"))
    }

    @Test("The release command bumps all changed packages, or lists the packages that lack a change note")
    func release() throws {
        let needed = [
            VersionRaise(name: "Ride", step: .minor, imps: ["Ride"], reasons: ["more is offered"]),
            VersionRaise(name: "Mediator", step: .patch, imps: []),
        ]
        let error = #expect(throws: Diagnostic.self) {
            try make(MakeReleases(nil, notes: []) { _ in needed })
        }
        #expect(error?.what.contains(changelog) == true && error?.what.contains("Mediator") == true)
        let made = try make(MakeReleases(nil, notes: ["Both."]) { _ in needed })
        #expect(
            made.plan.summary.contains("floor >= 1.2.0.\n  minor, because more is offered\nRaised Mediator"))
        #expect(made.files.count == 4)
        #expect(try make(MakeReleases(nil, notes: []) { _ in [] }).files == [])
    }

    @Test("The release command prints five reasons at most")
    func reasons() throws {
        let reasons = (1...7).map { "reason \($0)" }
        let needed = VersionRaise(name: "Ride", step: .minor, imps: ["Ride"], reasons: reasons)
        let summary = try make(MakeReleases(nil, notes: ["x"]) { _ in [needed] }).plan.summary
        #expect(summary.components(separatedBy: "minor, because reason ").count == 6, "\(summary)")
    }

    @Test("The first release of a pair keeps its version, and moves the unreleased changes into its note")
    func first() throws {
        try tree.edit(changelog, "## 1.2.0", "## Unreleased\n\n- Faster.\n\n## 1.2.0")
        let needed = [VersionRaise(name: "Ride", step: nil, imps: [])]
        let made = try make(MakeReleases(nil, notes: []) { _ in needed })
        #expect(made.plan.summary.hasPrefix("RideApi 1.2.0 awaits its first release: commit, and tag"))
        #expect(made.files == [changelog])
        #expect(
            Changelog(try tree.read(changelog)).notes[0].text == "- A route's name.\n- Faster.")
    }

    @Test(
        "Without a step, the bump command takes the smallest sufficient step, and is refused if nothing has changed",
        arguments: [
            (
                "Ride", VersionStep.major,
                "1.2.0 -> 2.0.0.\n  major, because rides() has been removed\n"
                    + "  Ride keeps 1.1.0. Make sure that it builds with the new Api."
            ),
            ("Ride", nil, nil), ("Journey", .major, nil),
        ])
    func smallest(name: String, step: VersionStep?, summary: String?) throws {
        let needed = VersionRaise(name: "Ride", step: step, imps: [], reasons: ["rides() has been removed"])
        let edit = MakeReleases(name, notes: ["x"]) { _ in [needed] }
        guard let summary else {
            let error = #expect(throws: Diagnostic.self) { try make(edit) }
            #expect(error?.kind == .refused)
            return
        }
        #expect(try make(edit).plan.summary.hasSuffix(summary))
        #expect(try tree.read("VERSIONS.md").contains("| Ride | 2.0.0 | 1.1.0 | >= 1.1.0 |"))
    }

    @Test(
        "Without a step and a change, the bump command says whether the version is released, raised, or not released yet",
        arguments: [
            ([], "RideApi 1.2.0 is not released yet.", "To release it, commit, and tag the commit: git tag "),
            (
                [1], "RideApi is raised to 1.2.0 already, and nothing has changed since.",
                "Commit the raised version"
            ),
            (
                [1, 2], "RideApi has not changed since its release 1.2.0.",
                "To release it again, choose a step"
            ),
        ])
    func unchanged(minors: [Int], what: String, fix: String) throws {
        let versions = minors.map { SemanticVersion(1, $0, 0) }
        let error = #expect(throws: Diagnostic.self) {
            try make(MakeReleases("Ride", notes: ["x"], released: { _ in ["RideApi": versions] }))
        }
        #expect(error?.what == what && error?.fix.hasPrefix(fix) == true, "\(error as Any)")
        // A version that awaits its release must not lead to another one.
        #expect(error?.fix.contains("bump") == (minors == [1, 2]))
    }

    @Test("The bump command refuses a step that is too small, and names the declarations that need more")
    func tooSmall() throws {
        let needed = VersionRaise(name: "Ride", step: .major, imps: [], reasons: ["rides() has been removed"])
        let error = #expect(throws: Diagnostic.self) {
            try make(MakeReleases("Ride", .minor, notes: ["x"]) { _ in [needed] })
        }
        #expect(error?.kind == .refused && error?.why.contains("rides() has been removed") == true)
        #expect(error?.fix.contains("bump Ride major") == true)
        try make(MakeReleases("Ride", .major, notes: ["x"]) { _ in [needed] })
        #expect(try tree.read("VERSIONS.md").contains("| Ride | 2.0.0 |"))
    }
}
