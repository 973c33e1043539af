import ExportFixtures
import Foundation
import ModuleKit
import ModuleVersions
import Testing

@testable import ModuleExport

@Suite("Export to git repositories")
struct ExportHistoryTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

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

    @Test("An export is refused if the tree is at another commit than the one that was checked")
    func movedHead() throws {
        let checked = try fixture.tree.git("rev-parse", "HEAD")
        try fixture.tree.git("commit", "--quiet", "--allow-empty", "--message", "Later")
        let error = #expect(throws: Diagnostic.self) { try fixture.export("Ride", at: checked) }
        #expect(error?.what.contains("another commit than the one that was checked") == true)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
    }

    @Test(
        "An export is refused if a file that the check or the packages use is not committed",
        arguments: ["LICENSE", ".modules.yml", "modules-baseline.json"])
    func uncommitted(path: String) throws {
        try fixture.tree.write(path, "")
        let error = #expect(throws: Diagnostic.self) { try fixture.export("Ride") }
        #expect(error?.place.description == path && error?.what.contains("uncommitted") == true)
    }

    @Test("An export without changes and a dry run touch no file")
    func again() throws {
        #expect(try Set(fixture.export("RideActions", isDryRun: true).values) == [.new])
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.path))
        try fixture.export("RideActions")
        // Build products are not changes.
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: "Mediator/.build"), withIntermediateDirectories: true)
        try Data().write(to: fixture.folder.appending(path: "Mediator/Package.resolved"))
        let before = try fixture.snapshot()
        #expect(try Set(fixture.export("RideActions").values) == [.same])
        try fixture.raise("Mediator", from: "1.0.0", to: "1.1.0")
        #expect(
            try fixture.export("RideActions", isDryRun: true) == ["Mediator": .changed, "RideActions": .same])
        #expect(try fixture.snapshot() == before)
    }

    @Test("A new version is added to the exported history and leaves older tags unchanged")
    func newVersion() throws {
        let fixture = try ExportFixture.exported()
        let old = try fixture.git("rev-parse", "1.0.0", in: "Journey")
        try fixture.raise("Journey", from: "1.0.0", to: "2.0.0")
        let outcome = try fixture.export()
        #expect(outcome.filter { $0.value != .same } == ["Journey": .changed, "JourneyApi": .changed])
        #expect(
            try fixture.git("rev-parse", "1.0.0", "2.0.0^", "HEAD", in: "Journey")
                == [old, old, fixture.git("rev-parse", "2.0.0", in: "Journey")].joined(separator: "\n"))
        #expect(try fixture.git("status", "--porcelain", in: "Journey") == "")
        #expect(try fixture.text("Journey/Sources/Journey/JourneyModule.swift").contains("2.0.0"))
    }

    @Test(
        "An export into an existing repository keeps the repository's history and branch",
        arguments: [true, false])
    func givenRepository(hasCommit: Bool) throws {
        let place = fixture.folder.appending(path: "ApiCenter")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try fixture.git("init", "-q", "-b", "trunk", in: "ApiCenter")
        if hasCommit {
            try Data("hello".utf8).write(to: place.appending(path: "OLD.md"))
            try fixture.git("add", ".", in: "ApiCenter")
            try fixture.git("commit", "-qm", "By hand", in: "ApiCenter")
        }
        #expect(try fixture.export("ApiCenter") == ["ApiCenter": .changed])
        #expect(
            try fixture.git("log", "--format=%s", in: "ApiCenter")
                == "ApiCenter 1.0.0" + (hasCommit ? "\nBy hand" : ""))
        #expect(try fixture.git("symbolic-ref", "HEAD", in: "ApiCenter") == "refs/heads/trunk")
        #expect(!FileManager.default.fileExists(atPath: place.appending(path: "OLD.md").path))
    }

    /// What makes an export refuse, and the beginnings of the reasons and the ends of the fixes.
    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reasons: [(place: String, what: String, fix: String)]
        let cause: @Sendable (ExportFixture) throws -> Void

        init(
            _ description: String, _ reasons: (place: String, what: String, fix: String)...,
            cause: @escaping @Sendable (ExportFixture) throws -> Void
        ) {
            (testDescription, self.reasons, self.cause) = (description, reasons, cause)
        }
    }

    @Test(
        "An export names every reason for a refusal, and writes nothing",
        arguments: [
            Refusal(
                "released versions with other files",
                (
                    "Journey",
                    "Journey 1.0.0 was released with different files: Sources/Journey/JourneyService.swift.",
                    "bump Journey patch --note \"what changed\""
                ), ("Mediator", "Mediator 1.0.0", "bump Mediator patch --note \"what changed\"")
            ) {
                try $0.tree.edit(
                    "Packages/Business/Journey/Sources/Journey/JourneyService.swift", "limit: 3", "limit: 4")
                try $0.tree.edit(
                    "Packages/Base/Mediator/Sources/Mediator/Mediator.swift", "init() {}",
                    "init() { print() }")
                try $0.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
            },
            Refusal(
                "a break of a released version",
                ("Mediator", "Mediator 1.0.0", "bump Mediator minor --note \"what changed\""),
                (
                    "RideApi", "RideApi 1.2.0 was released with different files",
                    "bump Ride major --api-only --note \"what changed\""
                )
            ) {
                try $0.tree.edit(
                    "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift", "\"ride_vc\"",
                    "\"ride_page\"")
                try $0.tree.edit(
                    "Packages/Base/Mediator/Sources/Mediator/Mediator.swift", "public init() {}",
                    "public init() {}; public func more() {}")
            },
            Refusal(
                "a break after an exported version that the tree has not released",
                (
                    "VERSIONS.md",
                    "ErrorCode was exported as 1.0.0, and needs a major step from there, but is now 1.0.1.",
                    "bump ErrorCode major --note \"what changed\""
                )
            ) {
                try $0.tree.edit(
                    "Packages/Common/ErrorCode/Sources/ErrorCode/ErrorCode.swift", "offline = 1",
                    "offline = 2")
                try $0.raise("ErrorCode", from: "1.0.0", to: "1.0.1")
            },
            Refusal("unreleased changes", ("CHANGELOG.md", "Mediator has unreleased", "modules release")) {
                try $0.tree.edit(
                    "Packages/Base/Mediator/CHANGELOG.md", "## 1.0.0", "## Unreleased\n\n- More.\n\n## 1.0.0")
            },
            Refusal(
                "a lowered version",
                ("ErrorCode", "ErrorCode was exported as 1.2.0, but is now 1.1.0.", "VERSIONS.md.")
            ) {
                try $0.raise("ErrorCode", from: "1.0.0", to: "1.2.0")
                try $0.export("ErrorCode")
                try $0.tree.edit("VERSIONS.md", "| ErrorCode | 1.2.0 ", "| ErrorCode | 1.1.0 ")
            },
            Refusal(
                "a higher tag with the prefix v",
                ("ErrorCode", "ErrorCode was exported as 3.0.0", "VERSIONS.md.")
            ) {
                try $0.git("tag", "v3.0.0", in: "ErrorCode")
            },
            Refusal(
                "a new major version of a library, which a released package excludes",
                ("Journey", "Journey 1.0.0 was released with different files: Package.swift.", "changed\"")
            ) { try $0.raise("ErrorCode", from: "1.0.0", to: "2.0.0") },
            Refusal(
                "uncommitted work in a repository",
                ("Mediator", "the repository has uncommitted changes: ?? x", "status")
            ) {
                try $0.raise("Mediator", from: "1.0.0", to: "1.1.0")
                try Data().write(to: $0.folder.appending(path: "Mediator/x"))
            },
            Refusal("warning settings outside of a list", ("Package.swift", "'.treatAllWarnings", "lists.")) {
                let path = "Packages/Core/ApiCenter/Package.swift"
                try $0.tree.edit(
                    path, "\n)\n",
                    "\n)\npackage.targets[0].swiftSettings?.append(.treatAllWarnings(as: .error))\n")
            },
            Refusal("a computed dependency", ("Package.swift", "'.package(path: \"../../Core/\"", "lists.")) {
                try $0.tree.edit(
                    "Packages/Base/Lifecycle/Package.swift", "\"../../Core/ApiCenter\"",
                    "\"../../Core/\" + \"ApiCenter\"")
            },
        ])
    func refused(_ refusal: Refusal) throws {
        let fixture = try ExportFixture.exported()
        try refusal.cause(fixture)
        try fixture.tree.commit("More")
        let before = try fixture.snapshot()
        let errors = try #require(throws: ExportRefused.self) { try fixture.export() }.errors
        #expect(errors.count == refusal.reasons.count, "\(errors)")
        for (error, reason) in zip(errors, refusal.reasons) {
            #expect(error.place.path.hasSuffix(reason.place) && error.fix.hasSuffix(reason.fix), "\(error)")
            #expect(error.what.hasPrefix(reason.what), "\(error)")
        }
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

    @Test(
        "A released version may differ from the new export only in the wording of generated text",
        arguments: [
            ("README.md", true), ("Sources/RideApiWithImp/RideApiWithImp.swift", true), (".gitignore", true),
            ("Package.swift", false),
        ])
    func wording(file: String, isWording: Bool) throws {
        try fixture.export("Ride")
        // Moves the tag, as if an older tool had released this text.
        let url = fixture.folder.appending(path: "RideApi/" + file)
        try Data((fixture.text("RideApi/" + file) + "# In other words\n").utf8).write(to: url)
        try fixture.git("commit", "-qam", "Other words", in: "RideApi")
        try fixture.git("tag", "-f", "1.2.0", in: "RideApi")
        if isWording {
            #expect(try Set(fixture.export("Ride").values) == [.same])
        } else {
            let refused = #expect(throws: ExportRefused.self) { try fixture.export("Ride") }
            #expect(refused?.errors.first?.what.hasSuffix("files: \(file).") == true)
        }
    }

    @Test("A new version of a dependency does not change the packages that depend on it")
    func floorsKept() throws {
        let fixture = try ExportFixture.exported()
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
        try fixture.raise("Journey", from: "1.0.0", to: "1.0.1")
        try fixture.export()
        #expect(try fixture.text("Journey/Package.swift").contains("\"../ErrorCode\", from: \"1.1.0\""))
        #expect(try fixture.text("Journey/Package.swift").contains("\"../RideApi\", \"2.0.0\"..<"))
    }

    @Test("An export is refused if the package has uncommitted files, but a dry run is not")
    func uncommitted() throws {
        try fixture.tree.write("Packages/Business/Ride/Sources/Ride/More.swift", "struct More {}\n")
        let error = #expect(throws: Diagnostic.self) { try fixture.export("Ride") }
        #expect(error?.place.description == "Packages/Business/Ride/Sources/Ride/More.swift")
        try fixture.export("Mediator")
        try fixture.export("Ride", isDryRun: true)
    }
}
