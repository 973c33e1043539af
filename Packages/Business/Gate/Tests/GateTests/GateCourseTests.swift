import Foundation
import GateApi
import Storage
import TestSupport
import Testing

/// A second implementation of the rules, as a model that never forgets a code.
private struct Model {
    struct Code {
        let passenger: String
        let code: GateCode
        var refusal: GateApiError?
        /// The key of the attempt that used the code.
        var key: String?
    }

    var codes: [Code] = []

    func current(of passenger: String, _ now: Date) -> Int? {
        codes.lastIndex { $0.passenger == passenger && $0.refusal == nil && now < $0.code.expires }
    }

    func refusal(of index: Int, key: String, _ now: Date) -> GateApiError? {
        if codes[index].key == key { return nil }
        return codes[index].refusal ?? (now < codes[index].code.expires ? nil : .codeExpired)
    }
}

@Suite("Random sequences of calls to a Gate")
struct GateCourseTests {
    @Test("A Gate that restarts at any time behaves like the model", arguments: 0..<30 as Range<UInt64>)
    func course(seed: UInt64) async throws {
        var random = SeededRandom(seed), model = Model()
        let storage = Storage.inMemory()
        var gate = TestGate(on: storage)
        for _ in 0..<300 {
            let passenger = random.pick(["ann", "bob", "cid"]), now = gate.time.value
            let current = model.current(of: passenger, now)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: gate = TestGate(on: storage, time: gate.time)
            case 1: gate.time.update { $0 += .random(in: 0...30, using: &random) }
            case 2:
                try await gate.api.expireCode(of: passenger)
                if let current { model.codes[current].refusal = .codeExpired }
            case 3:
                if let current { model.codes[current].refusal = .codeReplaced }
                model.codes.append(
                    .init(passenger: passenger, code: try await gate.api.newCode(for: passenger)))
            case 4, 5:
                let code = try await gate.api.code(for: passenger)
                if let current {
                    #expect(code == model.codes[current].code)
                } else {
                    #expect(!model.codes.contains { $0.code.text == code.text })
                    model.codes.append(.init(passenger: passenger, code: code))
                }
            default:
                guard let index = model.codes.indices.suffix(8).randomElement(using: &random) else {
                    continue
                }
                let key = random.pick(["k", "l"]), expected = model.refusal(of: index, key: key, now)
                do throws(GateApiError) {
                    let passage = try await gate.pass(
                        model.codes[index].code.text, of: model.codes[index].passenger, key: key)
                    #expect(expected == nil && passage.key == key)
                    (model.codes[index].refusal, model.codes[index].key) = (.codeUsed, key)
                } catch {
                    #expect(error == expected)
                }
            }
        }
        for end in [GateApiError.codeUsed, .codeReplaced, .codeExpired] {
            #expect(model.codes.contains { $0.refusal == end })
        }
    }
}
