import Foundation
import GateLedger
import GateSQLite
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("A ledger that several processes share", .serialized, .waitLimit)
struct ProcessTests {
    @Test(
        "In two processes with two ledgers each, 64 attempts with the same code open the gate only once",
        .timeLimit(.minutes(10)))
    func once() async throws {
        let file = try LedgerFile(), codes = 20
        let ledger = try file.open()
        for code in 0..<codes { try await ledger.save(GateRecord("\(code)", of: "passenger \(code)")) }
        try await withThrowingTaskGroup { group in
            for process in 0..<2 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = file.url.path as String, process = process as Int, codes = codes as Int] in
                        WaitLimit.startInExitTest()
                        try await openGates(codes, ledgerPath: path, process: process)
                    }
                }
            }
            try await group.waitForAll()
        }
        let opened = try ["0", "1"].flatMap {
            try file.folder.text("gate.sqlite.opened-\($0)").split(separator: "\n").map(String.init)
        }
        #expect(opened.count == codes)
        for code in 0..<codes {
            guard case .used(let passage) = try await ledger.record("\(code)")?.end else {
                Issue.record("the code \(code) opened no gate")
                continue
            }
            #expect(opened.filter { $0.hasPrefix("\(code) ") } == ["\(code) \(passage.key)"])
        }
    }

    @Test("Processes that create a ledger file at the same time share the ledger", .timeLimit(.minutes(10)))
    func creation() async throws {
        let file = try LedgerFile()
        await withTaskGroup { group in
            for process in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = file.url.path as String, process = process as Int] in
                        WaitLimit.startInExitTest()
                        for round in 0..<20 {
                            let ledger = try SQLiteLedger(file: URL(filePath: "\(path)-\(round)"))
                            try await ledger.save(GateRecord("\(process)", of: "passenger \(process)"))
                        }
                    }
                }
            }
        }
        for round in 0..<20 {
            let ledger = try SQLiteLedger(file: URL(filePath: "\(file.url.path)-\(round)"))
            for process in 0..<4 { #expect(try await ledger.record("\(process)") != nil) }
        }
    }

    @Test("After a kill, the ledger contains every transaction that has returned, and at most one other")
    func killed() async throws {
        let file = try LedgerFile(), ledger = try file.open()
        try await ledger.save(GateRecord("A", of: "ann"), GateRecord("B", of: "bob"))
        var before = 0
        for round in 0..<(TestLevel.isDeep ? 60 : 12) {
            try file.folder.write("", to: "returned")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = file.url.path as String, folder = file.folder.path as String, round = round as Int] in
                WaitLimit.startInExitTest()
                try await countUntilKilled(path, returned: "\(folder)/returned", round: round)
            }
            let returned = try Data(contentsOf: file.folder.file("returned")).count
            let counts = try await ["A", "B"].asyncMap { try await ledger.record($0)?.count ?? 0 }
            #expect(returned >= 1)
            #expect([returned, returned + 1].contains(counts[0] - before))
            #expect(counts[0] == counts[1])
            before = counts[0]
        }
    }
}

/// Attempts to open a gate with each code 16 times through each of two ledgers, and writes the successful attempts to a
/// file.
private func openGates(_ codes: Int, ledgerPath path: String, process: Int) async throws {
    let ledgers = try (0..<2).map { _ in try SQLiteLedger(file: URL(filePath: path)) }
    let opened = try await withThrowingTaskGroup { group in
        for code in 0..<codes {
            for attempt in 0..<32 {
                group.addTask {
                    let key = "\(process).\(attempt)"
                    let isOpen = try await ledgers[attempt % 2].open("\(code)", key: key)
                    return isOpen ? "\(code) \(key)\n" : ""
                }
            }
        }
        return try await group.reduce("", +)
    }
    try opened.write(toFile: "\(path).opened-\(process)", atomically: true, encoding: .utf8)
}

/// Increments the counts of two records in each transaction, and writes one byte to a file for each transaction that
/// has returned, until another thread kills the process at a random point.
private func countUntilKilled(_ path: String, returned: String, round: Int) async throws {
    let ledger = try SQLiteLedger(file: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: returned))
    for number in 1... {
        try await ledger.transaction { ledger in
            for text in ["A", "B"] {
                guard let record = try ledger.record(text) else { continue }
                let end = GateRecord.passage(of: record.passenger, key: "\(record.count + 1)")
                try ledger.save(GateRecord(text, of: record.passenger, end: end))
            }
        }
        try file.write(contentsOf: Data([0]))
        if number.isMultiple(of: 3) {
            Thread.detachNewThread {
                for _ in 0..<round * 37 % 199 { sched_yield() }
                kill(getpid(), SIGKILL)
            }
        }
    }
}

extension GateRecord {
    fileprivate var count: Int {
        guard case .used(let passage) = end else { return 0 }
        return Int(passage.key) ?? 0
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
#endif
