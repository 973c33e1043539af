import ModuleFixtures
import ModuleKit
import ModuleRules
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("The version step that a change to an Api needs")
struct VersionStepTests {
    private static let constant = "    public static let main = \"ride_vc\"\n"
    private static let deprecated = "    @available(*, deprecated, message: \"gone soon\")\n" + constant
    private let tree: TemporaryTree

    init() throws { tree = try SmallTree.committed() }

    /// An edit of RideApi, and the rules that have findings after a patch, a minor and a major step.
    struct ApiEdit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        var patch: [String] = []
        var unraised: [String] = []
        var minor: [String] = []
        var major: [String] = []

        init(
            _ description: String, _ old: String, _ new: String,
            _ patch: [String] = [], _ minor: [String] = [], _ major: [String] = [],
            unraised: [String]? = nil
        ) {
            (testDescription, self.old, self.new) = (description, old, new)
            (self.patch, self.minor, self.major) = (patch, minor, major)
            self.unraised = unraised ?? patch
        }
    }

    private static let step = ["version-step"]

    @Test(
        "The required version step of an Api depends on how its change affects callers",
        arguments: [
            ApiEdit("a comment", "/// A code", "/// The code"),
            ApiEdit(
                "a new type", "public enum RideRoute", "public struct A {}\npublic enum RideRoute", step),
            ApiEdit(
                "a requirement without a default", "-> [RideCode]\n", "-> [RideCode]\n    func two()\n", step,
                step),
            ApiEdit(
                "a requirement with a default", "-> [RideCode]\n}",
                "-> [RideCode]\n    func two()\n}\nextension RideApiProtocol { public func two() {} }", step),
            ApiEdit("a changed route name", "\"ride_vc\"", "\"ride_page\"", step, step),
            ApiEdit(
                "a reformatted constant", "main = \"ride_vc\"",
                "main: String = // as it was\n        \"ride_vc\"", unraised: ["version-raised"]),
            ApiEdit(
                "a removal", constant, "", ["version-deprecation"], ["version-deprecation"],
                ["version-deprecation"]),
            ApiEdit(
                "a change for another platform, which does not compile here", "-> [RideCode]\n",
                "-> [RideCode]\n    #if os(iOS) || os(Linux)\n    func scan() -> Nowhere\n    #endif\n", step,
                step
            ),
        ])
    func steps(_ edit: ApiEdit) throws {
        try tree.edit(File.rideApi, edit.old, edit.new)
        #expect(try tree.rules() == edit.unraised, "not raised")
        for (version, expected) in [("1.3.0", edit.minor), ("2.0.0", edit.major), ("1.2.1", edit.patch)] {
            try tree.raiseRide(version, "1.1.0")
            #expect(try tree.rules(since: "HEAD") == expected, "since, \(version)")
            #expect(try tree.rules() == expected, "uncommitted \(version)")
        }
        // The finding remains after a commit.
        try tree.commit("Api 1.2.1")
        #expect(try tree.rules() == edit.patch)
    }

    @Test("A changed Api is reported at the changed declaration, and a removal at what contained it")
    func places() throws {
        func places(_ rule: String) throws -> [String] {
            try tree.findings(rule).map { "\($0.place.path):\($0.place.line)" }
        }
        try tree.edit(File.rideApi, "rides(limit: Int)", "rides(limit: Int, since: Int)")
        try tree.edit(File.rideApi, Self.constant, "")
        let step = try tree.findings("version-step")
        let lines = [2, 3, 12].map { "\(File.rideApi):\($0)" }
        #expect(try places("version-step") == lines, "\(step)")
        // The other two are removals, which version-deprecation can avoid.
        #expect(step[1].fix.hasSuffix("bump Ride major --note \"what changed for callers\""))
        #expect(step.allSatisfy { $0.notes.map(\.place.path) == [File.versions] })
        #expect(try places("version-deprecation").contains("\(File.rideApi):12"))
        // A comment allows one change, and the baseline needs no commit.
        try tree.insert(
            "// modules:allow version-step: nobody reads it\n", before: "public enum RideRoute",
            in: File.rideApi)
        #expect(try places("version-step") == lines.dropLast())
        #expect(try !Baseline(tree.findings("version-step")).text().contains("commit"))
        // An addition stands at the new declaration.
        try tree.git("checkout", "-q", "--", File.rideApi)
        try tree.insert("public struct More {}\n", before: "public enum RideRoute", in: File.rideApi)
        #expect(try places("version-step") == ["\(File.rideApi):12"])
    }

    @Test("A changed file of an IMP is reported in its first line, where a comment can allow it")
    func allowed() throws {
        let new = File.beside(File.ride, "New.swift")
        try tree.write(new, "let new = 1\n")
        #expect(try tree.findings("version-raised").map(\.place.description) == ["\(new):1:1"])
        try tree.write(new, "// modules:allow version-raised: only for tests\nlet new = 1\n")
        #expect(try tree.findings("version-raised") == [])
    }

    @Test("A declaration that the previous release deprecated may be removed")
    func deprecation() throws {
        try tree.edit(File.rideApi, Self.constant, Self.deprecated)
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.expect()
        try tree.edit(File.rideApi, Self.deprecated, "")
        try tree.raiseRide("2.0.0", "1.1.0")
        try tree.expect()
    }

    @Test("Before 1.0.0, a minor step may remove a declaration that was not deprecated, but a patch must not")
    func drafts() throws {
        try tree.raiseRide("0.1.0", "0.1.0")
        try tree.git("commit", "-q", "--all", "--amend", "--no-edit")
        try tree.edit(File.rideApi, Self.constant, "")
        try tree.raiseRide("0.1.1", "0.1.1")
        #expect(try tree.rules() == ["version-step"])
        try tree.raiseRide("0.2.0", "0.2.0")
        #expect(try tree.rules() == [])
    }

    @Test("A version after a prerelease is compared with the last full release")
    func prereleases() throws {
        let more = "public struct A {}\n"
        try tree.insert(more, before: "public enum RideRoute", in: File.rideApi)
        try tree.raiseRide("2.0.0-rc.1", "1.1.0")
        try tree.expect()
        try tree.edit(File.rideApi, more, "")
        try tree.raiseRide("2.0.0-rc.2", "1.1.0")
        try tree.expect()
        try tree.edit(File.rideApi, Self.constant, "")
        try tree.raiseRide("2.0.0", "1.1.0")
        #expect(try tree.rules() == ["version-deprecation"])
    }

    @Test("A type that a manifest's exclude list removes from an Api is reported")
    func excluded() throws {
        try tree.write(File.beside(File.rideApi, "Legacy.swift"), "public struct Legacy: Sendable {}\n")
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.commit("Add Legacy, 1.3.0")
        try tree.edit(
            File.rideApiManifest, "dependencies: []", "dependencies: [], exclude: [\"Legacy.swift\"]")
        try tree.insert("public struct More {}\n", before: "public enum RideRoute", in: File.rideApi)
        try tree.raiseRide("1.4.0", "1.1.0")
        try tree.expect("version-deprecation")
    }
}
