import ApiCenter
import Dispatch
import Testing

@Suite("What a builder captured")
struct ReclaimTests {
    let center = ApiCenter()

    /// Registers a builder that holds a token, under which the count goes from 0 to 1 when it is freed.
    private func registerToken(_ freed: Shared<Int>, replacing: Bool = false) {
        let token = Token { freed.update { $0 += 1 } }
        let build: @Sendable () -> Numbering = {
            withExtendedLifetime(token) { Number(number: 1) }
        }
        if replacing {
            center.replaceApi(type: Numbering.self, impBuilder: build)
        } else {
            center.registerApi(type: Numbering.self, impBuilder: build)
        }
    }

    @Test("is freed before removeApi returns, when nobody is inside it")
    func removal() {
        let freed = Shared(0)
        registerToken(freed)
        _ = center.api(type: Numbering.self)
        #expect(freed.value == 0)
        center.removeApi(api: Numbering.self)
        #expect(freed.value == 1)
    }

    @Test("is freed by a replacement, by removeAll, and with the center")
    func otherWays() {
        let freed = Shared(0)
        registerToken(freed)
        registerToken(freed, replacing: true)
        #expect(freed.value == 1)
        center.removeAll()
        #expect(freed.value == 2)
        let another = ApiCenter()
        let token = Token { freed.update { $0 += 1 } }
        another.registerApi(type: Token.self) { token }
        _ = consume token
        _ = consume another
        #expect(freed.value == 3)
    }

    @Test("is freed when the table grows and the Api is then removed")
    func afterGrowth() {
        let freed = Shared(0)
        registerToken(freed)
        manyApis(count: 200).forEach { $0.register(in: center) }
        #expect(freed.value == 0)
        center.removeApi(api: Numbering.self)
        #expect(freed.value == 1)
    }

    @Test("stays while a builder that removes its own Api still runs, and is freed as that returns")
    func selfRemoval() {
        let freed = Shared(0)
        let freedInside = Shared(-1)
        let token = Token { freed.update { $0 += 1 } }
        center.registerApi(type: Token.self) { center in
            center.removeApi(api: Token.self)
            freedInside.update { $0 = freed.value }
            return withExtendedLifetime(token) { Token {} }
        }
        _ = consume token
        #expect(center.api(type: Token.self) != nil)
        #expect(freedInside.value == 0)
        #expect(freed.value == 1)
    }

    @Test("is freed by the last of several threads that are inside the builder when it is removed")
    func lastReader() {
        let freed = Shared(0)
        let inside = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let left = DispatchGroup()
        let token = Token { freed.update { $0 += 1 } }
        center.registerApi(type: Numbering.self) {
            inside.signal()
            goOn.wait()
            return withExtendedLifetime(token) { Number(number: 1) }
        }
        _ = consume token
        for _ in 0..<3 {
            Thread.run(in: left) { _ = center.api(type: Numbering.self) }
        }
        for _ in 0..<3 { inside.wait() }
        center.removeApi(api: Numbering.self)
        #expect(center.api(type: Numbering.self) == nil)
        #expect(freed.value == 0)
        for _ in 0..<3 { goOn.signal() }
        left.wait()
        #expect(freed.value == 1)
    }

    @Test("waits in numbers for a builder that takes its time, and is freed as that returns")
    func manyWaiting() {
        let freed = Shared(0), freedInside = Shared(-1)
        center.registerApi(type: Int.self) { [center] in
            // Each of these waits for this very builder; that must cost no more for each one that waits.
            for _ in 0..<5000 {
                let token = Token { freed.update { $0 += 1 } }
                center.replaceApi(type: Token.self) { token }
            }
            freedInside.update { $0 = freed.value }
            return 1
        }
        #expect(center.api(type: Int.self) == 1)
        #expect(freedInside.value == 0)
        #expect(freed.value == 4999)
        center.removeAll()
        #expect(freed.value == 5000)
    }

    @Test("may, as it is freed, use the center itself")
    func deinitUsesTheCenter() {
        let names = Shared<[String]>([])
        let token = Token { [center] in
            center.registerApi(type: Int.self) { 1 }
            names.update { $0 = center.allRegisteredApi() }
        }
        center.registerApi(type: Token.self) { token }
        _ = consume token
        center.removeApi(api: Token.self)
        #expect(names.value == ["Swift.Int"])
    }

    @Test("does not pile up over many rounds of register, replace and remove while others read")
    func memoryIsFlat() async {
        // In a process of its own, for other tests use memory too.
        await #expect(processExitsWith: .success) {
            #if DEBUG
            let rounds = isUnderThreadSanitizer ? 10_000 : 100_000
            #else
            let rounds = 1_000_000
            #endif
            let center = ApiCenter()
            let freed = Shared(0)
            let isOver = Shared(false)
            let readers = DispatchGroup()
            let reads = (0..<2).map { _ in Shared(0) }
            for count in reads {
                Thread.run(in: readers) {
                    while !isOver.value {
                        _ = center.api(type: Numbering.self)?.number
                        count.update { $0 += 1 }
                    }
                }
            }
            var memory = 0
            // A round, and what each reader had read by then.
            var mark = (round: 0, reads: [0, 0])
            var strayRounds = 0, marks = 0
            for round in 1...rounds {
                // From here on nothing may grow any more.
                if round == rounds / 10 { memory = residentMemory() }
                let looks = round % 100 == 1
                let now = looks ? reads.map(\.value) : mark.reads
                let token = Token { freed.update { $0 += 1 } }
                center.replaceApi(type: Numbering.self) {
                    withExtendedLifetime(token) { Number(number: round) }
                }
                if round.isMultiple(of: 3) { continue }
                center.removeApi(api: Numbering.self)
                // Every call that was under way at the mark is over: what was replaced before it is gone. A
                // reader that the system has put aside keeps what came after, and that may be much.
                if zip(now, mark.reads).allSatisfy({ $0 >= $1 + 3 }) {
                    if freed.value < mark.round - 1 { strayRounds += 1 }
                    marks += 1
                    mark = (round, reads.map(\.value))
                }
            }
            // Far less than one object a round. The sanitizer keeps a history of its own.
            let bound = max(4 << 20, rounds * 16)
            if !isUnderThreadSanitizer { #expect(residentMemory() - memory < bound) }
            isOver.update { $0 = true }
            readers.wait()
            center.removeAll()
            #expect(freed.value == rounds)
            // Now and then a reader is put aside as it frees what it has collected.
            #expect(strayRounds <= 1 + marks / 100)
            #expect(marks > 0)
        }
    }
}
