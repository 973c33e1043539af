import Foundation
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleExport

@Suite("Export to git repositories")
struct ExportHistoryTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    private func refusals(_ names: String...) throws -> [Diagnostic] {
        let refused = #expect(throws: ExportRefused.self) {
            names.isEmpty ? try fixture.export() : try fixture.export(names[0])
        }
        return try #require(refused).errors
    }

    @Test("An export tags the new repository with the version and records the source commit")
    func first() throws {
        #expect(try Set(fixture.export("Ride").values) == [.new])
        #expect(try fixture.git("tag", in: "RideApi") == "1.2.0")
        #expect(
            try fixture.git("rev-parse", "1.2.0", in: "RideApi")
                == fixture.git("rev-parse", "main", in: "RideApi"))
        #expect(try fixture.git("status", "--porcelain", in: "RideApi") == "")
        let source = try fixture.tree.git("rev-parse", "HEAD")
        #expect(
            try fixture.git("log", "--format=%B", in: "RideApi")
                == "RideApi 1.2.0\n\n- A route's name.\n\nSource-commit: \(source)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count == 4)
    }

    @Test("An export without changes touches no file")
    func again() throws {
        try fixture.export("RideActions")
        let before = try fixture.snapshot()
        #expect(try Set(fixture.export("RideActions").values) == [.same])
        #expect(try fixture.snapshot() == before)
        // Build products are not changes.
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: "Mediator/.build"), withIntermediateDirectories: true)
        try Data().write(to: fixture.folder.appending(path: "Mediator/Package.resolved"))
        #expect(try Set(fixture.export("RideActions").values) == [.same])
    }

    @Test("A dry run of an export writes nothing")
    func dryRun() throws {
        #expect(try Set(fixture.export("RideActions", isDryRun: true).values) == [.new])
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
        try fixture.export("RideActions")
        try fixture.raise("Mediator", from: "1.0.0", to: "1.1.0")
        let before = try fixture.snapshot()
        #expect(
            try fixture.export("RideActions", isDryRun: true) == ["Mediator": .changed, "RideActions": .same])
        #expect(try fixture.snapshot() == before)
    }

    @Test("A new version is added to the exported history and leaves older tags unchanged")
    func newVersion() throws {
        try fixture.export()
        let old = try fixture.git("rev-parse", "1.0.0", in: "Journey")
        try fixture.raiseJourney(from: "1.0.0", to: "2.0.0")
        let outcome = try fixture.export()
        #expect(outcome.filter { $0.value != .same } == ["Journey": .changed, "JourneyApi": .changed])
        #expect(try fixture.git("rev-parse", "1.0.0", in: "Journey") == old)
        #expect(try fixture.git("rev-parse", "2.0.0^", in: "Journey") == old)
        #expect(
            try fixture.git("rev-parse", "HEAD", in: "Journey")
                == fixture.git("rev-parse", "2.0.0", in: "Journey"))
        #expect(try fixture.git("status", "--porcelain", in: "Journey") == "")
        #expect(try fixture.text("Journey/Sources/Journey/JourneyModule.swift").contains("2.0.0"))
    }

    @Test("An export into an existing repository keeps the repository's history and branch")
    func givenRepository() throws {
        let place = fixture.folder.appending(path: "ApiCenter")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try fixture.git("init", "-q", "-b", "trunk", in: "ApiCenter")
        try Data("hello".utf8).write(to: place.appending(path: "OLD.md"))
        try fixture.git("add", ".", in: "ApiCenter")
        try fixture.git("commit", "-qm", "By hand", in: "ApiCenter")
        #expect(try fixture.export("ApiCenter") == ["ApiCenter": .changed])
        #expect(try fixture.git("log", "--format=%s", in: "ApiCenter") == "ApiCenter 1.0.0\nBy hand")
        #expect(try fixture.git("symbolic-ref", "HEAD", in: "ApiCenter") == "refs/heads/trunk")
        #expect(!FileManager.default.fileExists(atPath: place.appending(path: "OLD.md").path))
        // An empty repository gets its first commit.
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: "Mediator"), withIntermediateDirectories: true)
        try fixture.git("init", "-q", "-b", "main", in: "Mediator")
        try fixture.export("Mediator")
        #expect(try fixture.git("log", "--format=%s", in: "Mediator") == "Mediator 1.0.0")
    }

    @Test("An export reports every released version whose files have changed, and writes nothing")
    func sameVersionOtherFiles() throws {
        try fixture.export()
        let service = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
        try fixture.tree.edit(service, "limit: 3", "limit: 4")
        try fixture.tree.edit(
            "Packages/Base/Mediator/Sources/Mediator/Mediator.swift", "init() {}", "init() { print() }")
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        let before = try fixture.snapshot()
        let errors = try refusals()
        #expect(errors.map(\.kind) == [.refused, .refused])
        #expect(
            errors[0].what
                == "Journey 1.0.0 was released with different files: Sources/Journey/JourneyService.swift.")
        #expect(errors[0].fix == "Scripts/modules bump Journey patch --note \"what changed\"")
        #expect(errors[1].fix == "Scripts/modules bump Mediator patch --note \"what changed\"")
        #expect(try fixture.snapshot() == before)
    }

    @Test("Changed comments, tests and READMEs need no new version, and a release keeps its own")
    func comments() throws {
        let (folder, test) = ("Packages/Base/Mediator/", "Tests/MediatorTests/MediatorTests.swift")
        try fixture.tree.write(folder + "README.md", "# Mediator\n")
        try fixture.tree.write(folder + test, "import Testing\n")
        try fixture.tree.commit("More files")
        try fixture.export("Mediator")
        let before = try fixture.snapshot()
        try fixture.tree.edit(
            folder + "Sources/Mediator/Mediator.swift", "init() {}", "init() {\n        // Why.\n    }")
        try fixture.tree.write(folder + "README.md", "# The mediator\n")
        try fixture.tree.write(folder + test, "import Testing\nlet more = 1\n")
        try fixture.tree.commit("Words")
        #expect(try fixture.export("Mediator") == ["Mediator": .same])
        #expect(try fixture.snapshot() == before)
    }

    @Test("If libraries have no versions, as in a new tree, the error shows all rows to write")
    func unversioned() throws {
        let versions = try fixture.tree.read("VERSIONS.md")
        let table = try #require(versions.range(of: "\n| Library |"))
        try fixture.tree.write("VERSIONS.md", String(versions[..<table.lowerBound]))
        try fixture.tree.commit("No libraries")
        let error = #expect(throws: Diagnostic.self) { try fixture.export("Ride") }
        #expect(error?.what == "there is no version of ApiCenter, Lifecycle.")
        let rows = "\n  | Library | Version |\n  |---|---|\n  | ApiCenter | 1.0.0 |\n  | Lifecycle | 1.0.0 |"
        #expect(error?.fix.hasSuffix(rows) == true, "\(error as Any)")
        // With these rows, the export succeeds.
        let fixed = versions[..<table.lowerBound] + rows.replacing("\n  ", with: "\n") + "\n"
        try fixture.tree.write("VERSIONS.md", String(fixed))
        try fixture.tree.commit("Libraries")
        #expect(try Set(fixture.export("Ride").values) == [.new])
    }

    @Test("An export of unreleased changes is refused")
    func unreleased() throws {
        let notes = "Packages/Base/Mediator/CHANGELOG.md"
        try fixture.tree.edit(notes, "## 1.0.0", "## Unreleased\n\n- More.\n\n## 1.0.0")
        try fixture.tree.commit("More")
        let errors = try refusals("Mediator")
        #expect(
            errors.map(\.place.description) == [notes] && errors.map(\.fix) == ["Scripts/modules release"])
    }

    @Test("A released version may differ from the new export only in the wording of generated text")
    func wording() throws {
        try fixture.export("Ride")
        for (file, isWording) in [
            ("README.md", true), ("Sources/RideApiWithImp/RideApiWithImp.swift", true), (".gitignore", true),
            ("Package.swift", false),
        ] {
            // Moves the tag, as if an older tool had released this text.
            let url = fixture.folder.appending(path: "RideApi/" + file)
            let text = try String(contentsOf: url, encoding: .utf8)
            try Data((text + "# In other words\n").utf8).write(to: url)
            try fixture.git("commit", "-qam", "Other words", in: "RideApi")
            try fixture.git("tag", "-f", "1.2.0", in: "RideApi")
            if isWording {
                #expect(try Set(fixture.export("Ride").values) == [.same])
            } else {
                #expect(try refusals("Ride").map(\.what).first?.hasSuffix("files: \(file).") == true)
            }
        }
    }

    @Test("An export with a lowered version is refused")
    func lowered() throws {
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.2.0")
        try fixture.export("ErrorCode")
        try fixture.tree.edit("VERSIONS.md", "| ErrorCode | 1.2.0 ", "| ErrorCode | 1.1.0 ")
        try fixture.tree.commit("Down")
        #expect(
            try refusals("ErrorCode").map(\.what) == ["ErrorCode was exported as 1.2.0, but is now 1.1.0."])
        // A tag with the prefix v counts as a version too.
        try fixture.git("tag", "v3.0.0", in: "ErrorCode")
        #expect(try refusals("ErrorCode").first?.what.contains("3.0.0") == true)
    }

    @Test("A new version of a dependency does not change the packages that depend on it")
    func floorsKept() throws {
        try fixture.export()
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        try fixture.tree.edit(
            "VERSIONS.md", "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |", "| Ride | 2.0.0 | 1.1.0 | >= 1.1.0 |")
        try fixture.tree.edit(
            "Packages/Business/RideApi/CHANGELOG.md", "## 1.2.0", "## 2.0.0\n\n- Other.\n\n## 1.2.0")
        try fixture.tree.commit("Ride's Api 2.0.0")
        #expect(
            try fixture.export().filter { $0.value != .same } == ["ErrorCode": .changed, "RideApi": .changed])
        #expect(try fixture.text("Journey/Package.swift").contains("\"../ErrorCode\", from: \"1.0.0\""))
        // The next release of Journey has the new floors.
        try fixture.raiseJourney(from: "1.0.0", to: "1.0.1")
        try fixture.export()
        #expect(try fixture.text("Journey/Package.swift").contains("\"../ErrorCode\", from: \"1.1.0\""))
        #expect(try fixture.text("Journey/Package.swift").contains("\"../RideApi\", \"2.0.0\"..<"))
    }

    @Test(
        "An export is refused if a released package excludes the new major version of a library")
    func majorLibrary() throws {
        try fixture.export()
        try fixture.raise("ErrorCode", from: "1.0.0", to: "2.0.0")
        let errors = try refusals()
        #expect(errors.map(\.what) == ["Journey 1.0.0 was released with different files: Package.swift."])
    }

    @Test("An export is refused if the package has uncommitted files, but a dry run is not")
    func uncommitted() throws {
        try fixture.tree.write("Packages/Business/Ride/Sources/Ride/More.swift", "struct More {}\n")
        let error = #expect(throws: Diagnostic.self) { try fixture.export("Ride") }
        #expect(error?.place.description == "Packages/Business/Ride/Sources/Ride/More.swift")
        try fixture.export("Mediator")
        try fixture.export("Ride", isDryRun: true)
    }

    @Test(
        "An export into a repository with uncommitted files, or into a folder that is not a repository, is refused"
    )
    func othersWork() throws {
        try fixture.export("ErrorCode")
        try Data("mine".utf8).write(to: fixture.folder.appending(path: "ErrorCode/mine.txt"))
        #expect(try Set(fixture.export("ErrorCode").values) == [.same])
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        #expect(try refusals("ErrorCode").first?.what.contains("mine.txt") == true)
        let own = fixture.folder.appending(path: "Mediator")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: own.appending(path: "mine.txt"))
        #expect(try refusals("Mediator").first?.what == "this folder is not a git repository.")
        #expect(try fixture.text("Mediator/mine.txt") == "mine")
    }

    @Test("An export into a repository with a detached HEAD is refused")
    func detached() throws {
        try fixture.export("ErrorCode")
        try fixture.git("checkout", "-q", "--detach", in: "ErrorCode")
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        #expect(try refusals("ErrorCode").map(\.what) == ["the repository has a detached HEAD."])
        #expect(try fixture.git("tag", in: "ErrorCode") == "1.0.0")
    }
}
