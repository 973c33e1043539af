import Foundation
import Links
import TestSupport
import Testing

@Suite("AppURL with random input") struct AppURLPropertyTests {
    @Test("The parser agrees with the naive parser", arguments: 0..<8)
    func agreesWithNaiveParser(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var parsed = 0
        for _ in 0..<4_000 {
            let text = randomURL(&random)
            let bytes = Array(text.utf8)
            let oracle = NaiveURL(bytes)
            do {
                let url = try AppURL(text)
                #expect(NaiveURL(url) == oracle, "\(text)")
                parsed += 1
            } catch {
                #expect(oracle == nil, "\(error)")
                #expect((0...bytes.count).contains(error.position))
                #expect(!error.description.isEmpty)
            }
        }
        // The test is only useful if the input is a mixture of valid and invalid URLs.
        #expect((400...3_600).contains(parsed))
    }

    @Test(
        "A string and the Foundation URL made of it are one address, or the string is an error",
        arguments: 0..<8)
    func agreesWithFoundation(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var equal = 0
        for _ in 0..<4_000 {
            let text = randomURL(&random)
            guard let system = URL(string: text), let url = try? AppURL(text) else { continue }
            #expect(try AppURL(system.urlText) == url, "\(text) became \(system.absoluteString)")
            equal += 1
        }
        #expect(equal > 500)
    }

    private func randomURL(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "B", "7", "app", "x", ":", "://", "/", "//", "?", "#", "&", "=", "+", "%", "%2F",
            "%e4%bd%a0", "%4",
            "%zz", "@", "[", "|", "^", "%D1%82", "xn--a", ".", "-", "_", "~", "(", "*", "\u{301}", "é", "乘车",
            "%00", "%FF", ";", "80",
            "99999",
        ]
        let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in random.pick(pieces) }.joined()
        let isBad = Int.random(in: 0..<25, using: &random) == 0
        return text + (isBad ? random.pick(["\u{0}", " ", "\u{7F}", "\n"]) : "")
    }
}
