import ApiCenter
import AppModules
import Foundation
import GateApi
import GateLedger
import GateSQLite
import Storage
import TestSupport
import Testing

@Suite("A Gate on SQLite")
struct LedgerTests {
    @Test("Random calls give the same results as with Gate's own ledger", arguments: 0..<10 as Range<UInt64>)
    func course(seed: UInt64) async throws {
        var random = SeededRandom(seed), codes: [(passenger: String, texts: [String])] = []
        let folder = try TemporaryFolder(), time = Shared(Date())
        let ledgers = [nil, try SQLiteLedger(file: folder.file("gate.sqlite"))]
        var gates: [any GateApiProtocol] = []
        for ledger in ledgers { gates.append(try await gate(on: ledger, time)) }
        /// Calls both Gates, and returns each one's result or the description of its error.
        func both(_ call: (any GateApiProtocol, Int) async throws(GateApiError) -> String) async -> [String] {
            var outcomes: [String] = []
            for (index, gate) in gates.enumerated() {
                do throws(GateApiError) { outcomes.append(try await call(gate, index)) } catch {
                    outcomes.append("\(error)")
                }
            }
            return outcomes
        }
        for _ in 0..<200 {
            let passenger = random.pick(["ann", "bob", "cid"])
            switch Int.random(in: 0..<8, using: &random) {
            case 0: time.update { $0 += .random(in: 0...30, using: &random) }
            case 1 where Int.random(in: 0..<20, using: &random) == 0: time.update { $0 += 80_000 }
            case 1:
                _ = await both { gate, _ throws(GateApiError) in
                    try await gate.expireCode(of: passenger); return ""
                }
            case 2, 3:
                let isNew = random.pick([true, false])
                let texts = await both { gate, _ throws(GateApiError) in
                    try await isNew ? gate.newCode(for: passenger).text : gate.code(for: passenger).text
                }
                // Either both Gates return the same known code, or both return a new one.
                let known = codes.map(\.texts)
                let indices = texts.indices.map { gate in known.firstIndex { $0[gate] == texts[gate] } }
                #expect(indices[0] == indices[1])
                if !known.contains(texts) { codes.append((passenger, texts)) }
            default:
                guard let code = codes.suffix(8).randomElement(using: &random) else { continue }
                let passenger = random.pick([code.passenger, code.passenger, passenger])
                let key = random.pick(["k", "l"])
                let passages = await both { gate, index throws(GateApiError) in
                    let passage = try await gate.pass(
                        code: code.texts[index], passenger: passenger, station: "Zoo", key: key)
                    return "\(passage)"
                }
                #expect(passages[0] == passages[1])
            }
        }
        #expect(codes.count > 10)
    }

    private func gate(on ledger: (any GateLedger)?, _ time: Shared<Date>) async throws -> any GateApiProtocol
    {
        let center = ApiCenter(), storage = Storage.inMemory()
        center.register(Storage.self) { storage }
        center.register(GateSettings.self) { GateSettings(now: { time.value }, ledger: ledger) }
        let module = try #require(Registrations.modules.first { $0.name == "Gate" })
        try module.register(in: center)
        try await module.prepare(in: center)
        return try center.requireApi(type: GateApiProtocol.self)
    }
}
