import ModuleEdits
import ModuleFixtures
import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("Breaks that a comment accepts")
struct AcceptedBreakTests {
    private static let comment = "// modules:allow version-step: nobody outside has called it yet\n"

    /// A change of RideApi, and the text above which the comment stands.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        var file = File.rideApi
        let place: String
    }

    private static let rows = [
        Row(
            testDescription: "a changed declaration", old: "\"ride_vc\"", new: "\"ride_page\"",
            place: "    public static let main"),
        Row(
            testDescription: "a removed member", old: "    public static let main = \"ride_vc\"\n", new: "",
            place: "public enum RideRoute"),
        Row(
            testDescription: "a removed type",
            old: "public enum RideRoute {\n    public static let main = \"ride_vc\"\n}\n",
            new: "", file: File.rideApiManifest, place: "import PackageDescription"),
    ]

    private func step(_ tree: TemporaryTree) throws -> String? {
        try tree.context().neededRaises().first?.step?.rawValue
    }

    @Test(
        "A break that a comment accepts needs a minor step, and after the release no comment", arguments: rows
    )
    func accepted(_ row: Row) throws {
        let tree = try SmallTree.committed()
        try tree.edit(File.rideApi, row.old, row.new)
        #expect(try step(tree) == "major")
        let isManifest = row.file == File.rideApiManifest
        let place = isManifest ? "import PackageDescription" : row.place
        let indent = String(row.place.prefix { $0 == " " })
        let line = indent + Self.comment
        try tree.edit(row.file, place, line + place)
        #expect(try step(tree) == "minor")
        // The accepted break is an unreleased change.
        try tree.expect("version-raised")
        try tree.raiseRide("1.3.0", "1.1.0")
        #expect(try tree.findings("versions").filter { $0.rule != "version-notes" } == [])
        try tree.commit("Release")
        #expect(Set(try tree.findings("versions").map(\.rule)) == ["allow-unneeded", "version-notes"])
        try tree.edit(row.file, line, "")
        try tree.expect()
    }

    @Test("A patch is too small for an accepted break, before the commit and after it")
    func patch() throws {
        let tree = try SmallTree.committed()
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try tree.insert("    " + Self.comment, before: "    public static let main", in: File.rideApi)
        try tree.raiseRide("1.2.1", "1.1.0")
        for _ in 1...2 {
            let found = try tree.findings("version-step", "version-raised", "version-deprecation")
            let open = found.filter { $0.place.path == File.versions }
            #expect(open.count == 1 && open[0].fix.contains("bump Ride minor"), "\(found)")
            #expect(open.first?.what.hasSuffix("which a comment accepts for a minor step") == true)
            try tree.commit("Release")
        }
        try tree.raiseRide("1.3.0", "1.1.0")
        #expect(try tree.findings("version-step").map(\.rule) == ["allow-unneeded"])
    }

    @Test(
        "A removal is one finding: version-deprecation says how to avoid it, and else version-step what it costs"
    )
    func removal() throws {
        let tree = try SmallTree.committed()
        try tree.edit(File.rideApi, "    public static let main = \"ride_vc\"\n", "")
        #expect(try tree.findings("versions").map(\.rule) == ["version-deprecation"])
        #expect(try tree.findings("version-step").map(\.rule) == ["version-step"])
        let comment = "// modules:allow version-deprecation: nobody outside has called it yet\n"
        try tree.insert(comment, before: "public enum RideRoute", in: File.rideApi)
        #expect(try tree.findings("versions").map(\.rule) == ["version-step"])
    }

    @Test(
        "A break taken back after a release no longer counts for its version; what the release added does",
        arguments: [true, false])
    func takenBack(addsInRelease: Bool) throws {
        let tree = try SmallTree.committed()
        func add() throws {
            let place = "    public static let main"
            try tree.insert("    public static let map = \"ride_map\"\n", before: place, in: File.rideApi)
        }
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        if addsInRelease { try add() }
        try tree.raiseRide("1.2.1", "1.1.0")
        try tree.commit("Release")
        try tree.edit(File.rideApi, "\"ride_page\"", "\"ride_vc\"")
        if !addsInRelease { try add() }
        // The change back breaks the release of 1.2.1, and is a finding of its own.
        let found = try tree.findings("version-step").map { finding in
            (
                since: finding.what.prefix { $0 != "," }, isMinor: finding.fix.contains("bump Ride minor")
            )
        }
        #expect(
            found.last?.since == "RideApi changed since 1.2.1" && found.last?.isMinor == false, "\(found)")
        let first = found.dropLast().map { $0.since == "RideApi changed since 1.2.0" && $0.isMinor }
        #expect(first == (addsInRelease ? [true] : []), "\(found)")
    }

    @Test("A removal that no release has deprecated is not released without a comment that allows it")
    func unannounced() throws {
        let tree = try SmallTree.committed()
        func bump(_ step: VersionStep? = nil) throws -> String {
            let edit = MakeReleases("Ride", step, notes: ["Gone."]) { try RuleContext($0).neededRaises() }
            return try edit.plan(TreeRoot(tree.url, caching: .file(HouseFiles.facts))).summary
        }
        try tree.edit(File.rideApi, "    public static let main = \"ride_vc\"\n", "")
        for step in [nil, VersionStep.major] {
            let error = #expect(throws: Diagnostic.self) { try bump(step) }
            #expect(error?.kind == .refused)
            let place = "\n  \(File.rideApi):"
            #expect(error?.what.contains(place) == true, "\(error as Any)")
            #expect(error?.what.hasSuffix("RideRoute.main has been removed") == true, "\(error as Any)")
        }
        let setting = "rules:\n  - {rule: version-deprecation, severity: warning, reason: ours}\n"
        let configuration = try tree.read(Configuration.path)
        try tree.write(Configuration.path, configuration + setting)
        #expect(try bump(.major).hasPrefix("Raised RideApi 1.2.0 -> 2.0.0, "))
        try tree.write(Configuration.path, configuration)
        let comment = "// modules:allow version-deprecation: nobody outside has called it yet\n"
        try tree.insert(comment, before: "public enum RideRoute", in: File.rideApi)
        let kept = "\n  Ride keeps 1.1.0. Make sure that it builds with the new Api."
        #expect(try bump().hasPrefix("Raised RideApi 1.2.0 -> 2.0.0.\n  major, because "))
        #expect(try bump().hasSuffix(kept))
        try tree.edit(File.ride, "import RideApi", "import RideApi\n\nprivate let new = 1")
        #expect(try !bump().contains("keeps"))
    }
}
