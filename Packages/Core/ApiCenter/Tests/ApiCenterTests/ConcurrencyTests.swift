import ApiCenter
import Testing

@Suite("Concurrent use of a center")
struct ConcurrencyTests {
    #if DEBUG
    private let rounds = 3_000
    #else
    private let rounds = 50_000
    #endif

    @Test("Concurrent registrations, removals and calls never return another Api's IMP")
    func stress() {
        let center = ApiCenter()
        let apis = manyApis(count: 64)
        let wrong = Shared(0)
        Thread.race(6) { thread in
            var random = SystemRandomNumberGenerator()
            for round in 0..<rounds {
                let api = apis[Int.random(in: 0..<apis.count, using: &random)]
                // Each writer registers only its own Apis, so no Api is registered twice. Every thread reads
                // all Apis.
                if thread < 3, api.number % 3 == thread {
                    if center.hasRegistered(api) {
                        api.remove(from: center)
                    } else {
                        api.register(in: center)
                    }
                } else if let number = api.number(in: center), number != api.number {
                    wrong.update { $0 += 1 }
                }
                if thread == 5, round % 500 == 0 { _ = center.allRegisteredApi() }
            }
        }
        #expect(wrong.value == 0)
    }

    @Test("While another thread removes every Api, a call returns the right IMP or nil")
    func removeAll() {
        let center = ApiCenter()
        let apis = manyApis(count: 40)
        let wrong = Shared(0)
        Thread.race(4) { thread in
            for round in 0..<rounds / 40 {
                if thread == 0 {
                    for api in apis { api.register(in: center) }
                    center.removeAll()
                } else {
                    let api = apis[round % apis.count]
                    if let number = api.number(in: center), number != api.number { wrong.update { $0 += 1 } }
                }
            }
        }
        #expect(wrong.value == 0)
        #expect(center.allRegisteredApi().isEmpty)
    }

    @Test("Once a call has returned a replacement, no later call returns an older IMP")
    func replacement() {
        let center = ApiCenter()
        center.registerApi(type: Numbering.self) { Number(number: 0) }
        let wrong = Shared(0)
        Thread.race(4) { thread in
            var last = 0
            for round in 1...rounds {
                if thread == 0 {
                    center.replaceApi(type: Numbering.self) { Number(number: round) }
                } else {
                    let number = center.api(type: Numbering.self)?.number ?? -1
                    if number < last { wrong.update { $0 += 1 } }
                    last = number
                }
            }
        }
        #expect(wrong.value == 0)
        #expect(center.api(type: Numbering.self)?.number == rounds)
    }

    @Test("All builders finish even if running builders outnumber the reader slots")
    func manyReaders() {
        let center = ApiCenter()
        let inside = Shared(0)
        let freed = Shared(0)
        let token = Token { freed.update { $0 += 1 } }
        // Each builder waits until 100 builders are running, more than there are reader slots.
        center.registerApi(type: Numbering.self) {
            inside.update { $0 += 1 }
            Thread.wait(for: "100 builders") { inside.value >= 100 }
            return withExtendedLifetime(token) { Number(number: 5) }
        }
        _ = consume token
        let answers = Shared(0)
        Thread.race(100) { _ in
            if center.api(type: Numbering.self)?.number == 5 { answers.update { $0 += 1 } }
        }
        #expect(answers.value == 100)
        center.removeApi(api: Numbering.self)
        #expect(freed.value == 1)
    }
}

extension ApiCenter {
    /// Whether this Api is registered now.
    func hasRegistered(_ api: OneOfMany) -> Bool { api.number(in: self) != nil }
}
