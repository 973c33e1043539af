import TestSupport
import Testing
import URLGrammar

@Suite("AppURL with random input") struct AppURLPropertyTests {
    @Test("The parser agrees with the naive parser, and parsing reverses printing", arguments: 0..<8)
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
                #expect(try AppURL(url.description) == url, "\(text)")
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

    @Test("Printing and parsing a URL that was created from parts gives an equal URL", arguments: 0..<8)
    func printedPartsComeBack(seed: UInt64) throws {
        var random = SeededRandom(seed)
        for _ in 0..<500 {
            let host = Bool.random(using: &random) ? text(&random) : nil
            let url = try AppURL(
                scheme: random.pick([nil, "app", "x-y+1.z"]), host: host,
                port: host == nil ? nil : random.pick([nil, 0, 80, 65_535]),
                path: (0..<Int.random(in: 0..<4, using: &random)).map { _ in text(&random) },
                query: (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    AppURL.QueryItem(
                        name: random.pick(["", text(&random)]), value: random.pick(["", text(&random)]))
                },
                fragment: random.pick([nil, "", text(&random)]))
            #expect(try AppURL(url.description) == url)
            #expect(NaiveURL(url) == NaiveURL(Array(url.description.utf8)))
        }
    }

    private func randomURL(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "B", "7", "app", "x", ":", "://", "/", "//", "?", "#", "&", "=", "+", "%", "%2F",
            "%e4%bd%a0", "%4",
            "%zz", "@", "[", ".", "-", "_", "~", "(", "*", "\u{301}", "é", "乘车", "%00", "%FF", ";", "80",
            "99999",
        ]
        let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in random.pick(pieces) }.joined()
        let isBad = Int.random(in: 0..<25, using: &random) == 0
        return text + (isBad ? random.pick(["\u{0}", " ", "\u{7F}", "\n"]) : "")
    }

    /// Returns random non-empty text that may contain characters that need encoding.
    private func text(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "/", ":", "@", "%", "+", " ", "?", "#", "&", "=", "乘", "\u{301}", "\u{0}", "..", "[", "😀",
        ]
        return (0..<Int.random(in: 1..<6, using: &random)).map { _ in random.pick(pieces) }.joined()
    }
}
