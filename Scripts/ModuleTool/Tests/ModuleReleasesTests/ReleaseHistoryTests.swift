import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleReleases

/// Releases that are merged from branches, and releases of alternative IMPs.
@Suite("Rules about releases, with branches and merges")
struct ReleaseHistoryTests {
    private let tree: TemporaryTree

    init() throws {
        tree = try SmallTree.committed()
        try tree.git("branch", "side")
    }

    /// Changes Ride's sources on a branch, raises its versions and commits both.
    private func change(on branch: String, _ api: String, _ imp: String) throws {
        try tree.git("checkout", "-q", branch)
        try tree.write(File.beside(File.ride, "\(branch).swift"), "let change = \"\(branch)\"\n")
        try tree.raiseRide(api, imp)
        try tree.expect()
    }

    private func merge(_ branch: String, into other: String, _ strategy: String...) throws {
        try tree.git("checkout", "-q", other)
        _ = try tree.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@e.org", "merge", "-q", "--no-ff"] + strategy
                + ["-m", "Merge", branch])
    }

    @Test("Merging a branch that raised a pair's versions requires no further raise")
    func merge() throws {
        try change(on: "side", "1.2.1", "1.1.1")
        try tree.git("checkout", "-q", "main")
        try tree.write("README.md", "Main went on.\n")
        try tree.commit("Main goes on")
        try merge("side", into: "main")
        #expect(try tree.rules() == [])
        #expect(try tree.rules(since: "HEAD~1") == [])
        // A later change needs a new version, whatever the user's git settings are.
        try tree.write(File.beside(File.ride, "Late.swift"), "let late = 1\n")
        try tree.git("config", "log.diffMerges", "dense-combined")
        try tree.expect("version-raised")
    }

    @Test("Two merged branches with the same new version but different sources are reported")
    func sameVersionTwice() throws {
        try change(on: "side", "1.2.1", "1.1.1")
        try change(on: "main", "1.2.1", "1.1.1")
        try merge("side", into: "main")
        #expect(try tree.rules() == ["version-raised"])
        try tree.git("reset", "-q", "--hard", "HEAD~1")
        try merge("main", into: "side")
        #expect(try tree.rules() == ["version-raised"])
        try tree.raiseRide("1.2.2", "1.1.2")
        try tree.expect()
    }

    @Test("A merge that took the lower of two versions is reported")
    func lowered() throws {
        try change(on: "side", "1.3.0", "1.2.0")
        try change(on: "main", "1.2.1", "1.1.1")
        try merge("main", into: "side", "-s", "ours")
        #expect(try tree.rules() == [])
        try tree.raiseRide("1.2.1", "1.1.1")
        try tree.expect("version-lowered", "version-lowered")
        // Only the Api's version is lowered, to one that was released with a lower version of the IMP.
        try tree.raiseRide("1.2.0", "1.2.0")
        #expect(try tree.rules() == ["version-lowered"])
    }

    @Test(
        "Branches that raise different pairs or libraries merge without conflicts, unless the rows are adjacent"
    )
    func rows() throws {
        for (branch, name, folder) in [("main", "Mediator", "Base"), ("side", "ErrorCode", "Common")] {
            try tree.git("checkout", "-q", branch)
            try tree.raise(name, "1.0.1")
            try tree.edit(
                "Packages/\(folder)/\(name)/CHANGELOG.md", "## 1.0.0", "## 1.0.1\n\n- A.\n\n## 1.0.0")
            try tree.commit(name)
        }
        try merge("main", into: "side")
        #expect(try tree.findings("versions") == [])
    }

    @Test(
        "The smallest sufficient step depends on the change, and no step is needed once the version is raised"
    )
    func needed() throws {
        func expect(_ expected: String..., location: SourceLocation = #_sourceLocation) throws {
            let steps = try tree.context().neededRaises().map {
                "\($0.name) \($0.step?.rawValue ?? "first") \($0.imps) \($0.reasons.joined(separator: "; "))"
            }
            #expect(steps.count == expected.count, sourceLocation: location)
            for (step, start) in zip(steps, expected) {
                #expect(step.hasPrefix(start), sourceLocation: location)
            }
        }
        try expect()
        let new = File.beside(File.ride, "New.swift")
        try tree.write(new, "let new = 1\n")
        try expect("Ride patch [\"Ride\"] Ride changed in 1 file: \(new)")
        try tree.insert("public struct A {}\n", before: "public enum RideRoute", in: File.rideApi)
        try expect("Ride minor [\"Ride\"] RideApi: something was added")
        try tree.edit(File.rideApi, "    public static let main = \"ride_vc\"\n", "")
        try expect("Ride major [\"Ride\"] RideApi: RideRoute.main has been removed; Ride changed in 1 file")
        try tree.raiseRide("1.2.1", "1.1.1")
        try expect("Ride major [] RideApi: RideRoute.main has been removed")
        try tree.raiseRide("2.0.0", "1.1.1")
        try expect()
        try tree.write(
            File.mediator, "public struct Mediator { public init() {}; public func call() {} }\n")
        try expect("Mediator minor []")
        try tree.write(File.mediator, "public struct Mediators {}\n")
        try expect("Mediator major []")
    }

    @Test("A reverted bump is reported until the versions exceed the reverted ones, as the fix suggests")
    func reverted() throws {
        try change(on: "main", "1.3.0", "1.2.0")
        try tree.git("revert", "--no-edit", "HEAD")
        #expect(try tree.rules() == ["version-lowered", "version-lowered"])
        let fixes = try tree.findings("version-lowered").map(\.fix)
        for (version, fix) in zip(["1.2.0", "1.3.0"], fixes.sorted { $0.count > $1.count }) {
            #expect(fix.hasPrefix("Write \(version) in the row again"))
            #expect(fix.hasSuffix("Scripts/modules bump Ride patch --note \"what changed\""))
        }
        try tree.raiseRide("1.3.1", "1.2.1")
        try tree.expect()
    }

    @Test("A branch is compared with its fork point, not with later releases of main")
    func branch() throws {
        try change(on: "main", "1.2.1", "1.1.1")
        try tree.git("checkout", "-q", "side")
        #expect(try tree.rules(since: "main") == [])
        try tree.write(File.beside(File.ride, "Side.swift"), "let side = 1\n")
        try tree.commit("Side")
        #expect(try tree.rules(since: "main") == ["version-raised"])
    }

    @Test("Raising an alternative IMP's version requires raising only the version of its Api")
    func alternative() throws {
        let other = "Packages/Business/RideOther/Sources/RideOther/RideOtherModule.swift"
        try tree.write(
            "Packages/Business/RideOther/Package.swift",
            SmallTree.manifest(
                "RideOther", packages: ["../../Base/Lifecycle", "../../Core/ApiCenter", "../RideApi"],
                uses: ["ApiCenter", "Lifecycle", "RideApi"]))
        try tree.write(other, try tree.read(File.ride).replacing("RideModule", with: "RideOtherModule"))
        // Adding an alternative requires raising no other version, and the alternative may start at any version.
        let row = "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |"
        try tree.edit(File.versions, row, row + "\n| RideOther | Ride | 5.0.0 | >= 5.0.0 |")
        try tree.expect()
        try tree.git("tag", "v1.0.0")
        try tree.edit(other, "[] }", "[RideCode(text: \"x\")] }")
        #expect(try tree.rules() == ["version-raised"])
        try tree.raise("RideOther", "Ride | 5.0.1 | >= 5.0.1")
        #expect(try tree.rules(since: "HEAD") == ["version-raised"])
        try tree.expect("version-raised")
        try tree.raiseRide("1.2.1", "1.1.0")
        #expect(try tree.rules(since: "HEAD~1") == [])
        try tree.expect()
    }
}
