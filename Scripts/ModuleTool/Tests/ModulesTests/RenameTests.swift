import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite("The rename command")
struct RenameTests {
    @Test("After release, a tree with a renamed pair is clean, and the change notes say what happened")
    func released() throws {
        let tool = try Tool()
        let output = try tool.run("rename", "ModuleB", "Greeter").text
        #expect(output.contains("Next: Raise the versions of the callers: Scripts/modules release --note"))
        let note = try tool.tree.read("Packages/Business/GreeterApi/CHANGELOG.md")
        #expect(note.hasPrefix("# Changelog\n\n## Unreleased\n\n- ModuleB is called Greeter now."), "\(note)")
        #expect(try tool.tree.read("VERSIONS.md").contains("\n| Greeter | "))
        for commit in [false, true] {
            if commit { try tool.tree.commit("Renamed") }
            let checked = try tool.run("check")
            #expect(
                checked.text.matches(of: /: version-raised:/).count == (commit ? 0 : 2), "\(checked.text)")
            if !commit {
                let released = try tool.run("release", "--note", "ModuleB is called Greeter now.")
                #expect(released.status == 0, "\(released.standardError)")
            }
        }
        #expect(try tool.run("check").status == 0)
    }

    @Test("rename refuses what would break the tree, and changes nothing")
    func refused() throws {
        let tool = try Tool()
        try tool.tree.write("Packages/Business/PayType/Sources/PayType/X.swift", "struct FakeService {}\n")
        try tool.tree.commit("X")
        for (names, status, message) in [
            ("Nobody Trip", 2, "there is no pair Nobody"), ("Ride trip", 2, "lower-case letter"),
            ("Ride TripApi", 2, "fix:  Leave out the suffix: Trip\n"), ("Ride Home", 2, "Home exists"),
            ("Ride RIDE", 2, "Ride exists"), ("Ride Foundation", 2, "standard module"),
            ("Ride Fake", 1, "FakeService exists already"),
        ] {
            let output = try tool.run(["rename"] + names.split(separator: " ").map(String.init))
            #expect(
                output.status == status && output.standardError.contains(message), "\(output.standardError)")
            #expect(try tool.tree.run("git", "status", "--porcelain") == "")
        }
    }

    @Test(
        "rename refuses uncommitted work in the pair, moves other files along, and a dry run changes nothing")
    func files() throws {
        let tool = try Tool()
        try tool.tree.write("Packages/Business/ModuleB/Sources/ModuleB/Resources/ModuleB.json", "{}")
        let refused = try tool.run("rename", "ModuleB", "Greeter")
        #expect(refused.status == 1 && refused.standardError.contains("Resources/ModuleB.json"))
        try tool.tree.run("chmod", "444", "Packages/Business/ModuleB/Sources/ModuleB/ModuleBService.swift")
        for (link, target) in [
            ("Packages/Business/ModuleB/Sources/ModuleB/Link.swift", "ModuleBService.swift"),
            ("Apps/Link", "../Packages/Business/ModuleBApi/Sources"),
        ] {
            try tool.tree.commit("Resources")
            try tool.tree.run("ln", "-s", target, link)
            try tool.tree.commit("Link")
            let linked = try tool.run("rename", "ModuleB", "Greeter")
            #expect(
                linked.status == 1 && linked.standardError.contains("\n  \(link)\n"),
                "\(linked.standardError)")
            try tool.tree.remove(link)
        }
        try tool.tree.commit("No links")
        let dry = try tool.run("rename", "ModuleB", "Greeter", "--dry-run")
        #expect(dry.text.contains("\n> Packages/Business/ModuleB -> Packages/Business/Greeter\n"))
        #expect(try tool.tree.run("git", "status", "--porcelain") == "")
        #expect(try tool.run("rename", "ModuleB", "Greeter").status == 0)
        let folder = tool.tree.root + "/Packages/Business/Greeter/Sources/Greeter"
        #expect(FileManager.default.fileExists(atPath: folder + "/Resources/Greeter.json"))
        #expect(
            !FileManager.default.isWritableFile(atPath: folder + "/GreeterService.swift") || getuid() == 0)
    }
}
