import Foundation
import GateApi
import Storage
import TestSupport
import Testing

@Suite("Passing a gate")
struct GatePassTests {
    @Test("A passage contains the passenger, the station, the time and the attempt's key")
    func passage() async throws {
        let gate = TestGate()
        let code = try await gate.api.code(for: "ann").text
        let passage = try await gate.pass(code, at: "Harbour", key: "k")
        #expect(
            passage == GatePassage(passenger: "ann", station: "Harbour", date: gate.time.value, key: "k"))
    }

    @Test("A repeat with the same key returns the first passage, even later and at another station")
    func repeated() async throws {
        let gate = TestGate()
        let code = try await gate.api.code(for: "ann").text
        let first = try await gate.pass(code, key: "k")
        gate.time.update { $0 += 100 }
        _ = try await gate.api.newCode(for: "ann")
        #expect(try await gate.pass(code, key: "k") == first)
        #expect(try await gate.pass(code, at: "Harbour", key: "k") == first)
        await #expect(throws: GateApiError.codeOfAnother) { try await gate.pass(code, of: "bob", key: "k") }
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(code, key: "l") }
    }

    @Test("A key belongs to one code: the same key with the next code is a new attempt")
    func nextCode() async throws {
        let gate = TestGate()
        for station in ["Museum", "Harbour"] {
            let code = try await gate.api.code(for: "ann").text
            #expect(try await gate.pass(code, at: station, key: "k").station == station)
        }
    }

    @Test("After a restart, a repeat returns the first passage, and a used code is still refused")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let time = Shared(Date())
        func run<Result>(_ body: (TestGate) async throws -> Result) async throws -> Result {
            try await body(TestGate(on: Storage(folder: folder.url), time: time))
        }
        let code = try await run { try await $0.api.code(for: "ann") }
        #expect(try await run { try await $0.api.code(for: "ann") } == code)
        let first = try await run { try await $0.pass(code.text, key: "k") }
        time.update { $0 += 1 }
        #expect(try await run { try await $0.pass(code.text, key: "k") } == first)
        await #expect(throws: GateApiError.codeUsed) { try await run { try await $0.pass(code.text) } }
    }

    @Test(
        "In 64 concurrent attempts, only one key succeeds for each code, and always returns the code's only passage",
        arguments: 0..<20 as Range<UInt64>)
    func once(seed: UInt64) async throws {
        struct Attempt: Sendable {
            let code: Int
            let key: String
        }
        var random = SeededRandom(seed)
        let gate = TestGate()
        let codes = try await [gate.api.code(for: "0"), gate.api.code(for: "1")].map(\.text)
        let attempts = (0..<64).map { _ in
            Attempt(code: random.pick([0, 1]), key: random.pick(["a", "b", "c", "d"]))
        }
        let answers = await withTaskGroup { group in
            for attempt in attempts {
                group.addTask {
                    do throws(GateApiError) {
                        let passage = try await gate.pass(
                            codes[attempt.code], of: "\(attempt.code)", key: attempt.key)
                        return (attempt, Result<GatePassage, GateApiError>.success(passage))
                    } catch {
                        return (attempt, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for code in codes.indices {
            let own = answers.filter { $0.0.code == code }
            let passage = try #require(own.lazy.compactMap { try? $0.1.get() }.first)
            for (attempt, answer) in own {
                #expect(answer == (attempt.key == passage.key ? .success(passage) : .failure(.codeUsed)))
            }
        }
    }
}

@Suite("The stream of passages", .timeLimit(.minutes(10)), .waitLimit)
struct GatePassageStreamTests {
    @Test("The stream reports each later passage at its station once")
    func stream() async throws {
        let gate = TestGate()
        func pass(at station: String, key: String) async throws {
            let code = try await gate.api.code(for: "ann").text
            for _ in 0..<2 { try await gate.pass(code, at: station, key: key) }
        }
        try await pass(at: "Museum", key: "before")
        let streams = try await [gate.api.passages(at: "Museum"), gate.api.passages(at: "Museum")]
        try await pass(at: "Museum", key: "1")
        try await pass(at: "Harbour", key: "elsewhere")
        try await pass(at: "Museum", key: "2")
        for stream in streams {
            var keys: [String] = []
            for try await passage in stream {
                keys.append(passage.key)
                if keys.count == 2 { break }
            }
            #expect(keys == ["1", "2"])
        }
    }

    @Test("A stream keeps the newest 100 passages for a slow loop, and ends when its Gate is deallocated")
    func bounded() async throws {
        func stream() async throws -> AsyncThrowingStream<GatePassage, any Error> {
            let gate = TestGate()
            let passages = try await gate.api.passages(at: "Museum")
            for number in 0..<120 {
                try await gate.pass(try await gate.api.code(for: "ann").text, key: "\(number)")
            }
            return passages
        }
        var keys: [String] = []
        for try await passage in try await stream() { keys.append(passage.key) }
        #expect(keys == (20..<120).map(String.init))
    }

    @Test(
        "Gate reports each passage once before the call returns, also if the call is repeated, and no refusal"
    )
    func reports() async throws {
        let reports = Shared<[GatePassage]>([])
        let gate = TestGate(report: { passage in reports.update { $0.append(passage) } })
        let code = try await gate.api.code(for: "ann").text
        let passage = try await gate.pass(code, key: "k")
        #expect(reports.value == [passage])
        try await gate.pass(code, key: "k")
        #expect(reports.value == [passage])
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(code) }
        #expect(reports.value.count == 1)
    }

    @Test(
        "A passage whose report fails is an error, and a repeat of the call reports it again and opens one gate"
    )
    func failedReport() async throws {
        struct Full: Error {}
        let reports = Shared(0)
        let gate = TestGate(report: { _ in
            reports.update { $0 += 1 }
            if reports.value == 1 { throw Full() }
        })
        let code = try await gate.api.code(for: "ann").text
        var opened = try await gate.api.passages(at: "Museum").makeAsyncIterator()
        let error = try await #require(throws: GateApiError.self) { try await gate.pass(code, key: "k") }
        guard case .notSaved(let why) = error else { throw error }
        #expect(why.contains("Full()"))
        try await gate.pass(try await gate.api.code(for: "bob").text, of: "bob", key: "b")
        #expect(try await gate.pass(code, key: "k").key == "k")
        #expect(reports.value == 3)
        await #expect(throws: GateApiError.codeUsed) { try await gate.pass(code, key: "l") }
        // The stream has each passage once, after its report.
        try await gate.pass(code, key: "k")
        try await gate.pass(try await gate.api.code(for: "ann").text, key: "m")
        for key in ["b", "k", "m"] { #expect(try await opened.next()?.key == key) }
    }

    @Test("A passage that two calls report at the same time opens one gate")
    func concurrentReports() async throws {
        let reports = Shared(0)
        let gate = TestGate(report: { _ in
            reports.update { $0 += 1 }
            // Both calls report the passage before one of them has recorded that.
            while reports.value < 2 { await Task.yield() }
        })
        var opened = try await gate.api.passages(at: "Museum").makeAsyncIterator()
        let code = try await gate.api.code(for: "ann").text
        async let first = gate.pass(code, key: "k")
        async let second = gate.pass(code, key: "k")
        #expect(try await first == second)
        try await gate.pass(try await gate.api.code(for: "ann").text, key: "l")
        for key in ["k", "l"] { #expect(try await opened.next()?.key == key) }
    }

    @Test(
        "A passage whose first report has failed is streamed by the Gate that repeats the report after a restart"
    )
    func restartedReport() async throws {
        struct Full: Error {}
        let storage = Storage.inMemory()
        let first = TestGate(on: storage, report: { _ in throw Full() })
        let code = try await first.api.code(for: "ann").text
        await #expect(throws: GateApiError.self) { try await first.pass(code, key: "k") }
        let next = TestGate(on: storage, time: first.time, report: { _ in })
        var opened = try await next.api.passages(at: "Museum").makeAsyncIterator()
        for _ in 0..<2 { try await next.pass(code, key: "k") }
        try await next.pass(try await next.api.code(for: "ann").text, key: "l")
        for key in ["k", "l"] { #expect(try await opened.next()?.key == key) }
    }
}
