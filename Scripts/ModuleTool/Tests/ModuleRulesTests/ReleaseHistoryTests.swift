import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

/// Releases that are merged from branches, and releases of alternative IMPs.
@Suite("Rules about releases, with branches and merges")
struct ReleaseHistoryTests {
    private static let service = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    private static let rideApi = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
    private static let constant = "    public static let main = \"ride_vc\"\n"

    private let tree: TemporaryTree

    init() throws {
        tree = try SmallTree.committed()
        try tree.git("branch", "side")
    }

    /// Changes Ride's sources on a branch, raises its versions and commits both.
    private func change(_ file: String, on branch: String, _ api: String, _ imp: String) throws {
        try tree.git("checkout", "-q", branch)
        try tree.write("Packages/Business/Ride/Sources/Ride/\(file).swift", "let change = \"\(branch)\"\n")
        try tree.raiseRide(api, imp)
        try tree.commit("\(file), \(imp)")
        #expect(try tree.rules() == [])
    }

    /// Changes Ride on a side branch, commits something else on main and merges the branch.
    private func mergeSide() throws {
        try change("Side", on: "side", "1.2.1", "1.1.1")
        try tree.git("checkout", "-q", "main")
        try tree.write("README.md", "Main went on.\n")
        try tree.commit("Main goes on")
        try tree.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    }

    @Test("Merging a branch that raised a pair's versions requires no further raise")
    func merge() throws {
        try mergeSide()
        #expect(try tree.rules() == [])
        #expect(try tree.rules(since: "HEAD~1") == [])
        // A later change needs a new version.
        try tree.write("Packages/Business/Ride/Sources/Ride/Late.swift", "let late = 1\n")
        #expect(try tree.rules() == ["version-raised"])
        try tree.commit("Late")
        #expect(try tree.rules() == ["version-raised"])
        // The user's git settings do not matter.
        try tree.git("config", "log.diffMerges", "dense-combined")
        #expect(try tree.rules() == ["version-raised"])
    }

    @Test("A reverted change needs no new version, whether or not the revert is committed")
    func putBack() throws {
        let (new, more) = ("Packages/Business/Ride/Sources/Ride/New.swift", "struct More {}\n")
        let (service, api) = (try tree.read(Self.service), try tree.read(Self.rideApi))
        func change() throws {
            try tree.write(Self.service, service + more)
            try tree.write(Self.rideApi, api.replacing(Self.constant, with: ""))
            try tree.write(new, more)
        }
        func putBack() throws {
            try tree.write(Self.service, service)
            try tree.write(Self.rideApi, api)
            try tree.remove(new)
        }
        try change()
        let found = try tree.rules()
        #expect(found.contains("version-raised") && found.contains("version-step"))
        try tree.commit("Changed")
        #expect(try tree.rules() == found)
        try putBack()
        #expect(try tree.rules() == [])
        try tree.commit("Put back")
        #expect(try tree.rules() == [])
        // Reverts only a part of a second change. The rules still report the remaining difference.
        try change()
        try tree.commit("Changed again")
        try tree.write(Self.rideApi, api)
        try tree.remove(new)
        #expect(try tree.rules() == ["version-raised"])
    }

    @Test("A type that a manifest's exclude list removes from an Api is reported")
    func excluded() throws {
        let (legacy, manifest) = (
            "Packages/Business/RideApi/Sources/RideApi/Legacy.swift",
            "Packages/Business/RideApi/Package.swift"
        )
        try tree.write(legacy, "public struct Legacy: Sendable {}\n")
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.commit("Add Legacy, 1.3.0")
        try tree.edit(
            manifest, "name: \"RideApi\", dependencies: []",
            "name: \"RideApi\", dependencies: [], exclude: [\"Legacy.swift\"]")
        try tree.write(Self.rideApi, try tree.read(Self.rideApi) + "\npublic struct More: Sendable {}\n")
        try tree.raiseRide("1.4.0", "1.1.0")
        #expect(try tree.rules().contains("version-step"))
        try tree.commit("Left out, 1.4.0")
        #expect(try tree.rules().contains("version-step"))
    }

    @Test("Two merged branches with the same new version but different sources are reported")
    func sameVersionTwice() throws {
        try change("Side", on: "side", "1.2.1", "1.1.1")
        try change("Main", on: "main", "1.2.1", "1.1.1")
        try tree.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
        #expect(try tree.rules() == ["version-raised"])
        try tree.git("reset", "-q", "--hard", "HEAD~1")
        try tree.git("checkout", "-q", "side")
        try tree.git("merge", "-q", "--no-ff", "-m", "Merge main", "main")
        #expect(try tree.rules() == ["version-raised"])
        try tree.raiseRide("1.2.2", "1.1.2")
        try tree.commit("Ride 1.1.2")
        #expect(try tree.rules() == [])
    }

