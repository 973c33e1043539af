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

    @Test("A ride code can be redeemed once, and redeeming the code returns its passenger")
    func once() throws {
        let code = issuer.issue(for: "Ada")
        #expect(try issuer.redeem(code.text) == "Ada")
        #expect(throws: RideCodeError.used) { try issuer.redeem(code.text) }
    }

    @Test("A ride code is valid before its expiry time and invalid from then on")
    func expiry() throws {
        let first = issuer.issue(for: "Ada")
        #expect(first.expires == clock.now + 60)
        let second = issuer.issue(for: "Bob")
        clock.advance(by: 59.5)
        #expect(try issuer.redeem(first.text) == "Ada")
        clock.advance(by: 0.5)
        #expect(throws: RideCodeError.expired) { try issuer.redeem(second.text) }
    }

    @Test("A new ride code replaces the passenger's previous code, but no other passenger's code")
    func replaced() throws {
        let former = issuer.issue(for: "Ada")
        let others = issuer.issue(for: "Bob")
        let newest = issuer.issue(for: "Ada")
        #expect(throws: RideCodeError.replaced) { try issuer.redeem(former.text) }
        #expect(try issuer.redeem(newest.text) == "Ada")
        #expect(try issuer.redeem(others.text) == "Bob")
    }

    @Test("expire(for:) invalidates one passenger's ride code early")
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
        // Setting the clock back does not make the code valid again.
        clock.advance(by: -1)
        #expect(!issuer.accepts(code))
        #expect(throws: RideCodeError.expired) { try issuer.redeem(code.text) }
    }

    @Test("Redeeming an invalid ride code throws the error for the earliest reason why it became invalid")
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
        "A ride code that was never issued is unknown",
        arguments: ["", " ", "0", "Ada", String(repeating: "0", count: 26), "🚇"])
    func unknown(text: String) {
        _ = issuer.issue(for: "Ada")
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(text) }
    }

    @Test("A ride code from another issuer is unknown")
    func otherIssuer() {
        let code = RideCodeIssuer().issue(for: "Ada")
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(code.text) }
    }

    @Test(
        "Redeeming a ride code ignores letter case and surrounding white space",
        arguments: [{ $0.lowercased() }, { " \($0)" }, { "\t\($0.lowercased())\r\n" }]
            as [@Sendable (String) -> String])
    func scanned(delivered: @Sendable (String) -> String) throws {
        let code = issuer.issue(for: "Ada")
        #expect(try issuer.redeem(delivered(code.text)) == "Ada")
    }

    @Test("A ride code has 26 characters of the base32hex alphabet and is never repeated")
    func text() {
        let alphabet = Set("0123456789ABCDEFGHIJKLMNOPQRSTUV")
        let texts = (0..<2_000).map { issuer.issue(for: "\($0 % 7)").text }
        #expect(texts.allSatisfy { $0.count == 26 && alphabet.isSuperset(of: $0) })
        #expect(Set(texts).count == texts.count)
        // A code has 128 bits: one character of three bits and 25 of five bits. Every position must use its whole
        // alphabet.
        for place in 0..<26 {
            let seen = Set(texts.map { $0[$0.index($0.startIndex, offsetBy: place)] })
            #expect(seen.count == (place == 0 ? 8 : 32))
        }
    }

    @Test("The description of every ride code error contains the remedy", arguments: RideCodeError.allCases)
    func errors(error: RideCodeError) {
        #expect("\(error)".contains(/Issue a new one\.|issue a new one\./))
    }

    @Test("If a hundred gates redeem a ride code at the same time, only one of them opens")
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

    @Test("Two gates in lockstep redeem each of 4000 ride codes exactly once")
    func gates() {
        // redeem(_:) reads the clock first, so a clock that waits for both gates makes both of them look up
        // the code at the same time.
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

@Suite("Memory of a ride code issuer")
struct RideCodeMemoryTests {
    let clock = Clock()

    @Test("A ride code issuer remembers why a code is refused until a day after the code's expiry")
    func aDay() throws {
        let issuer = RideCodeIssuer(lifetime: 60, now: { [clock] in clock.now })
        let code = issuer.issue(for: "Ada")
        _ = try issuer.redeem(code.text)
        clock.advance(by: 60 + 86_399)
        #expect(throws: RideCodeError.used) { try issuer.redeem(code.text) }
        clock.advance(by: 1)
        #expect(throws: RideCodeError.unknown) { try issuer.redeem(code.text) }
    }

    @Test("The memory of a ride code issuer is bounded, even if one passenger requests many codes")
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

    @Test("A ride code issuer with too many finished codes keeps the newer half")
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

@Suite("Random sequences of ride code operations")
struct RideCodeCourseTests {
    /// The state of one code in a reference model that never forgets a code.
    private struct Told {
        let passenger: String
        let code: RideCode
        var end: RideCodeError?
    }

    @Test(
        "A ride code issuer behaves like the reference model in a random sequence of operations",
        arguments: 0..<50 as Range<UInt64>)
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

/// A clock that a test advances.
final class Clock: Sendable {
    private let time = Locked(Date(timeIntervalSinceReferenceDate: 0))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
