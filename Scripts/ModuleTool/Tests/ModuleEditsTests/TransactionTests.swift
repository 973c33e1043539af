import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleEdits

@Suite("Transactions")
struct TransactionTests {
    static let before = [
        "a.txt": "old a", "folder/b.txt": "old b", "gone/c.txt": "c", "gone/deep/d.txt": "d",
    ]
    static let after = [
        "a.txt": "new a", "folder/b.txt": "old b", "made/copy.txt": "old b", "made/deep/e.txt": "e",
    ]
    static let changes: [Change] = [
        .write(path: "made/deep/e.txt", contents: "e"),
        .write(path: "a.txt", contents: "new a"),
        .remove(path: "gone"),
        .copy(path: "made/copy.txt", from: "folder/b.txt"),
    ]

    let folder: TemporaryTree

    init() throws {
        folder = try TemporaryTree(Self.before)
    }

    /// Undoes an interrupted transaction if there is one, and applies changes. A step throws an error if `fails`
    /// returns true for the step's number. If a step and all later steps fail, the disk looks as if the process had
    /// been killed.
    ///
    /// - Returns: The number of steps.
    @discardableResult
    private func apply(
        _ changes: [Change] = changes, fails: @escaping (Int) -> Bool = { _ in false }
    ) throws -> Int {
        var count = 0
        let transaction = try Transaction(root: folder.url) { _ in
            count += 1
            if fails(count) { throw CocoaError(.fileWriteOutOfSpace) }
        }
        try transaction.apply(changes, command: "test")
        return count
    }

    private func expect(_ files: [String: String], _ comment: Comment? = nil) throws {
        #expect(try folder.files() == files, comment)
        #expect(!Transaction.isPending(root: folder.url))
        #expect(try folder.names(in: ".modules") == [".gitignore"], comment)
    }

