import ModuleFixtures
import ModuleKit
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("Rules about releases")
struct ReleaseTests {
    private static let constant = "    public static let main = \"ride_vc\"\n"
    private let tree: TemporaryTree

    init() throws { tree = try SmallTree.committed() }

    @Test("Changed tests, manifests, documents and notes need no new version")
    func silent() throws {
        let lifecycle = "Packages/Base/Lifecycle"
        try tree.write(".gitignore", "*.log\n")
        try tree.write(File.beside(File.ride, "build.log"), "x")
        try tree.edit(File.rideTests, "import Testing", "import Testing\n")
        try tree.write("\(lifecycle)/Tests/LifecycleTests/New.swift", "let new = 1\n")
        try tree.write("\(lifecycle)/README.md", "New.\n")
        for manifest in [File.rideManifest, "\(lifecycle)/Package.swift"] {
            try tree.edit(manifest, "let package", "// A word.\nlet package")
        }
        try tree.edit(File.versions, "# Versions", "# All versions")
        try tree.expect()
        #expect(try tree.rules(since: "HEAD~1") == [])
    }

    @Test("Sources that changed after their version was set are reported, committed or not")
    func raised() throws {
        let new = File.beside(File.ride, "New.swift")
        try tree.write(new, "let new = 1\n")
        try tree.expect("version-raised")
        #expect(try tree.rules(since: "HEAD~1") == ["version-raised"])
        #expect(try tree.rules(since: "HEAD") == [])
        try tree.raiseRide("1.2.1", "1.1.1")
        try tree.expect()
        // Adding a file and removing it again is not a change.
        try tree.write(File.beside(File.ride, "Other.swift"), "let other = 1\n")
        try tree.commit("There")
        try tree.remove(File.beside(File.ride, "Other.swift"))
        try tree.expect()
        try tree.write(File.beside(File.ride, "Resources/strings.json"), "{}")
        try tree.expect("version-raised")
    }

    @Test("Sources that a link in a package leads to belong to the package", arguments: [true, false])
    func linked(_ isFile: Bool) throws {
        try tree.write("Shared/Terms.swift", "public struct Terms { public func a() {} }\n")
        let link = File.beside(File.rideApi, isFile ? "Terms.swift" : "Shared")
        try tree.apply([.link(link, to: isFile ? "Shared/Terms.swift" : "Shared")])
        try tree.expect("version-step")
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.expect()
        try tree.edit("Shared/Terms.swift", "func a()", "func b()")
        try tree.expect("version-deprecation")
    }

    @Test(
        "A library with changed sources and an unchanged version is reported, in every layer, even if it is a facade",
        arguments: [
            (File.errorCode, "1.0.1"), ("Packages/Base/Lifecycle/Sources/Lifecycle/Module.swift", "1.1.1"),
            (File.actions, "1.0.1"),
        ])
    func libraries(_ file: String, _ version: String) throws {
        let name = String(file.split(separator: "/")[2])
        try tree.write(File.beside(file, "New.swift"), "let new = 1\n")
        let finding = try #require(try tree.findings("version-raised").first)
        #expect(finding.what.hasPrefix("\(name)'s sources changed, "))
        #expect(finding.fix.contains("Scripts/modules bump \(name) patch --note"))
        #expect(finding.place.path == File.beside(file, "New.swift"))
        #expect(finding.notes.last.map { $0.place.path == File.versions && $0.place.line > 1 } == true)
        try tree.expect("version-raised")
        try tree.raise(name, version)
        try tree.expect()
    }

    @Test("A finding about changed sources names five files at most, and a release says how many there are")
    func manyFiles() throws {
        func reasons() throws -> [String] {
            try tree.context().neededRaises().flatMap(\.reasons)
        }
        let files = (1...7).map { File.beside(File.ride, "New\($0).swift") }
        try tree.write(files[0], "let new = 1\n")
        #expect(try reasons() == ["Ride changed in 1 file: \(files[0])"])
        for file in files { try tree.write(file, "let new = 1\n") }
        #expect(try reasons() == ["Ride changed in 7 files, such as \(files[0])"])
        let notes = try tree.findings("version-raised").flatMap(\.notes)
        #expect(notes.map(\.place.path) == files.prefix(5) + [File.versions])
    }