    @Test("A merge that took the lower of two versions is reported")
    func lowered() throws {
        try change("Side", on: "side", "1.3.0", "1.2.0")
        try change("Main", on: "main", "1.2.1", "1.1.1")
        try tree.git("checkout", "-q", "side")
        try tree.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "Merge main", "main")
        #expect(try tree.rules() == [])
        try tree.raiseRide("1.2.1", "1.1.1")
        try tree.commit("Taken from main")
        #expect(try tree.rules() == ["version-lowered", "version-lowered"])
        // Only the Api's version is lowered, to one that was released with a lower version of the IMP.
        try tree.raiseRide("1.2.0", "1.2.0")
        #expect(try tree.rules() == ["version-lowered"])
    }

    @Test(
        "Branches that raise different pairs or libraries merge without conflicts, unless the rows are adjacent"
    )
    func rows() throws {
        try tree.edit("VERSIONS.md", "| Mediator | 1.0.0 |", "| Mediator | 1.0.1 |")
        try tree.edit("Packages/Base/Mediator/CHANGELOG.md", "## 1.0.0", "## 1.0.1\n\n- A.\n\n## 1.0.0")
        try tree.commit("Mediator")
        try tree.git("checkout", "-q", "side")
        try tree.edit("VERSIONS.md", "| ErrorCode | 1.0.0 |", "| ErrorCode | 1.0.10 |")
        try tree.edit("Packages/Common/ErrorCode/CHANGELOG.md", "## 1.0.0", "## 1.0.10\n\n- B.\n\n## 1.0.0")
        try tree.commit("ErrorCode")
        try tree.git("merge", "-q", "-m", "Merge main", "main")
        #expect(try tree.findings("versions") == [])
    }

    @Test("The notes of older versions must not change, but the note of the current version may")
    func notes() throws {
        let path = "Packages/Business/RideApi/CHANGELOG.md"
        func found() throws -> [String] {
            try tree.findings("version-notes").map { "\($0.place.line) \($0.what)" }
        }
        try tree.edit(path, "- A route's name.", "- The route's name.")
        #expect(try found() == [])
        try tree.commit("A typing error")
        try tree.edit(path, "- First release.", "- The first release.")
        let changed = ["7 the note of the older version RideApi 1.0.0 has changed"]
        #expect(try found() == changed)
        try tree.commit("Changed")
        #expect(try found() == changed)
        try tree.edit(path, "\n## 1.0.0\n\n- The first release.\n", "")
        let gone = ["1 the note of the older version RideApi 1.0.0 is gone"]
        #expect(try found() == gone)
        // The finding remains after the next release.
        try tree.edit(path, "## 1.2.0", "## 1.2.1\n\n- Faster.\n\n## 1.2.0")
        try tree.raiseRide("1.2.1", "1.1.0")
        #expect(try found() == gone)
        try tree.commit("1.2.1")
        #expect(try found() == gone)
        #expect(try tree.findings("version-notes", since: "HEAD~2").count == 1)
        try tree.edit(
            path, "## 1.2.0\n\n- The route's name.\n",
            "## 1.2.0\n\n- A route's name.\n\n## 1.0.0\n\n- First release.\n")
        #expect(try found() == ["7 the note of the older version RideApi 1.2.0 has changed"])
        try tree.remove(path)
        #expect(try found() == ["1 RideApi has no CHANGELOG.md"])
    }

    @Test(
        "The smallest sufficient step depends on the change, and no step is needed once the version is raised"
    )
    func needed() throws {
        func steps() throws -> [String] {
            try RuleContext(TreeReader(root: tree.root, caching: .file(HouseFiles.facts)).read())
                .neededRaises().map {
                    "\($0.name) \($0.step?.rawValue ?? "first") \($0.imps) \($0.reasons.joined(separator: "; "))"
                }
        }
        #expect(try steps() == [])
        try tree.write("Packages/Business/Ride/Sources/Ride/New.swift", "let new = 1\n")
        #expect(
            try steps() == [
                "Ride patch [\"Ride\"] Ride changed in 1 file: Packages/Business/Ride/Sources/Ride/New.swift"
            ])
        try tree.edit(Self.rideApi, "public enum RideRoute", "public struct A {}\npublic enum RideRoute")
        #expect(try steps().first?.hasPrefix("Ride minor [\"Ride\"] RideApi: something was added") == true)
        try tree.edit(Self.rideApi, Self.constant, "")
        #expect(
            try steps().first?.hasPrefix("Ride major [\"Ride\"] RideApi: RideRoute.main has been removed")
                == true)
        try tree.raiseRide("1.2.1", "1.1.1")
        #expect(try steps() == ["Ride major [] RideApi: RideRoute.main has been removed"])
        try tree.raiseRide("2.0.0", "1.1.1")
        #expect(try steps() == [])
        let library = "Packages/Base/Mediator/Sources/Mediator/Mediator.swift"
        try tree.write(library, "public struct Mediator { public init() {}; public func call() {} }\n")
        #expect(try steps().map { $0.prefix(17) } == ["Mediator minor []"])
        try tree.write(library, "public struct Mediators {}\n")
        #expect(try steps().map { $0.prefix(17) } == ["Mediator major []"])
    }

    @Test("A reverted bump is reported until the versions exceed the reverted ones, as the fix suggests")
    func reverted() throws {
        try change("More", on: "main", "1.3.0", "1.2.0")
        try tree.git("revert", "--no-edit", "HEAD")
        #expect(try tree.rules() == ["version-lowered", "version-lowered"])
        let fixes = try tree.findings("version-lowered").map(\.fix)
        for (version, fix) in zip(["1.2.0", "1.3.0"], fixes.sorted { $0.count > $1.count }) {
            #expect(fix.hasPrefix("write \(version) in the row again"))
            #expect(fix.hasSuffix("Scripts/modules bump Ride patch --note \"what changed\""))
        }
        try tree.raiseRide("1.3.1", "1.2.1")
        #expect(try tree.rules() == [])
        try tree.commit("Revert the changes of 1.3.0")
        #expect(try tree.rules() == [])
    }

    @Test("Before 1.0.0, a minor step may remove a declaration that was not deprecated, but a patch must not")
    func drafts() throws {
        try tree.raiseRide("0.1.0", "0.1.0")
        try tree.git("commit", "-q", "--all", "--amend", "--no-edit")
        try tree.edit(Self.rideApi, Self.constant, "")
        try tree.raiseRide("0.1.1", "0.1.1")
        #expect(try tree.rules() == ["version-step"])
        try tree.raiseRide("0.2.0", "0.2.0")
        #expect(try tree.rules() == [])
    }

    @Test("A branch is compared with its fork point, not with later releases of main")
    func branch() throws {
        try change("Main", on: "main", "1.2.1", "1.1.1")
        try tree.git("checkout", "-q", "side")
        #expect(try tree.rules(since: "main") == [])
        try tree.write("Packages/Business/Ride/Sources/Ride/Side.swift", "let side = 1\n")
        try tree.commit("Side")
        #expect(try tree.rules(since: "main") == ["version-raised"])
    }

    @Test("A version after a prerelease is compared with the last full release")
    func prereleases() throws {
        try tree.edit(Self.rideApi, "public enum RideRoute", "public struct A {}\npublic enum RideRoute")
        try tree.raiseRide("2.0.0-rc.1", "1.1.0")
        try tree.commit("2.0.0-rc.1")
        #expect(try tree.rules() == [])
        try tree.edit(Self.rideApi, "public struct A {}\n", "")
        try tree.raiseRide("2.0.0-rc.2", "1.1.0")
        #expect(try tree.rules() == [])
        try tree.commit("2.0.0-rc.2")
        #expect(try tree.rules() == [])
        try tree.edit(Self.rideApi, Self.constant, "")
        try tree.raiseRide("2.0.0", "1.1.0")
        #expect(try tree.rules() == ["version-deprecation"])
    }

    @Test("Raising an alternative IMP's version requires raising only the version of its Api")
    func alternative() throws {
        let service = "Packages/Business/RideOther/Sources/RideOther/RideOtherModule.swift"
        try tree.write(
            "Packages/Business/RideOther/Package.swift",
            SmallTree.manifest(
                "RideOther", packages: ["../../Base/Lifecycle", "../../Core/ApiCenter", "../RideApi"],
                uses: ["ApiCenter", "Lifecycle", "RideApi"]))
        try tree.write(
            service, try tree.read(Self.service).replacing("RideModule", with: "RideOtherModule"))
        let row = "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |"
        func write(_ api: String, _ other: String) throws {
            var lines = try tree.read("VERSIONS.md").split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init).filter { !$0.hasPrefix("| Ride") }
            let journey = try #require(lines.firstIndex { $0.hasPrefix("| Journey") })
            lines.insert(
                contentsOf: [
                    row.replacing("1.2.0", with: api), "| RideOther | Ride | \(other) | >= \(other) |",
                ], at: journey + 1)
            try tree.write("VERSIONS.md", lines.joined(separator: "\n"))
        }
        // Adding an alternative requires raising no other version, and the alternative may start at any version.
        try write("1.2.0", "5.0.0")
        #expect(try tree.rules() == [])
        try tree.commit("Another IMP")
        try tree.git("tag", "v1")
        #expect(try tree.rules() == [])
        try tree.edit(service, "[] }", "[RideCode(text: \"x\")] }")
        #expect(try tree.rules() == ["version-raised"])
        try write("1.2.0", "5.0.1")
        #expect(try tree.rules() == ["version-raised"])
        #expect(try tree.rules(since: "HEAD") == ["version-raised"])
        try tree.commit("RideOther alone")
        #expect(try tree.rules() == ["version-raised"])
        try write("1.2.1", "5.0.1")
        #expect(try tree.rules() == [])
        #expect(try tree.rules(since: "HEAD~1") == [])
        try tree.commit("And the Api")
        #expect(try tree.rules() == [])
    }
}
