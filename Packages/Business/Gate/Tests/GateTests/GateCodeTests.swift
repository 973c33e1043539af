import Foundation
import GateApi
import Storage
import Testing

@Suite("The codes of a Gate")
struct GateCodeTests {
    let gate: TestGate
    let api: any GateApiProtocol

    init() throws {
        gate = TestGate()
        api = try gate.api
    }

    @Test("The current code stays the same until it has opened a gate")
    func current() async throws {
        let code = try await api.code(for: "ann")
        #expect(try await api.code(for: "ann") == code)
        #expect(try await api.code(for: "bob") != code)
        try await gate.pass(code.text)
        #expect(try await api.code(for: "ann") != code)
    }

    @Test(
        "A code is valid until its expiry time, by default 60 seconds after its issue, and invalid from then on"
    )
    func expiry() async throws {
        let anns = try await api.code(for: "ann"), bobs = try await api.code(for: "bob")
        #expect(anns.expires == gate.time.value + 60)
        gate.time.update { $0 += 59.5 }
        try await gate.pass(anns.text)
        gate.time.update { $0 += 0.5 }
        await #expect(throws: GateApiError.codeExpired) { try await gate.pass(bobs.text, of: "bob") }
        #expect(try await api.code(for: "bob") != bobs)
    }

    @Test("A new code replaces the passenger's current one, but no other passenger's")
    func replaced() async throws {
        let old = try await api.code(for: "ann"), others = try await api.code(for: "bob")
        let new = try await api.newCode(for: "ann")
        #expect(try await api.code(for: "ann") == new)
        await #expect(throws: GateApiError.codeReplaced) { try await gate.pass(old.text) }
        try await gate.pass(new.text)
        try await gate.pass(others.text, of: "bob")
    }

    @Test("A code can be expired early, and stays expired when the clock is set back")
    func expiredEarly() async throws {
        let code = try await api.code(for: "ann"), others = try await api.code(for: "bob")
        gate.time.update { $0 += 1 }
        for _ in 0..<2 { try await api.expireCode(of: "ann") }
        try await api.expireCode(of: "nobody")
        gate.time.update { $0 -= 1 }
        await #expect(throws: GateApiError.codeExpired) { try await gate.pass(code.text) }
        #expect(try await api.code(for: "ann") != code)
        #expect(try await api.code(for: "bob") == others)
    }

    @Test("A code that is no longer valid is refused for the earliest reason")
    func earliestReason() async throws {
        let used = try await api.code(for: "ann")
        try await gate.pass(used.text)
        try await api.expireCode(of: "ann")
        let replaced = try await api.newCode(for: "ann")
        let expired = try await api.newCode(for: "ann")
        gate.time.update { $0 += 60 }
        _ = try await api.newCode(for: "ann")
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(used.text) }
        await #expect(throws: GateApiError.codeReplaced) { try await gate.pass(replaced.text) }
        await #expect(throws: GateApiError.codeExpired) { try await gate.pass(expired.text) }
    }

    @Test(
        "A code that was never issued is unknown",
        arguments: ["", " ", "0", "ann", String(repeating: "0", count: 26), "🚇"])
    func unknown(text: String) async throws {
        _ = try await api.code(for: "ann")
        await #expect(throws: GateApiError.codeUnknown) { try await gate.pass(text) }
    }

    @Test("Another passenger's code is refused, and stays valid for its passenger")
    func another() async throws {
        let code = try await api.code(for: "ann").text
        await #expect(throws: GateApiError.codeOfAnother) { try await gate.pass(code, of: "bob") }
        #expect(try await gate.pass(code).passenger == "ann")
    }

    @Test(
        "Letter case and surrounding white space of a code are ignored",
        arguments: [{ $0.lowercased() }, { " \($0)" }, { "\t\($0.lowercased())\r\n" }]
            as [@Sendable (String) -> String])
    func scanned(spelt: @Sendable (String) -> String) async throws {
        try await gate.pass(spelt(api.code(for: "ann").text))
    }

    @Test("A code has 26 characters of the base32hex alphabet and is never repeated")
    func text() async throws {
        let alphabet = Set("0123456789ABCDEFGHIJKLMNOPQRSTUV")
        var texts: [String] = []
        for _ in 0..<1_000 { texts.append(try await api.newCode(for: "ann").text) }
        #expect(texts.allSatisfy { $0.count == 26 && alphabet.isSuperset(of: $0) })
        #expect(Set(texts).count == texts.count)
        // A code has 128 bits: one character of three bits and 25 of five bits. Every position must use its whole
        // alphabet.
        for place in 0..<26 {
            let seen = Set(texts.map { $0[$0.index($0.startIndex, offsetBy: place)] })
            #expect(seen.count == (place == 0 ? 8 : 32))
        }
    }

    @Test("A Gate remembers why it refuses a code until a day after the code's expiry")
    func aDay() async throws {
        let code = try await api.code(for: "ann").text
        try await gate.pass(code, key: "first")
        gate.time.update { $0 += 60 + 86_399 }
        _ = try await api.code(for: "bob")
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(code) }
        #expect(try await gate.pass(code, key: "first").key == "first")
        gate.time.update { $0 += 1 }
        await #expect(throws: GateApiError.codeUnknown) { try await gate.pass(code, key: "first") }
    }

    @Test(
        "The Api's errors can be encoded and decoded, because a Gate may be on another machine",
        arguments: [
            GateApiError.codeUnknown, .codeExpired, .codeUsed, .codeReplaced, .codeOfAnother, .notSaved("a"),
            .unreachable("b"),
        ])
    func coding(error: GateApiError) throws {
        #expect(try JSONDecoder().decode(GateApiError.self, from: JSONEncoder().encode(error)) == error)
    }
}