    @Test("A version that was raised only in the code is reported only by version-in-code")
    func saidInCode() throws {
        try tree.edit(File.ride, "\"1.1.0\"", "\"1.1.1\"")
        let found = try tree.findings("versions")
        #expect(found.map(\.rule) == ["version-in-code"] && found[0].fix.contains("bump Ride"))
        // Any other change in the same file also requires a raised version.
        try tree.edit(File.ride, "[] }", "[RideCode(text: \"x\")] }")
        #expect(Set(try tree.findings("versions").map(\.rule)) == ["version-in-code", "version-raised"])
    }

    @Test("An IMP version that was raised without the Api version is reported")
    func halves() throws {
        try tree.raiseRide("1.2.0", "1.2.0")
        try tree.expect("version-raised")
    }

    @Test("Lowered versions are reported, and no finding tells to keep the lower one")
    func lowered() throws {
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try tree.raiseRide("1.0.0", "1.0.0")
        try tree.raise("Lifecycle", "1.0.9")
        let found = try tree.findings("versions")
        #expect(
            found.map(\.rule).sorted() == ["version-in-code"] + Array(repeating: "version-lowered", count: 3))
        #expect(found.contains { $0.what.hasPrefix("Lifecycle went down from 1.1.0") })
        #expect(
            found.contains { $0.rule == "version-in-code" && $0.fix.hasPrefix("Write the released version") })
        try tree.expect("version-lowered", "version-lowered", "version-lowered")
    }

    @Test("A reverted change needs no new version, whether or not the revert is committed")
    func putBack() throws {
        let new = File.beside(File.ride, "New.swift")
        let (ride, api) = (try tree.read(File.ride), try tree.read(File.rideApi))
        func change() throws {
            try tree.write(File.ride, ride + "struct More {}\n")
            try tree.write(File.rideApi, api.replacing(Self.constant, with: ""))
            try tree.write(new, "struct Other {}\n")
            // The step that the Api needs raises the IMP's version too.
            try tree.expect("version-deprecation")
        }
        try change()
        try tree.write(File.ride, ride)
        try tree.write(File.rideApi, api)
        try tree.remove(new)
        try tree.expect()
        // Reverts only a part of a second change. The rules still report the remaining difference.
        try change()
        try tree.write(File.rideApi, api)
        try tree.remove(new)
        #expect(try tree.rules() == ["version-raised"])
    }

    @Test("The notes of older versions must not change, but the note of the current version may")
    func notes() throws {
        let (path, tree) = (File.rideNotes, tree)
        func expect(_ expected: String...) throws {
            #expect(try tree.findings("version-notes").map { "\($0.place.line) \($0.what)" } == expected)
            try tree.commit("Noted")
            #expect(try tree.findings("version-notes").map { "\($0.place.line) \($0.what)" } == expected)
        }
        try tree.edit(path, "- A route's name.", "- The route's name.")
        try expect()
        try tree.edit(path, "- First release.", "- The first release.")
        try expect("7 the note of the older version RideApi 1.0.0 has changed")
        try tree.edit(path, "\n## 1.0.0\n\n- The first release.\n", "")
        try expect("1 the note of the older version RideApi 1.0.0 is gone")
        // The finding remains after the next release.
        try tree.edit(path, "## 1.2.0", "## 1.2.1\n\n- Faster.\n\n## 1.2.0")
        try tree.raiseRide("1.2.1", "1.1.0")
        try expect("1 the note of the older version RideApi 1.0.0 is gone")
        #expect(try tree.findings("version-notes", since: "HEAD~3").count == 1)
        try tree.edit(
            path, "- The route's name.\n", "- A route's name.\n\n## 1.0.0\n\n- First release.\n")
        try expect("7 the note of the older version RideApi 1.2.0 has changed")
        try tree.remove(path)
        try expect("1 RideApi has no CHANGELOG.md")
    }

    @Test("Checking releases in a shallow clone is an error")
    func shallow() throws {
        let shallow = try TemporaryTree()
        try tree.git("clone", "-q", "--depth", "1", "file://" + tree.root, shallow.root)
        let half = #expect(throws: Diagnostic.self) { try shallow.rules() }
        #expect(half?.kind == .environment && half?.fix.contains("unshallow") == true)
    }
}
