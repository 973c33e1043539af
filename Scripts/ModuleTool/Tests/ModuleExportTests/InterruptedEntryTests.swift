import Foundation
import ModuleEdits
import Testing

@testable import ModuleExport

@Suite("A release whose entry was interrupted")
struct InterruptedEntryTests {
    let fixture: ExportFixture

    init() throws { fixture = try ExportFixture() }

    /// What the interrupted run has done already, of what it says in the repository that it is doing.
    enum Done: CaseIterable { case nothing, branch, tag, both, files }

    /// Those that show something of the release.
    static let partly = Done.allCases.filter { $0 != .nothing }

    private let marker = "ErrorCode/.git/modules-export"
    private let readme = "ErrorCode/README.md"

    /// Brings ErrorCode to 1.1.0 and back to where a run was killed that brought it there; gives the commit.
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
        Issue.record("it was exported")
        return EditError(.refused, "nothing", mend: "")
    }

    @Test(
        "is completed by the next export, or made anew where nothing showed of it", arguments: Done.allCases)
    func completed(done: Done) throws {
        let commit = try interrupt(done)
        try FileManager.default.createDirectory(
            at: fixture.folder.appending(path: ".export-staging/ErrorCode"), withIntermediateDirectories: true
        )
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": done == .nothing ? .changed : .same])
        #expect(try fixture.text("ErrorCode/CHANGES.md").contains("1.1.0"))
        #expect(try fixture.git("status", "--porcelain", in: "ErrorCode") == "")
        for reference in ["main", "1.1.0"] {
            #expect(try fixture.git("rev-parse", reference, in: "ErrorCode") == commit)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["ErrorCode"])
        #expect(!isMarked)
    }

    @Test("is completed by an export of other packages too", arguments: partly)
    func byOthers(done: Done) throws {
        let commit = try interrupt(done)
        try fixture.export("Mediator")
        #expect(try fixture.git("rev-parse", "main", in: "ErrorCode") == commit)
        #expect(try fixture.git("rev-parse", "1.1.0", in: "ErrorCode") == commit)
        #expect(try fixture.git("status", "--porcelain", in: "ErrorCode") == "")
        #expect(!isMarked)
    }

    @Test("is released with what the source has become, where nothing showed of it")
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

    @Test("is not completed over somebody's work", arguments: Done.allCases, ["README.md", "mine.txt"])
    func work(done: Done, file: String) throws {
        try interrupt(done)
        try fixture.append("mine\n", to: "ErrorCode/" + file)
        let error = try refusal()
        #expect(error.kind == .refused)
        #expect(error.description.contains(file), "\(error)")
        #expect(try fixture.text("ErrorCode/" + file).hasSuffix("mine\n"))
        // Also when git has been told of it.
        try fixture.git("add", file, in: "ErrorCode")
        #expect(try refusal().kind == .refused)
        #expect(try fixture.text("ErrorCode/" + file).hasSuffix("mine\n"))
        // As the error says.
        try fixture.git("reset", "-q", "--hard", in: "ErrorCode")
        try fixture.export("ErrorCode")
        #expect(try fixture.git("status", "--porcelain", in: "ErrorCode") == "")
        #expect(try fixture.text("ErrorCode/CHANGES.md").contains("1.1.0"))
    }

    @Test("of which the journal is torn has not begun, and leaves somebody's work alone")
    func torn() throws {
        try interrupt(.nothing)
        try Data("{\"branch".utf8).write(to: fixture.folder.appending(path: marker))
        try fixture.append("mine\n", to: readme)
        #expect(try refusal().what.contains("README.md"))
        #expect(try fixture.text(readme).hasSuffix("mine\n"))
        #expect(!isMarked)
    }

    @Test(
        "is not completed while git is at work there",
        arguments: ["index", "refs/heads/main", "refs/tags/1.1.0"])
    func locked(name: String) throws {
        try interrupt(.both)
        let lock = fixture.folder.appending(path: "ErrorCode/.git/\(name).lock")
        try Data().write(to: lock)
        let error = try refusal()
        #expect(error.place == lock.path)
        #expect(error.mend.contains("rm \"\(lock.path)\""))
        #expect(isMarked)
        try FileManager.default.removeItem(at: lock)
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": .same])
    }

    @Test("is not begun either while git is at work there")
    func lockedBefore() throws {
        try fixture.export("ErrorCode", "Mediator")
        try fixture.raise("ErrorCode", from: "1.0.0", to: "1.1.0")
        try fixture.raise("Mediator", from: "1.0.0", to: "1.1.0")
        try Data().write(to: fixture.folder.appending(path: "Mediator/.git/index.lock"))
        #expect(throws: EditError.self) { try fixture.export("ErrorCode", "Mediator") }
        #expect(try fixture.git("tag", in: "ErrorCode") == "1.0.0")
        #expect(try fixture.git("tag", in: "Mediator") == "1.0.0")
    }

    @Test("leaves a branch alone on which somebody has worked since")
    func workedOn() throws {
        try interrupt(.nothing)
        try fixture.git("commit", "--quiet", "--allow-empty", "-m", "By hand", in: "ErrorCode")
        #expect(try fixture.export("ErrorCode") == ["ErrorCode": .changed])
        #expect(
            try fixture.git("log", "--format=%s", in: "ErrorCode")
                == "ErrorCode 1.1.0\nBy hand\nErrorCode 1.0.0")
    }
}
