import Foundation
import Locking
import Synchronization
import TestSupport
import Testing

@testable import RideCode

@Suite("A ride code")
struct RideCodeTests {
    let clock = Clock()
    let issuer: RideCodeIssuer

    init() {
        issuer = RideCodeIssuer(lifetime: 60, now: { [clock] in clock.now })
    }

    @Test("opens one gate, once, for the passenger it was issued for")
    func once() throws {
        let code = issuer.issue(for: "Ada")
        #expect(try issuer.redeem(code.text) == "Ada")
        #expect(throws: RideCodeError.used) { try issuer.redeem(code.text) }
    }

    @Test("is valid until it expires, and not at that moment any more")
    func expiry() throws {
        let first = issuer.issue(for: "Ada")
        #expect(first.expires == clock.now + 60)
        let second = issuer.issue(for: "Bob")
        clock.advance(by: 59.5)
        #expect(try issuer.redeem(first.text) == "Ada")
        clock.advance(by: 0.5)
        #expect(throws: RideCodeError.expired) { try issuer.redeem(second.text) }
    }

    @Test("ends the same passenger's former one, and nobody else's")
    func replaced() throws {
        let former = issuer.issue(for: "Ada")
        let others = issuer.issue(for: "Bob")
        let newest = issuer.issue(for: "Ada")
        #expect(throws: RideCodeError.replaced) { try issuer.redeem(former.text) }
        #expect(try issuer.redeem(newest.text) == "Ada")
        #expect(try issuer.redeem(others.text) == "Bob")
    }

    @Test("ends before its time when the issuer is told to, and nobody else's with it")
    func expireEarly() throws {
        let used = issuer.issue(for: "Ada")
        _ = try issuer.redeem(used.text)
        issuer.expire(for: "Ada")
        #expect(throws: RideCodeError.used) { try issuer.redeem(used.text) }
        let code = issuer.issue(for: "Ada"), others = issuer.issue(for: "Bob")
        clock.advance(by: 1)
        issuer.expire(for: "Ada")
        issuer.expire(for: "Cid")
        #expect(!issuer.accepts(code))
        #expect(throws: RideCodeError.expired) { try issuer.redeem(code.text) }
        #expect(issuer.accepts(others))
        #expect(issuer.accepts(issuer.issue(for: "Ada")))
        // Not even a clock that is set back makes it good again.
        clock.advance(by: -1)
        #expect(!issuer.accepts(code))
        #expect(throws: RideCodeError.expired) { try issuer.redeem(code.text) }
    }

    @Test("keeps the first end that it met, whatever comes later")
    func firstEnd() throws {
        let used = issuer.issue(for: "Ada")
        _ = try issuer.redeem(used.text)
        let replaced = issuer.issue(for: "Ada")
        let expired = issuer.issue(for: "Ada")
        clock.advance(by: 60)
        _ = issuer.issue(for: "Ada")
        #expect(throws: RideCodeError.used) { try issuer.redeem(used.text) }
        #expect(throws: RideCodeError.replaced) { try issuer.redeem(replaced.text) }
        #expect(throws: RideCodeError.expired) { try issuer.redeem(expired.text) }
    }

    @Test(
        "is unknown when nobody issued it",
        arguments: ["", " ", "0", "Ada", String(repeating: "0", count: 26), "🚇"])
    func unknown(text: String) {
        _ = issuer.issue(for: "Ada")
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(text) }
    }

    @Test("of another issuer is unknown")
    func otherIssuer() {
        let code = RideCodeIssuer().issue(for: "Ada")
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(code.text) }
    }

    @Test(
        "is the same whatever its letters' case and the white space around it",
        arguments: [{ $0.lowercased() }, { " \($0)" }, { "\t\($0.lowercased())\r\n" }]
            as [@Sendable (String) -> String])
    func scanned(delivered: @Sendable (String) -> String) throws {
        let code = issuer.issue(for: "Ada")
        #expect(try issuer.redeem(delivered(code.text)) == "Ada")
    }

    @Test("is 26 of the 32 characters, and never one of those before")
    func text() {
        let alphabet = Set("0123456789ABCDEFGHIJKLMNOPQRSTUV")
        let texts = (0..<2_000).map { issuer.issue(for: "\($0 % 7)").text }
        #expect(texts.allSatisfy { $0.count == 26 && alphabet.isSuperset(of: $0) })
        #expect(Set(texts).count == texts.count)
        // 128 bits are 25 characters of five bits and one of three: each place takes all its characters.
        for place in 0..<26 {
            let seen = Set(texts.map { $0[$0.index($0.startIndex, offsetBy: place)] })
            #expect(seen.count == (place == 0 ? 8 : 32))
        }
    }

    @Test("tells in its error what is wrong and what to do", arguments: RideCodeError.allCases)
    func errors(error: RideCodeError) {
        #expect("\(error)".contains(/Issue a new one\.|issue a new one\./))
    }

    @Test("opens one of a hundred gates that see it at once")
    func race() async {
        for _ in 0..<20 {
            let code = issuer.issue(for: "Ada")
            let opened = await withTaskGroup(of: Bool.self) { gates in
                for _ in 0..<100 { gates.addTask { [issuer] in (try? issuer.redeem(code.text)) == "Ada" } }
                return await gates.reduce(0) { $1 ? $0 + 1 : $0 }
            }
            #expect(opened == 1)
        }
    }

    @Test("opens one of two gates that are kept in step, for each of very many codes")
    func gates() {
        // Redeeming asks for the time first, so a clock that waits for both lets both look at once.
        let asked = Atomic(0)
        let start = Date()
        let issuer = RideCodeIssuer(now: {
            let place = asked.add(1, ordering: .relaxed).newValue
            var turns = 0
            while place > 0 && asked.load(ordering: .relaxed) < (place + 1) / 2 * 2 {
                turns += 1
                if turns > 2_000 { sched_yield() }
            }
            return start
        })
        asked.store(-4_000, ordering: .relaxed)
        let codes = (0..<4_000).map { issuer.issue(for: "\($0)") }
        let opened = Locked([Int](repeating: 0, count: codes.count))
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for (number, code) in codes.enumerated() where (try? issuer.redeem(code.text)) != nil {
                opened.withLock { $0[number] += 1 }
            }
        }
        #expect(opened.withLock { $0.allSatisfy { $0 == 1 } })
    }
}

