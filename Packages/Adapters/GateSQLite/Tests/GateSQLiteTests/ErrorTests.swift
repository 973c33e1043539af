import Foundation
import GRDB
import GateLedger
import TestSupport
import Testing

@testable import GateSQLite

@Suite("A ledger that cannot be used", .waitLimit)
struct ErrorTests {
    private func error(_ body: () async throws -> Void) async throws -> SQLiteLedgerError {
        try #require(
            await #expect(throws: SQLiteLedgerError.self) { try await body() })
    }

    /// Expects a one-line error that begins with the file's path and contains these parts.
    private func expect(
        _ error: SQLiteLedgerError, _ code: SQLiteLedgerError.Code, at url: URL, _ parts: String...
    ) {
        #expect(error.code == code)
        #expect(error.description.hasPrefix("\(url.path): "))
        for part in parts { #expect(error.description.contains(part)) }
        #expect(!error.description.contains("\n"))
    }

    @Test("A file that is not a database is refused, and stays unchanged")
    func noDatabase() async throws {
        let file = try LedgerFile(), text = String(repeating: "no database ", count: 1000)
        try file.folder.write(text, to: "gate.sqlite")
        let error = try await error { _ = try file.open() }
        expect(error, .damaged, at: file.url, "file is not a database", "Restore the file")
        #expect(try file.folder.text("gate.sqlite") == text)
        #expect(try file.folder.names == ["gate.sqlite"])
    }

    @Test("A damaged page is reported by the transaction that reads it")
    func damagedPage() async throws {
        let file = try LedgerFile()
        var ledger: SQLiteLedger? = try file.open()
        for number in 0..<500 { try await ledger?.save(GateRecord("\(number)", of: "passenger \(number)")) }
        try ledger?.database.close()
        ledger = nil
        let handle = try FileHandle(forUpdating: file.url)
        for page in 4..<12 {
            try handle.seek(toOffset: UInt64(page) * 4096)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        }
        try handle.close()
        let damaged = try file.open()
        let error = try await error { for number in 0..<500 { _ = try await damaged.record("\(number)") } }
        expect(error, .damaged, at: file.url, "malformed", "move it away")
    }

    @Test("A record whose end cannot be decoded is reported as damaged")
    func damagedEnd() async throws {
        let file = try LedgerFile(), ledger = try file.open()
        try await ledger.save(GateRecord("A", of: "ann"))
        try await ledger.database.write { try $0.execute(sql: "UPDATE code SET ended = 'x'") }
        expect(try await error { _ = try await ledger.record("A") }, .damaged, at: file.url, "the code A")
    }

    @Test(
        "Another program's database is refused, and stays unchanged",
        arguments: ["CREATE TABLE theirs (text)", "PRAGMA application_id = 7", "PRAGMA user_version = 7"])
    func otherProgram(sql: String) async throws {
        let file = try LedgerFile()
        let other = try DatabaseQueue(path: file.url.path)
        try await other.write { try $0.execute(sql: sql) }
        expect(
            try await error { _ = try file.open() }, .foreign, at: file.url, "another program", "another file"
        )
        #expect(try await other.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "delete")
        #expect(try await other.read { try $0.tableExists("code") } == false)
    }

    @Test("A ledger of version 1 keeps its records, and gets the version that older programs refuse")
    func older() async throws {
        let file = try LedgerFile()
        let record = GateRecord("A", of: "ann", end: GateRecord.passage(of: "ann", key: "k"))
        do {
            let ledger = try file.open()
            try await ledger.save(record)
            try await ledger.database.write { try $0.execute(sql: "PRAGMA user_version = 1") }
        }
        let ledger = try file.open()
        #expect(try await ledger.record("A") == record)
        #expect(try await ledger.database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
    }

    @Test("A ledger of a newer version is refused")
    func newer() async throws {
        let file = try LedgerFile(), ledger = try file.open()
        try await ledger.database.write { try $0.execute(sql: "PRAGMA user_version = 3") }
        expect(try await error { _ = try file.open() }, .foreign, at: file.url, "newer version", "Update")
    }

    @Test(
        "A path at which no file can be created is refused",
        arguments: ["missing/gate.sqlite", "file/gate.sqlite", "folder"])
    func noAccess(path: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        let url = folder.url.appending(path: path)
        let error = try await error { _ = try SQLiteLedger(file: url) }
        expect(error, .noAccess, at: url, "unable to open database file", "writable")
        #expect(try folder.names == ["file", "folder"])
    }

    @Test("A transaction that waits longer than its patience throws, and the ledger stays usable")
    func busy() async throws {
        let file = try LedgerFile()
        let ledger = try SQLiteLedger(file: file.url, patience: 0.05), other = try file.open()
        let error = try await error {
            try await other.transaction { _ in
                let result = Shared<(any Error)?>(nil)
                let done = DispatchSemaphore(value: 0)
                Task {
                    do { try await ledger.save(GateRecord("A", of: "ann")) } catch { result.value = error }
                    done.signal()
                }
                done.wait()
                if let error = result.value { throw error }
            }
        }
        expect(error, .busy, at: file.url, "locked", "fuser")
        try await ledger.save(GateRecord("A", of: "ann"))
        #expect(try await other.record("A") != nil)
    }
}
