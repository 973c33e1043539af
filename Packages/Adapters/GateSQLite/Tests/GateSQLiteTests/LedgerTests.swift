import Foundation
import GRDB
import GateApi
import GateLedger
import TestSupport
import Testing

@testable import GateSQLite

@Suite("The SQLite ledger")
struct LedgerTests {
    private struct Refused: Error {}

    @Test(
        "Random transactions, some of which fail, have the same effects as on a dictionary",
        arguments: 0..<10 as Range<UInt64>)
    func course(seed: UInt64) async throws {
        var random = SeededRandom(seed), model: [String: GateRecord] = [:]
        let file = try LedgerFile()
        var ledger = try file.open()
        for number in 0..<200 {
            let passenger = random.pick(["ann", "bob", "cid"]), text = "\(random.pick(Array(0..<40)))"
            let end = random.pick([
                nil, .replaced, .expired, GateRecord.passage(of: passenger, key: "\(number)"),
            ])
            let expires = Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &random))
            let limit = Date(timeIntervalSinceReferenceDate: .random(in: 0...2e8, using: &random))
            let (forgets, fails) = (random.pick([true, false, false]), random.pick([true, false, false]))
            if random.pick(Array(0..<20)) == 0 { ledger = try file.open() }
            let changed: [String: GateRecord]? = try? await ledger.transaction { [before = model] ledger in
                var model = before
                #expect(try ledger.record(text) == model[text])
                let open = model.values.first { $0.passenger == passenger && $0.end == nil }
                #expect(try ledger.openRecord(of: passenger) == open)
                if var open, open.code.text != text {
                    open.end = .replaced
                    try ledger.save(open)
                    model[open.code.text] = open
                }
                model[text] = GateRecord(text, of: passenger, expires: expires, end: end)
                try ledger.save(GateRecord(text, of: passenger, expires: expires, end: end))
                if forgets {
                    try ledger.forget(expiredBy: limit)
                    model = model.filter { limit < $0.value.code.expires }
                }
                if fails { throw Refused() }
                return model
            }
            #expect((changed == nil) == fails)
            model = changed ?? model
            let texts = Array(model.keys)
            let saved = try await ledger.transaction { ledger in try texts.map(ledger.record) }
            #expect(saved == texts.map { model[$0] })
        }
        #expect(model.count > 5)
    }

    @Test("A code that expires exactly at the limit is forgotten")
    func limit() async throws {
        let file = try LedgerFile(), ledger = try file.open(),
            date = Date(timeIntervalSinceReferenceDate: 0.3)
        try await ledger.save(
            GateRecord("A", of: "ann", expires: date), GateRecord("B", of: "bob", expires: date + 1e-9))
        try await ledger.transaction { try $0.forget(expiredBy: date) }
        #expect(try await ledger.record("A") == nil)
        #expect(try await ledger.record("B") != nil)
    }

    @Test("Saving a second open code for a passenger fails, and the first code stays")
    func oneOpenCode() async throws {
        let file = try LedgerFile(), ledger = try file.open(), first = GateRecord("A", of: "ann")
        try await ledger.save(first)
        await #expect(throws: SQLiteLedgerError.self) { try await ledger.save(GateRecord("B", of: "ann")) }
        #expect(try await ledger.record("A") == first)
        #expect(try await ledger.record("B") == nil)
    }

    @Test("A transaction throws its body's error unchanged")
    func bodyError() async throws {
        let file = try LedgerFile(), ledger = try file.open()
        await #expect(throws: GateApiError.codeUsed) {
            try await ledger.transaction { _ in throw GateApiError.codeUsed }
        }
    }

    @Test("A cancelled transaction changes nothing")
    func cancelled() async throws {
        let file = try LedgerFile(), ledger = try file.open()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await ledger.save(GateRecord("A", of: "ann"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await ledger.record("A") == nil)
    }

    @Test("Every commit waits for the disk, and a transaction without changes writes nothing")
    func durable() async throws {
        let file = try LedgerFile(), ledger = try file.open()
        func log() throws -> Int? {
            let log = file.url.path + "-wal"
            return try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        }
        #expect(
            try await ledger.database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try await ledger.database.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        #expect(try await ledger.database.read { try Int.fetchOne($0, sql: "PRAGMA fullfsync") } == 1)
        try await ledger.save(GateRecord("A", of: "ann"))
        let before = try log()
        _ = try await ledger.record("A")
        #expect(try log() == before)
        try await ledger.save(GateRecord("B", of: "bob"))
        #expect(try log() != before)
    }

    @Test(
        "Lookups and deletions use an index",
        arguments: [
            "SELECT * FROM code WHERE text = ?", "SELECT * FROM code WHERE passenger = ? AND ended IS NULL",
            "DELETE FROM code WHERE expires <= ?",
        ])
    func indices(statement: String) async throws {
        let file = try LedgerFile(), ledger = try file.open()
        let plan = try await ledger.database.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)", arguments: ["x"]).map {
                $0["detail"] as String
            }
        }
        #expect(plan.count == 1)
        #expect(plan.allSatisfy { $0.contains("SEARCH") })
    }
}
