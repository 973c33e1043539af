import ApiCenter
import Foundation
import GateApi
import GateLedger
import Storage
import TestSupport
import Testing

@testable import Gate

/// Performs each transaction, and then runs a check that may throw.
private struct FaultyLedger: GateLedger {
    let inner: any GateLedger
    let check: @Sendable () throws -> Void

    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (any GateTransaction) throws -> Result
    ) async throws -> Result {
        let result = try await inner.transaction(body)
        try check()
        return result
    }
}

private struct DiskError: Error {}

@Suite("The ledger of a Gate")
struct GateLedgerTests {
    @Test("If the ledger fails after it has saved a passage, a repeat with the same key returns the passage")
    func lostAnswer() async throws {
        let isFaulty = Shared(false)
        let ledger = FaultyLedger(inner: try DocumentLedger(in: .inMemory())) {
            if isFaulty.value { throw DiskError() }
        }
        let gate = TestGate(ledger: ledger)
        let code = try await gate.api.code(for: "ann").text
        isFaulty.value = true
        await #expect(throws: GateApiError.notSaved("DiskError()")) { try await gate.pass(code, key: "k") }
        isFaulty.value = false
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(code, key: "l") }
        #expect(try await gate.pass(code, key: "k").key == "k")
    }

    @Test("Gates that share a ledger accept each other's codes, but each code only once")
    func shared() async throws {
        let ledger = try DocumentLedger(in: .inMemory())
        let gates = [TestGate(ledger: ledger), TestGate(ledger: ledger)]
        let code = try await gates[0].api.code(for: "ann")
        #expect(try await gates[1].api.code(for: "ann") == code)
        let passage = try await gates[1].pass(code.text, key: "k")
        #expect(try await gates[0].pass(code.text, key: "k") == passage)
        await #expect(throws: GateApiError.codeUsed) { try await gates[0].pass(code.text, key: "l") }
    }

    @Test("If the document is damaged, the app has no Gate, unless it has its own ledger")
    func damaged() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "gate.json")
        let storage = try Storage(folder: folder.url)
        let error = #expect(throws: ApiError.self) { try TestGate(on: storage).api }
        #expect(error?.cause is StorageError)
        let ledger = try DocumentLedger(in: .inMemory())
        #expect(throws: Never.self) { try TestGate(on: storage, ledger: ledger).api }
    }

    @Test("A document of version 1 is read, and an app of that version refuses the one that this app writes")
    func versions() async throws {
        let folder = try TemporaryFolder()
        let passage = GatePassage(passenger: "ann", station: "Zoo", date: .distantPast, key: "k")
        let record = GateRecord(
            code: GateCode(text: "A", expires: .distantFuture), passenger: "ann", end: .used(passage))
        func older() throws -> Document<DocumentLedger.Records> {
            try Storage(folder: folder.url).document("gate", version: 1, default: [:])
        }
        try older().update { $0["A"] = record }
        do {
            let ledger = try DocumentLedger(in: Storage(folder: folder.url))
            try await ledger.transaction { ledger in
                var old = try #require(try ledger.record("A"))
                #expect(old == record)
                old.end = .reported(passage)
                try ledger.save(old)
            }
        }
        let error = #expect(throws: StorageError.self) { try older() }
        #expect(error?.code == .newer)
    }

    @Test("If the app's settings cannot be built, the app has no Gate, rather than one with another ledger")
    func settings() {
        let gate = TestGate()
        gate.center.replaceApi(type: GateSettings.self) { throw DiskError() }
        let error = #expect(throws: ApiError.self) { try gate.api }
        #expect((error?.cause as? ApiError)?.cause is DiskError)
    }

    @Test("A call that changes nothing writes nothing")
    func reads() async throws {
        let folder = try TemporaryFolder()
        let gate = TestGate(on: try Storage(folder: folder.url))
        // Returns the file's inode number, which every update changes by replacing the file.
        func file() throws -> Int? {
            let path = folder.url.appending(path: "gate.json").path
            return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let code = try await gate.api.code(for: "ann").text
        try await gate.pass(code, key: "k")
        let written = try #require(try file())
        try await gate.pass(code, key: "k")
        try await gate.api.expireCode(of: "ann")
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(code) }
        #expect(try file() == written)
        let current = try await gate.api.code(for: "ann")
        let rewritten = try file()
        #expect(rewritten != written)
        #expect(try await gate.api.code(for: "ann") == current)
        #expect(try file() == rewritten)
    }

    @Test("The default ledger forgets the codes that expired at a time or earlier, and writes that to disk")
    func forgotten() async throws {
        let folder = try TemporaryFolder()
        func ledger() throws -> DocumentLedger { try DocumentLedger(in: Storage(folder: folder.url)) }
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let records = [-1, 0, 1].map { seconds in
            GateRecord(
                code: GateCode(text: "\(seconds)", expires: date + seconds), passenger: "ann", end: .expired)
        }
        try await ledger().transaction { ledger in
            for record in records { try ledger.save(record) }
        }
        try await ledger().transaction { try $0.forget(expiredBy: date) }
        let kept = try await ledger().transaction { ledger in
            try records.filter { try ledger.record($0.code.text) != nil }
        }
        #expect(kept == [records[2]])
    }

    @Test("The default ledger keeps 500 ended codes")
    func defaultLimit() async throws {
        let storage = Storage.inMemory(), gate = TestGate(on: storage)
        for _ in 0...501 {
            gate.time.update { $0 += 0.1 }
            _ = try await gate.api.newCode(for: "ann")
        }
        let saved = try storage.document("gate", version: 2, default: DocumentLedger.Records())
        #expect(saved.value.count == 501)
    }

    @Test("The document is bounded: it forgets the codes that expire first, but never a valid one")
    func bounded() async throws {
        let storage = Storage.inMemory()
        let gate = TestGate(on: storage, ledger: try DocumentLedger(in: storage, limit: 10))
        let saved = try storage.document("gate", version: 2, default: DocumentLedger.Records())
        let others = try await [gate.api.code(for: "bob"), gate.api.code(for: "cid")]
        var codes: [GateCode] = []
        for _ in 0..<100 {
            gate.time.update { $0 += 0.1 }
            codes.append(try await gate.api.newCode(for: "mallory"))
            #expect(saved.value.count <= 3 + 10)
        }
        for code in codes[89..<99] {
            await #expect(throws: GateApiError.codeReplaced) { try await gate.pass(code.text, of: "mallory") }
        }
        await #expect(throws: GateApiError.codeUnknown) { try await gate.pass(codes[88].text, of: "mallory") }
        try await gate.pass(codes[99].text, of: "mallory")
        for (code, passenger) in zip(others, ["bob", "cid"]) { try await gate.pass(code.text, of: passenger) }
        gate.time.update { $0 += 86_460 }
        _ = try await gate.api.code(for: "ann")
        #expect(saved.value.count == 1)
    }
}