@Suite("A ride code issuer's memory")
struct RideCodeMemoryTests {
    let clock = Clock()

    @Test("tells for a day why a code is refused, and then does not know it")
    func aDay() throws {
        let issuer = RideCodeIssuer(lifetime: 60, now: { [clock] in clock.now })
        let code = issuer.issue(for: "Ada")
        _ = try issuer.redeem(code.text)
        clock.advance(by: 60 + 86_399)
        #expect(throws: RideCodeError.used) { try issuer.redeem(code.text) }
        clock.advance(by: 1)
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(code.text) }
    }

    @Test("is bounded, and a passenger who asks for very many codes ends nobody else's")
    func bounded() throws {
        let issuer = RideCodeIssuer(lifetime: 60, limit: 100, now: { [clock] in clock.now })
        let others = (0..<50).map { issuer.issue(for: "passenger \($0)") }
        var newest = issuer.issue(for: "Mallory")
        for _ in 0..<10_000 {
            newest = issuer.issue(for: "Mallory")
            #expect(issuer.count <= 51 + 100)
        }
        for (number, code) in others.enumerated() {
            #expect(try issuer.redeem(code.text) == "passenger \(number)")
        }
        #expect(try issuer.redeem(newest.text) == "Mallory")
    }

    @Test("keeps of too many finished codes the newer half")
    func newerHalf() {
        let issuer = RideCodeIssuer(lifetime: 60, limit: 100, now: { [clock] in clock.now })
        let codes = (0..<1_000).map { _ in
            clock.advance(by: 1)
            return issuer.issue(for: "Ada")
        }
        for code in codes.dropLast().suffix(50) {
            #expect(throws: RideCodeError.replaced) { try issuer.redeem(code.text) }
        }
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(codes[0].text) }
    }
}

@Suite("Any course of events")
struct RideCodeCourseTests {
    /// What became of one code, told by a model that remembers everything.
    private struct Told {
        let passenger: String
        let code: RideCode
        var end: RideCodeError?
    }

    @Test("goes as the contract says", arguments: 0..<50 as Range<UInt64>)
    func course(seed: UInt64) {
        var random = SeededRandom(seed)
        let clock = Clock()
        let issuer = RideCodeIssuer(lifetime: 60, now: { clock.now })
        var told: [Told] = []
        for _ in 0..<400 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let passenger = "\(Int.random(in: 0..<4, using: &random))"
                for index in told.indices
                where told[index].passenger == passenger && told[index].end == nil
                    && clock.now < told[index].code.expires
                {
                    told[index].end = .replaced
                }
                told.append(Told(passenger: passenger, code: issuer.issue(for: passenger)))
            case 1: clock.advance(by: .random(in: 0...30, using: &random))
            default:
                guard let index = told.indices.randomElement(using: &random) else { continue }
                let expected = told[index].end ?? (clock.now < told[index].code.expires ? nil : .expired)
                do throws(RideCodeError) {
                    #expect(try issuer.redeem(told[index].code.text) == told[index].passenger)
                    #expect(expected == nil)
                    told[index].end = .used
                } catch {
                    #expect(error == expected)
                }
            }
        }
        #expect(told.contains { $0.end == .used } && told.contains { $0.end == .replaced })
    }
}

/// A clock that a test moves.
final class Clock: Sendable {
    private let time = Locked(Date(timeIntervalSinceReferenceDate: 0))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
