import Foundation
import ModuleFixtures
import ModuleKit
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("What counts as a release")
struct FirstReleaseTests {
    /// A tree whose only commit sets the first versions, so that nothing in it is released.
    private let tree: TemporaryTree

    init() throws {
        tree = try SmallTree.make()
        try tree.commit("The first versions")
    }

    /// Changes an IMP, breaks its Api, and adds to a library.
    private func edit() throws {
        try tree.edit(File.ride, "[] }", "[RideCode(text: \"x\")] }")
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try tree.edit(File.mediator, "{ public init() {} }", "{ public init() {}; public func call() {} }")
    }

    /// Changes an IMP again.
    private func editRide() throws { try tree.edit(File.ride, "text: \"x\"", "text: \"y\"") }

    /// Writes a change below "Unreleased".
    private func note() throws {
        try tree.insert(
            "## Unreleased\n\n- The route has another name.\n\n", before: "## 1.2.0", in: File.rideNotes)
    }

    private func due() throws -> [String] {
        try tree.context().neededRaises()
            .map { "\($0.name) \($0.step?.rawValue ?? "first")" }
    }

    @Test("A pair or library that was never released needs no new version, whatever changes")
    func unreleased() throws {
        try edit()
        #expect(try tree.findings("versions") == [])
        try tree.expect()
        #expect(try tree.rules(since: "HEAD~1") == [])
        #expect(try due() == [])
        #expect(try tree.context().releasedVersions().values.allSatisfy(\.isEmpty))
        // A version that nobody has can be lowered.
        try tree.raise("Mediator", "0.9.0")
        #expect(try tree.rules() == [])
    }

    @Test("The commit that raises a version releases it")
    func raised() throws {
        try edit()
        try tree.raiseRide("1.3.0", "1.2.0")
        try tree.raise("Mediator", "1.0.1")
        try tree.expect()
        try editRide()
        try tree.edit(File.mediator, "; public func call() {}", "")
        #expect(try tree.rules(since: "HEAD") == ["version-raised", "version-raised"])
        try tree.expect("version-raised", "version-raised")
        #expect(try due() == ["Ride patch", "Mediator major"])
    }

    @Test("A tag releases the first versions, and later edits are compared with the tagged commit")
    func tagged() throws {
        try edit()
        try tree.commit("Edited before the release")
        try tree.git("tag", "v1.0.0")
        try tree.commit("After the release")
        try tree.git("tag", "v2.0.0")
        #expect(try tree.rules() == [] && tree.context().releasedVersions().values.contains { !$0.isEmpty })
        try editRide()
        try tree.edit(File.rideApi, "\"ride_page\"", "\"ride_vc\"")
        #expect(try tree.rules() == ["version-step"])
        #expect(try tree.rules(since: "HEAD") == ["version-step"])
        #expect(try due() == ["Ride major"])
        try tree.raiseRide("0.9.0", "0.9.0")
        #expect(try tree.findings("version-lowered").count == 2)
    }

    @Test(
        "Only tags whose names .modules.yml lists release versions, and a tag with a package's name only that row",
        arguments: [
            ("", "nightly-2026-11-28", []), ("", "v1", []), ("", "1.2.3", ["Ride", "Mediator"]),
            ("", "v2.0.0-beta.1", ["Ride", "Mediator"]), ("", "Ride-1.2.0", ["Ride"]),
            ("", "RideApi-1.2.0", ["Ride"]), ("", "Mediator-1.0.0", ["Mediator"]),
            ("", "Metro-App-4.0.0", ["Ride", "Mediator"]),
            ("release-tags: [\"train-*\"]\n", "train-48", ["Ride", "Mediator"]),
            ("release-tags: [\"train-*\"]\n", "v1.0.0", []), ("release-tags: []\n", "v1.0.0", []),
            ("release-tags: [\"{name}/{version}\"]\n", "Mediator/1.0.0", ["Mediator"]),
        ])
    func tags(_ configuration: String, _ tag: String, _ released: [String]) throws {
        try tree.write(File.configuration, "# The tags.\n" + configuration)
        try tree.git("tag", tag)
        try edit()
        let raised = try tree.findings("version-raised").map { $0.what.prefix { $0 != "'" } }
        #expect(Set(raised.map(String.init)) == Set(released), "\(raised)")
    }

