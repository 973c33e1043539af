import TestSupport
import Testing
import URLGrammar

@Suite("AppURL with random input") struct AppURLPropertyTests {
    @Test("The parser agrees with the naive parser, and URLs survive printing and parsing", arguments: 0..<8)
    func agreesWithNaiveParser(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var parsed = 0
        for _ in 0..<4_000 {
            let bytes = randomBytes(&random)
            let oracle = NaiveURL(bytes)
            do {
                let url = try AppURL(utf8: bytes)
                #expect(NaiveURL(url) == oracle, "\(bytes)")
                #expect(try AppURL(url.description) == url, "\(bytes)")
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

    @Test("Arbitrary bytes give a URL or an error whose offset lies within the input", arguments: 0..<4)
    func anyBytes(seed: UInt64) {
        var random = SeededRandom(seed)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            do {
                #expect(NaiveURL(try AppURL(utf8: bytes)) == NaiveURL(bytes))
            } catch {
                #expect(NaiveURL(bytes) == nil)
                #expect((0...bytes.count).contains(error.position))
            }
        }
    }

    @Test("A URL created from parts survives printing and parsing", arguments: 0..<8)
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

    private func randomBytes(_ random: inout SeededRandom) -> [UInt8] {
        let pieces = [
            "a", "B", "7", "app", "x", ":", "://", "/", "//", "?", "#", "&", "=", "+", "%", "%2F",
            "%e4%bd%a0", "%4",
            "%zz", "@", "[", ".", "-", "_", "~", "(", "*", "\u{301}", "é", "乘车", "%00", "%FF", ";", "80",
            "99999",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0..<12, using: &random) { bytes += random.pick(pieces).utf8 }
        if Int.random(in: 0..<25, using: &random) == 0 {
            bytes.append(random.pick([0, 0x20, 0x7F, 0xFF, 0xC3, 0x0A]))
        }
        return bytes
    }

    /// Returns a random non-empty text that may contain characters that need encoding.
    private func text(_ random: inout SeededRandom) -> String {
        let pieces = [
            "a", "/", ":", "@", "%", "+", " ", "?", "#", "&", "=", "乘", "\u{301}", "\u{0}", "..", "[", "😀",
        ]
        return (0..<Int.random(in: 1..<6, using: &random)).map { _ in random.pick(pieces) }.joined()
    }
}
