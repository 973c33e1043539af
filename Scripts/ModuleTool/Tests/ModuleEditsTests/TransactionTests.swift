import Foundation
import Testing

@testable import ModuleEdits

@Suite("Transactions")
struct TransactionTests {
    static let before = [
        "a.txt": "old a", "folder/b.txt": "old b", "gone/c.txt": "c", "gone/deep/d.txt": "d",
    ]
    static let after = ["a.txt": "new a", "folder/b.txt": "old b", "made/deep/e.txt": "e"]
    static let changes: [Change] = [
        .write(path: "made/deep/e.txt", contents: "e"),
        .write(path: "a.txt", contents: "new a"),
        .removeFolder(path: "gone"),
    ]

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(Self.before)
    }

    /// Applies the changes. Before each step, throws the error that `error` returns for the step's number, if any.
    ///
    /// - Returns: The number of steps.
    private func apply(_ error: @escaping (Int) -> (any Error)? = { _ in nil }) throws -> Int {
        let count = Counter()
        let transaction = try Transaction.begin(root: folder.url) { _ in
            count.value += 1
            if let error = error(count.value) { throw error }
        }
        try transaction.apply(Self.changes, command: "test")
        return count.value
    }

    @Test("A transaction makes all changes and leaves no temporary files")
    func success() throws {
        #expect(try apply() > 10)
        #expect(try folder.files() == Self.after)
        #expect(!Transaction.isPending(root: folder.url))
        #expect(try folder.names(in: ".modules") == [".gitignore", "lock"])
        #expect(try Transaction.recover(root: folder.url) == nil)
    }

    @Test("A transaction keeps the permissions of rewritten files")
    func permissions() throws {
        let file = folder.url.appending(path: "a.txt").path
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        _ = try apply()
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o755)
    }

    @Test("A transaction that was killed at any step is completed or undone by the next transaction")
    func kill() throws {
        var outcomes: [Bool] = []
        for step in 1... {
            let test = try TransactionTests()
            defer { test.folder.remove() }
            do {
                _ = try test.apply { $0 == step ? TransactionFiles.Killed() : nil }
                break
            } catch is TransactionFiles.Killed {
                let wasPending = Transaction.isPending(root: test.folder.url)
                let recovery = try Transaction.begin(root: test.folder.url).recovery
                #expect((recovery != nil) == wasPending)
                let files = try test.folder.files()
                #expect(files == Self.before || files == Self.after, "killed at step \(step)")
                #expect(try test.folder.names(in: ".modules") == [".gitignore", "lock"])
                if wasPending { #expect(files == Self.after) }
                outcomes.append(files == Self.after)
            }
        }
        #expect(outcomes.count > 10)
        #expect(outcomes.first == false && outcomes.last == true)
        // Once the journal exists, recovery completes the transaction.
        #expect(outcomes == outcomes.filter { !$0 } + outcomes.filter { $0 })
    }

    @Test("A transaction is recovered even if its recovery was killed at any step")
    func killTwice() throws {
        for first in 1... {
            var isOver = false
            for second in 1... {
                let test = try TransactionTests()
                defer { test.folder.remove() }
                do {
                    _ = try test.apply { $0 == first ? TransactionFiles.Killed() : nil }
                    isOver = true
                    break
                } catch is TransactionFiles.Killed {}
                let count = Counter()
                do {
                    _ = try Transaction.begin(root: test.folder.url) { _ in
                        count.value += 1
                        if count.value == second { throw TransactionFiles.Killed() }
                    }.recovery
                    break
                } catch is TransactionFiles.Killed {}
                _ = try Transaction.begin(root: test.folder.url).recovery
                let files = try test.folder.files()
                #expect(files == Self.before || files == Self.after, "killed at steps \(first) and \(second)")
                #expect(!Transaction.isPending(root: test.folder.url))
            }
            if isOver { break }
        }
    }

    @Test("A transaction that fails at any step is rolled back")
    func failure() throws {
        for step in 1... {
            let test = try TransactionTests()
            defer { test.folder.remove() }
            do {
                _ = try test.apply { $0 == step ? PosixError(doing: "testing") : nil }
                // Either no step failed, or only the cleanup failed, whose errors are ignored.
                #expect(try test.folder.files() == Self.after)
                if try test.folder.names(in: ".modules") == [".gitignore", "lock"] { break }
            } catch let error as EditError {
                #expect(error.kind == .environment)
                let isStuck = Transaction.isPending(root: test.folder.url)
                if !isStuck {
                    #expect(
                        try test.folder.files()
                            == (error.what.hasPrefix("nothing") ? Self.before : Self.after))
                }
                _ = try Transaction.begin(root: test.folder.url).recovery
                let files = try test.folder.files()
                #expect(
                    files == (isStuck || !error.what.hasPrefix("nothing") ? Self.after : Self.before),
                    "\(step)")
            }
        }
    }

    @Test("A transaction that was killed during its rollback is recovered")
    func killWhileUndoing() throws {
        for failing in 6... {
            var isOver = false
            for killed in (failing + 1)... {
                let test = try TransactionTests()
                defer { test.folder.remove() }
                do {
                    _ = try test.apply {
                        $0 == failing
                            ? PosixError(doing: "testing") : $0 == killed ? TransactionFiles.Killed() : nil
                    }
                    isOver = true
                    break
                } catch is EditError {
                    break
                } catch is TransactionFiles.Killed {}
                _ = try Transaction.begin(root: test.folder.url).recovery
                let files = try test.folder.files()
                #expect(
                    files == Self.before || files == Self.after, "failed at \(failing), killed at \(killed)")
                #expect(!Transaction.isPending(root: test.folder.url))
            }
            if isOver { break }
        }
    }

    @Test("A killed transaction whose changes keep failing is rolled back by the next transaction")
    func undoneByRecovery() throws {
        // Killed after the journal was written and before the first change.
        #expect(throws: TransactionFiles.Killed.self) {
            let transaction = try Transaction.begin(root: folder.url) {
                if $0.contains("e.txt") { throw TransactionFiles.Killed() }
            }
            try transaction.apply(Self.changes, command: "test")
        }
        #expect(Transaction.isPending(root: folder.url))
        let recovery = try Transaction.begin(root: folder.url) {
            if $0.hasPrefix("move gone") { throw PosixError(doing: "testing") }
        }.recovery
        #expect(recovery == .init(command: "test", isCompleted: false))
        #expect(try folder.files() == Self.before)
    }

    @Test("A killed transaction is not recovered while one of its files has unrelated changes")
    func foreignChange() throws {
        #expect(throws: TransactionFiles.Killed.self) {
            try apply { $0 == 12 ? TransactionFiles.Killed() : nil }
        }
        try folder.write("by hand", to: "a.txt")
        let error = #expect(throws: EditError.self) { try Transaction.recover(root: folder.url) }
        #expect(error?.place == "a.txt")
        #expect(Transaction.isPending(root: folder.url))
        #expect(try folder.files()["a.txt"] == "by hand")
        try folder.write("old a", to: "a.txt")
        #expect(try Transaction.recover(root: folder.url)?.isCompleted == true)
        #expect(try folder.files() == Self.after)
    }

    @Test(
        "A transaction journal that is truncated or points outside the tree is rejected",
        arguments: [
            "", "{", #"{"format":2,"command":"x","entries":[],"newFolders":[]}"#,
            #"{"format":1,"command":"x","entries":[],"newFolders":["../x"]}"#,
        ])
    func badJournal(text: String) throws {
        try folder.write(text, to: ".modules/journal")
        let error = #expect(throws: EditError.self) { try Transaction.recover(root: folder.url) }
        #expect(error?.kind == .usage)
        #expect(try folder.files() == Self.before)
    }

    @Test("A transaction's removeFolderIfEmpty removes an empty folder and keeps any other folder")
    func emptyFolders() throws {
        let transaction = try Transaction.begin(root: folder.url)
        try transaction.apply(
            [
                .removeFolder(path: "gone/deep"), .removeFolderIfEmpty(path: "gone"),
                .removeFolderIfEmpty(path: "folder"),
            ], command: "test")
        #expect(try folder.files().keys.sorted() == ["a.txt", "folder/b.txt", "gone/c.txt"])
    }

    @Test("A transaction whose process was killed is recovered by the next process")
    func reallyKilled() async throws {
        let path = folder.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let transaction = try Transaction.begin(root: URL(filePath: path)) {
                if $0.hasPrefix("write the rest of .a.txt") { raise(SIGKILL) }
            }
            try transaction.apply(TransactionTests.changes, command: "killed")
        }
        #expect(Transaction.isPending(root: folder.url))
        #expect(try folder.files() != Self.before)
        #expect(try Transaction.recover(root: folder.url) == .init(command: "killed", isCompleted: true))
        #expect(try folder.files() == Self.after)
    }

    @Test("A transaction waits for another one in the same tree, and reports the wait")
    func lock() async throws {
        let url = folder.url
        var first: Transaction? = try Transaction.begin(root: url)
        _ = first?.recovery
        let (waits, signal) = AsyncStream<Void>.makeStream()
        let second = Task.detached {
            try Transaction.run(root: url, onWait: { signal.yield() }) { _ in "ran" }
        }
        for await _ in waits { break }
        first = nil
        #expect(try await second.value == "ran")
    }
}

/// A counter that a step hook can capture.
private final class Counter {
    var value = 0
}