    @Test("Changes that are noted below Unreleased wait for the next release")
    func waiting() throws {
        try tree.git("tag", "-a", "-m", "First", "v1.0.0")
        try edit()
        #expect(try tree.rules() == ["version-raised", "version-step"])
        let fixes = try tree.findings("version-raised", "version-step").map(\.fix)
        #expect(
            fixes.count { $0.contains("below '## Unreleased' in \(File.rideNotes), or release it: ") } == 1)
        try note()
        #expect(try tree.findings("versions").map(\.rule) == ["version-raised"])
        #expect(try due() == ["Ride major", "Mediator minor"])
        // An empty section announces nothing.
        try tree.edit(File.rideNotes, "- The route has another name.\n\n", "")
        #expect(try tree.rules() == ["version-raised", "version-step"])
    }

    @Test("A note of the next release does not excuse the step of a version that has been raised")
    func hidden() throws {
        try tree.git("tag", "v1.0.0")
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try note()
        try tree.raiseRide("1.2.1", "1.1.0")
        try tree.expect("version-step")
        // Another change of the same declaration awaits the next release, and excuses the last one no more.
        try tree.edit(File.rideApi, "\"ride_page\"", "\"ride_other\"")
        try tree.expect("version-step")
        try tree.edit(File.rideApi, "\"ride_other\"", "\"ride_vc\"")
        try tree.expect()
    }

    @Test("A change after a release awaits the next one, and needs no larger step of the last one")
    func later() throws {
        try tree.git("tag", "v1.0.0")
        try tree.edit(File.rideApi, "/// What other", "public struct More {}\n/// What other")
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.commit("Released")
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try note()
        try tree.expect()
        #expect(try due() == ["Ride major"])
    }

    @Test("A later version of the Api releases the first version of its IMP")
    func imp() throws {
        try tree.insert("public struct More {}\n", before: "public enum RideRoute", in: File.rideApi)
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.expect()
        try tree.edit(File.ride, "[] }", "[RideCode(text: \"x\")] }")
        try tree.expect("version-raised")
        #expect(try due() == ["Ride patch"])
    }

    @Test("The first release of a pair keeps its version")
    func first() throws {
        try note()
        #expect(try due() == ["Ride first"])
        #expect(try tree.findings("versions") == [])
    }

    @Test("Comments, white space, line breaks and file modes need no new version, committed or not")
    func words() throws {
        try tree.git("tag", "v1.0.0")
        try tree.edit(File.ride, "import ApiCenter\n", "import ApiCenter\n\n\n// Why.\n")
        try tree.edit(File.ride, "[] }", "\n        [\n        ]  /* none */\n    }")
        try tree.edit(File.rideApi, "/// What other", "/// All that other")
        try tree.write(File.beside(File.ride, "Notes.swift"), "// Only a comment.\n")
        try tree.write(File.beside(File.ride, "Ride.docc/Ride.md"), "# Ride\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: tree.root + "/" + File.mediator)
        #expect(try tree.findings("versions") == [])
        try tree.expect()
        try tree.edit(File.mediator, "public init() {}", "public init() { print(1) }")
        #expect(try tree.rules() == ["version-raised"])
    }

    // MARK: releases-after

    @Test("The rules about versions ignore what is older than releases-after", arguments: [true, false])
    func floor(isTag: Bool) throws {
        try tree.raiseRide("5.0.0", "5.0.0")
        try tree.insert("## 5.0.0\n\n- More.\n\n", before: "## 1.2.0", in: File.rideNotes)
        try tree.edit(File.ride, "\"1.1.0\"", "\"5.0.0\"")
        let old = try tree.commit("An old release")
        try tree.git("tag", "old")
        try tree.write(File.configuration, "releases-after: \(isTag ? "old" : old)\n")
        try tree.raiseRide("1.0.0", "1.0.0")
        try tree.write(File.rideNotes, "# Changelog\n\n## 1.0.0 - 2026-11-25\n\n- Rides.\n")
        try tree.edit(File.ride, "\"5.0.0\"", "\"1.0.0\"")
        #expect(try tree.findings("versions") == [])
        try tree.commit("Everything starts at 1.0.0")
        #expect(try tree.findings("versions") == [])
        // A tag on this commit releases its versions, and the older notes stay ignored.
        try tree.git("tag", "v1.0.0")
        #expect(try tree.findings("versions") == [])
        try tree.git("tag", "-d", "v1.0.0")
        try edit()
        #expect(try tree.findings("versions") == [])
        #expect(try tree.rules(since: old) == [])
        try tree.commit("Edited")
        try tree.raiseRide("2.0.0", "2.0.0")
        try tree.commit("Released")
        try editRide()
        #expect(try tree.rules() == ["version-raised"])
        // A branch that began before the start and is merged later brings no old version back.
        try tree.git("checkout", "-q", "-f", "-b", "side", old)
        try tree.raiseRide("6.0.0", "6.0.0")
        try tree.commit("On an old branch")
        try tree.git("checkout", "-q", "main")
        try tree.git("merge", "-q", "-s", "ours", "-m", "Merge side", "side")
        #expect(try tree.rules() == [])
        // Without the key, the old versions count.
        try tree.write(File.configuration, "\n")
        #expect(try tree.rules().contains("version-lowered"))
    }

    @Test("The commit after releases-after sets the first versions, even if it changes none")
    func start() throws {
        let floor = try tree.commit("Imported")
        try tree.write(File.configuration, "releases-after: \(floor)\n")
        try tree.commit("Configured")
        try tree.raiseRide("1.2.1", "1.1.1")
        try tree.commit("Released")
        try tree.edit(File.ride, "[] }", "[RideCode(text: \"x\")] }")
        #expect(try tree.rules() == ["version-raised"])
    }

    @Test("A value of releases-after that leads nowhere is an error with exit code 3 that says how to fix it")
    func unreachable() throws {
        let commit = try tree.commit("More")
        try tree.git("tag", "v1.0.0", "HEAD~1")
        try tree.commit("Even more")
        try tree.git("commit", "-q", "--amend", "--allow-empty", "-m", "Rewritten")
        let lost = try tree.git("rev-parse", "HEAD@{1}")
        let unknown = "is neither a tag nor the full hash of a commit in this clone"
        let correct = "Correct it in .modules.yml"
        for (value, what, fix) in [
            ("v2", unknown, "git fetch --tags origin"), ("main", unknown, correct),
            (String(commit.prefix(10)), unknown, correct), ("HEAD~1", unknown, correct),
            (String(repeating: "a", count: 40), unknown, correct),
            (lost, "is not part of the history of HEAD", "write the commit that replaced it"),
        ] {
            try tree.write(File.configuration, "releases-after: \(value)\n")
            let error = #expect(throws: Diagnostic.self) { try tree.rules() }
            #expect(error?.kind == .environment && error?.place.description == File.configuration, "\(value)")
            #expect(error?.what.hasPrefix("releases-after: \(value) \(what)") == true, "\(error as Any)")
            #expect(error?.fix.contains(fix) == true, "\(error as Any)")
        }
        for value in ["v1.0.0", commit] {
            try tree.write(File.configuration, "releases-after: \(value)\n")
            #expect(try tree.rules() == [])
        }
        try tree.commit("Configured")
        let clones = try [["--no-tags"], ["--depth", "1"]].map { options in
            let clone = try TemporaryTree()
            _ = try tree.run(["git", "clone", "-q"] + options + ["file://" + tree.root, clone.root])
            return clone
        }
        #expect(try clones[0].rules() == [])
        let shallow = #expect(throws: Diagnostic.self) { try clones[1].rules() }
        #expect(shallow?.kind == .environment && shallow?.fix.contains("unshallow") == true)
    }
}