    @Test("A transaction makes all changes, keeps the permissions of files, and leaves no temporary files")
    func success() throws {
        // A read-only file can be edited.
        try folder.run("chmod", "555", "a.txt")
        #expect(try apply() > 5)
        try expect(Self.after)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.root + "/a.txt")[.posixPermissions]
        #expect(mode as? Int == 0o555)
        #expect(try Transaction(root: folder.url).undone == nil)
    }

    @Test("A transaction that fails at any step is undone")
    func failure() throws {
        for step in 1... {
            let test = try TransactionTests()
            do {
                try test.apply { $0 == step }
                // Either no step failed, or only the cleanup failed, which the next transaction repeats.
                #expect(try test.folder.files() == Self.after)
                if try test.folder.names(in: ".modules") == [".gitignore"] { break }
                try test.apply([])
                try test.expect(Self.after)
            } catch let error as Diagnostic {
                #expect(error.kind == .environment)
                #expect(try test.folder.files() == Self.before)
                try test.apply([])
                try test.expect(Self.before)
            }
        }
    }

    @Test("A transaction makes all changes or none, even if both the transaction and its recovery are killed")
    func kill() throws {
        var outcomes: [Bool] = []
        let steps = try apply()
        for first in 1...steps {
            for second in 1... {
                let test = try TransactionTests()
                _ = try? test.apply { $0 >= first }
                let isPending = Transaction.isPending(root: test.folder.url)
                let isRecovered = (try? test.apply([]) { $0 >= second }) != nil
                try test.apply([])
                let isDone = try !isPending && test.folder.files() == Self.after
                try test.expect(
                    isDone ? Self.after : Self.before, "killed at steps \(first) and \(second)")
                guard isRecovered else { continue }
                outcomes.append(isDone)
                break
            }
        }
        // The command is complete as soon as its last change is made.
        #expect(outcomes == outcomes.sorted { !$0 && $1 })
        #expect(outcomes.contains(true) && outcomes.contains(false))
    }

    @Test(
        "A transaction whose process was killed is undone by the next one, unless somebody changed a file since"
    )
    func killedProcess() async throws {
        let path = folder.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let transaction = try Transaction(root: URL(filePath: path)) {
                if $0 == "move gone to .modules/edit/old-2" { raise(SIGKILL) }
            }
            try transaction.apply(TransactionTests.changes, command: "killed")
        }
        #expect(Transaction.isPending(root: folder.url))
        try folder.write("a.txt", "by hand")
        let files = try folder.files()
        let error = #expect(throws: Diagnostic.self) { try Transaction(root: folder.url) }
        #expect(error?.place.description == "a.txt")
        #expect(Transaction.isPending(root: folder.url))
        #expect(try folder.files() == files)
        try folder.write("a.txt", "old a")
        #expect(try Transaction(root: folder.url).undone == "killed")
        try expect(Self.before)
    }

    @Test("A transaction does not replace a symbolic link or a folder", arguments: ["link.txt", "folder"])
    func refused(path: String) throws {
        try folder.run("ln", "-s", "a.txt", "link.txt")
        let files = try folder.files()
        let error = #expect(throws: Diagnostic.self) {
            try apply([.write(path: "a.txt", contents: "x"), .write(path: path, contents: "x")])
        }
        #expect(error?.place.description == path)
        try apply([])
        try expect(files)
    }

    @Test("A file that somebody changes during the transaction is not overwritten")
    func changedMeanwhile() throws {
        let transaction = try Transaction(root: folder.url) {
            if $0 == "write .modules/edit/journal.json" { try folder.write("a.txt", "by hand") }
        }
        let error = #expect(throws: Diagnostic.self) {
            try transaction.apply(Self.changes, command: "test")
        }
        #expect(error?.place.description == "a.txt")
        #expect(try folder.read("a.txt") == "by hand")
    }

    @Test("Files that a transaction staged before it was killed are found and removed")
    func remains() throws {
        #expect(!Transaction.hasRemains(root: folder.url))
        try folder.write(".modules/edit/new-0", "staged")
        #expect(Transaction.hasRemains(root: folder.url) && !Transaction.isPending(root: folder.url))
        #expect(try Transaction(root: folder.url).undone == nil)
        #expect(!Transaction.hasRemains(root: folder.url))
        try expect(Self.before)
    }

    @Test("A damaged journal of a killed transaction is rejected", arguments: ["", "{", "{}"])
    func badJournal(text: String) throws {
        try folder.write(".modules/edit/journal.json", text)
        let error = #expect(throws: Diagnostic.self) { try Transaction(root: folder.url) }
        #expect(error?.kind == .configuration)
        #expect(try folder.files() == Self.before)
    }

    @Test(
        "A journal is rejected that names files outside the tree, of git or of this tool, or that git tracks",
        arguments: ["../x", "/tmp/x", "a/../../x", ".git/hooks/x", ".GIT/x", ".modules/x", "a.txt"])
    func foreignJournal(path: String) throws {
        let journal = #"{"command": "test", "entries": [{"path": "\#(path)", "old": "x"}]}"#
        try folder.write(".modules/edit/journal.json", journal)
        try folder.write(".modules/edit/old-0", "foreign")
        if path == "a.txt" { try folder.run("sh", "-c", "git init -q && git add --force .modules") }
        let error = #expect(throws: Diagnostic.self) { try Transaction(root: folder.url) }
        #expect(error?.place.description == ".modules/edit/journal.json")
        #expect(try folder.read(".modules/edit/old-0") == "foreign")
    }

    @Test("A folder that somebody made again after a killed transaction is named, and nothing is undone")
    func madeAgain() throws {
        var isKilled = false
        func apply() throws {
            let transaction = try Transaction(root: folder.url) { step in
                if isKilled { throw CocoaError(.fileWriteOutOfSpace) }
                isKilled = step == "move gone to .modules/edit/old-2"
            }
            try transaction.apply(Self.changes, command: "test")
        }
        #expect(throws: Diagnostic.self) { try apply() }
        try folder.write("gone/.build/x", "x")
        let files = try folder.files()
        let error = #expect(throws: Diagnostic.self) { try Transaction(root: folder.url) }
        #expect(error?.place.description == "gone")
        #expect(error?.what.contains("made this folder again") == true)
        #expect(try folder.files() == files)
        try folder.run("rm", "-r", "gone")
        #expect(try Transaction(root: folder.url).undone == "test")
        try expect(Self.before)
    }

    @Test("A relative link is restored, although it leads nowhere from the folder of the edit")
    func relativeLink() throws {
        var outcomes: Set<String> = []
        for step in 1...12 {
            let test = try TransactionTests()
            try test.folder.run("sh", "-c", "mkdir -p one && ln -s ../a.txt one/link")
            _ = try? test.apply([.remove(path: "one/link"), .write(path: "a.txt", contents: "new")]) {
                $0 >= step
            }
            try test.apply([])
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: test.folder.root + "/one/link")
            outcomes.insert("\(target ?? "none") \(try test.folder.read("a.txt"))")
        }
        #expect(outcomes == ["../a.txt old a", "none new"])
    }

    @Test("A transaction waits for another one in the same tree, and reports the wait")
    func lock() async throws {
        let url = folder.url
        var first: Transaction? = try Transaction(root: url)
        _ = first?.undone
        let (waits, signal) = AsyncStream<Void>.makeStream()
        let second = Task.detached { try Transaction(root: url, onWait: { signal.yield() }).undone ?? "ran" }
        for await _ in waits { break }
        first = nil
        #expect(try await second.value == "ran")
    }
}
