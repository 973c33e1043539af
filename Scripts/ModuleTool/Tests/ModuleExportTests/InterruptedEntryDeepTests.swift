import Foundation
import ModuleEdits
import ModuleFixtures
import Testing

@testable import ModuleExport

@Suite("Interrupted releases", .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct InterruptedEntryDeepTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    /// The parts of the release that the interrupted run had finished.
    enum Done: CaseIterable { case nothing, branch, tag, both, files }

    /// The cases in which the repository shows a part of the release.
    static let partly = Done.allCases.filter { $0 != .nothing }

    private let marker = "ErrorCode/.git/modules-export"
    private let readme = "ErrorCode/README.md"

    /// Releases ErrorCode 1.1.0, undoes all parts except `done`, and leaves the journal of an interrupted
    /// run.
    ///
    /// - Returns: The commit of the release.
    @discardableResult
    private func interrupt(_ done: Done) throws -> String {
        try fixture.export("ErrorCode")
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        try fixture.export("ErrorCode")
        let commit = try fixture.git("rev-parse", "1.1.0", in: "ErrorCode")
        let parent = try fixture.git("rev-parse", "1.0.0", in: "ErrorCode")
        if done != .files { try fixture.git("read-tree", "-u", "--reset", "1.0.0", in: "ErrorCode") }
        if done == .nothing || done == .branch { try fixture.git("tag", "-d", "1.1.0", in: "ErrorCode") }
        if done == .nothing || done == .tag {
            try fixture.git("update-ref", "refs/heads/main", parent, in: "ErrorCode")
        }
        let prepared = ExportRepository.Prepared(
            branch: "refs/heads/main", parent: parent, commit: commit, tag: "1.1.0")
        try JSONEncoder().encode(prepared).write(to: fixture.folder.appending(path: marker))
        return commit
    }

    private var isMarked: Bool {
        FileManager.default.fileExists(atPath: fixture.folder.appending(path: marker).path)
    }

    private func refusal(_ name: String = "ErrorCode") throws -> EditError {
        do {
            try fixture.export(name)
        } catch let refused as ExportRefused {
            return refused.errors[0]
        } catch let error as EditError {
            return error
        }
        Issue.record("The export was not refused.")
        return EditError(.refused, "nothing", fix: "")
    }

    @Test(
        "The next export completes an interrupted release, or repeats the release if no part of it is visible",
        arguments: Done.allCases)
    func completed(done: Done) throws {
        let commit = try interrupt(done)
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: ".export-staging/ErrorCode"), withIntermediateDirectories: true
        )
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": done == .nothing ? .changed : .same])
        #expect(try fixture.text("ErrorCode/CHANGELOG.md").contains("1.1.0"))
        #expect(try fixture.git("status", "--porcelain", in: "ErrorCode") == "")
        for reference in ["main", "1.1.0"] {
            #expect(try fixture.git("rev-parse", reference, in: "ErrorCode") == commit)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["ErrorCode"])
        #expect(!isMarked)
    }

    @Test("An export of other packages also completes an interrupted release", arguments: partly)
    func byOthers(done: Done) throws {
        let commit = try interrupt(done)
        try fixture.export("Mediator")
        #expect(try fixture.git("rev-parse", "main", in: "ErrorCode") == commit)
        #expect(try fixture.git("rev-parse", "1.1.0", in: "ErrorCode") == commit)
        #expect(try fixture.git("status", "--porcelain", in: "ErrorCode") == "")
        #expect(!isMarked)
    }

    @Test("An interrupted release that left no visible part is repeated from the current sources")
    func mended() throws {
        try interrupt(.nothing)
        try fixture.tree.edit(
            "Packages/Common/ErrorCode/Sources/ErrorCode/ErrorCode.swift", "offline = 1", "offline = 2")
        try fixture.tree.git("commit", "-q", "-a", "--amend", "--no-edit")
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": .changed])
        let source = try fixture.git("show", "1.1.0:Sources/ErrorCode/ErrorCode.swift", in: "ErrorCode")
        #expect(source.contains("offline = 2"))
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": .same])
    }

    @Test(
        "An interrupted release is not completed while its repository has uncommitted work",
        arguments: Done.allCases, ["README.md", "mine.txt"])
    func work(done: Done, file: String) throws {
        try interrupt(done)
        try fixture.append("mine\n", to: "ErrorCode/" + file)
        let error = try refusal()
        #expect(error.kind == .refused)
        #expect(error.description.contains(file), "\(error)")
        #expect(try fixture.text("ErrorCode/" + file).hasSuffix("mine\n"))
        // Staged work is kept as well.
        try fixture.git("add", file, in: "ErrorCode")
        #expect(try refusal().kind == .refused)
        #expect(try fixture.text("ErrorCode/" + file).hasSuffix("mine\n"))
        // After the remedy from the error message, the next export completes the release.
        try fixture.git("reset", "-q", "--hard", in: "ErrorCode")
        try fixture.export("ErrorCode")
        #expect(try fixture.git("status", "--porcelain", in: "ErrorCode") == "")
        #expect(try fixture.text("ErrorCode/CHANGELOG.md").contains("1.1.0"))
    }

    @Test("A truncated journal of a release is discarded, and uncommitted work is kept")
    func torn() throws {
        try interrupt(.nothing)
        try Data("{\"branch".utf8).write(to: fixture.folder.appending(path: marker))
        try fixture.append("mine\n", to: readme)
        #expect(try refusal().what.contains("README.md"))
        #expect(try fixture.text(readme).hasSuffix("mine\n"))
        #expect(!isMarked)
    }

    @Test(
        "An interrupted release is not completed while git has locked the repository",
        arguments: ["index", "refs/heads/main", "refs/tags/1.1.0"])
    func locked(name: String) throws {
        try interrupt(.both)
        let lock = fixture.folder.appending(path: "ErrorCode/.git/\(name).lock")
        try Data().write(to: lock)
        let error = try refusal()
        #expect(error.place == lock.path)
        #expect(error.fix.contains("rm \"\(lock.path)\""))
        #expect(isMarked)
        try FileManager.default.removeItem(at: lock)
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": .same])
    }

    @Test("No release begins while git has locked one of the repositories")
    func lockedBefore() throws {
        try fixture.export("ErrorCode", "Mediator")
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        try fixture.raise("Mediator", from: "1.0.0", to: "1.1.0")
        try Data().write(to: fixture.folder.appending(path: "Mediator/.git/index.lock"))
        #expect(throws: EditError.self) { try fixture.export("ErrorCode", "Mediator") }
        #expect(try fixture.git("tag", in: "ErrorCode") == "1.0.0")
        #expect(try fixture.git("tag", in: "Mediator") == "1.0.0")
    }

    @Test("An interrupted release is rebuilt on top of later commits")
    func workedOn() throws {
        try interrupt(.nothing)
        try fixture.git("commit", "--quiet", "--allow-empty", "-m", "By hand", in: "ErrorCode")
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": .changed])
        #expect(
            try fixture.git("log", "--format=%s", in: "ErrorCode")
                == "ErrorCode 1.1.0\nBy hand\nErrorCode 1.0.0")
    }
}
