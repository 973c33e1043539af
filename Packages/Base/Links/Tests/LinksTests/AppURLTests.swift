import Testing

@testable import Links

extension AppURL {
    /// The query as a handler gets it.
    fileprivate var values: [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        addQuery(to: &values) { _ in true }
        return values
    }
}

@Suite("AppURL") struct AppURLTests {
    @Test("A URL is split into its parts before the parts are percent-decoded")
    func parts() throws {
        let url = try AppURL("APP://moduleA/a%2Fb//%E4%B9%98%E8%BD%A6/?q=a+b%2B&q=2&flag#end+%21")
        #expect(url.scheme == "app")
        #expect(url.host == "modulea")
        #expect(url.segments == ["modulea", "a/b", "乘车"])
        #expect(Array(url.path) == ["a/b", "乘车"])
        #expect(url.query.map(\.value) == ["a b+", "2", ""])
        #expect(url.fragment == "end+!")
        #expect(url.values["q"] as? [String] == ["a b+", "2"])
        #expect(url.values["flag"] as? String == "")
    }

    @Test("A scheme may contain every letter", arguments: ["zoo", "a-z", "AZ", "za+9."])
    func schemes(scheme: String) throws {
        #expect(try AppURL("\(scheme)://a").scheme == scheme.lowercased())
    }

    @Test(
        "The parser notices text that a call from outside may not pass",
        arguments: [
            ("a%01b", true), ("%1F", true), ("a%7F", true), ("a%C2%85", true), ("%2Ea", true),
            ("a%2Fb", true),
            ("./a", true), ("//.a/b", true), ("a%20b", false), ("a/b.c", false), ("a%C3%A9", false),
        ])
    func suspect(url: String, expected: Bool) throws {
        var parser = AppURLParser(Array(url.utf8))
        _ = try parser.parse()
        #expect(parser.isSuspect == expected)
    }

    @Test("A URL of the maximum length is valid, and any longer URL is an error")
    func length() throws {
        let longest = String(repeating: "a/", count: AppURL.maximumLength / 2)
        #expect(try AppURL(longest).segments.count == AppURL.maximumLength / 2)
        let error = #expect(throws: AppURLError.self) { try AppURL(longest + "%") }
        #expect(error?.reason == .tooLong(AppURL.maximumLength + 1))
        #expect(error?.position == AppURL.maximumLength)
    }

    @Test("A query name that is repeated thousands of times keeps all its values, in order")
    func repeatedName() throws {
        // A quadratic implementation took 12 s for this URL in an optimised build.
        let url = try AppURL("?" + (0..<9_000).map { "a=\($0)" }.joined(separator: "&"))
        #expect(url.values["a"] as? [String] == (0..<9_000).map(String.init))
        let most = try AppURL("?" + String(repeating: "a&", count: 32_767))
        #expect((most.values["a"] as? [String])?.count == 32_767)
    }

    @Test(
        "Every part of a URL may contain 30 consecutive combining marks but not 31",
        arguments: ["", "/a/", "?a=", "?", "#"],
        // The last mark has combining class 0 and decomposes into two marks of other classes.
        ["\u{301}", "\u{301}\u{323}", "\u{93E}", "\u{F73}"])
    func marks(before: String, mark: String) throws {
        let count = mark.unicodeScalars.count == 2 ? 15 : 30
        let most = before + "é" + String(repeating: mark, count: count)
        #expect(throws: Never.self) { try AppURL(most) }
        #expect(throws: Never.self) { try AppURL(most + "a" + mark) }
        let error = #expect(throws: AppURLError.self) { try AppURL(most + mark) }
        #expect(error?.reason == .tooManyMarks)
        #expect(throws: AppURLError.self) { try AppURL(most + String(repeating: mark, count: 10_000)) }
        let encoded = String(repeating: "%CC%81", count: 30)
        #expect(throws: Never.self) { try AppURL(before + encoded) }
        #expect(throws: AppURLError.self) { try AppURL(before + encoded + "%CC%81") }
    }

    @Test(
        "A part that encodes a character encodes all that a URL must encode; another part need not",
        arguments: ["\"", "<", ">", "[", "\\", "]", "^", "`", "{", "|", "}", "é"])
    func encoding(character: String) throws {
        for url in ["%41\(character)", "?a=%41\(character)", "#%41\(character)"] {
            let error = #expect(throws: AppURLError.self) { try AppURL(url) }
            #expect(error?.reason == .halfEncoded)
        }
        let url = try AppURL("app://%61/\(character)?%41#\(character)")
        #expect(url.segments == ["a", character] && url.query.map(\.name) == ["A"])
        #expect(try AppURL("%41?\(character)#%41").query.map(\.name) == [character])
    }

    @Test("No part of a host is punycode, and no byte is DEL")
    func refused() {
        for url in ["app://xn--a/x", "app://a.XN--b/x"] {
            #expect(throws: AppURLError.self) { try AppURL(url) }
        }
        let error = #expect(throws: AppURLError.self) { try AppURL("a\u{7F}") }
        #expect(error?.reason == .controlCharacter(0x7F))
    }

    @Test("The message of an AppURLError gives the URL, the offset, the problem, the rule and the fix")
    func description() {
        let error = #expect(throws: AppURLError.self) { try AppURL("app://shop/50%") }
        #expect(
            error?.description
                == "URL \"app://shop/50%\", byte 13: \"%\" is not followed by two hexadecimal digits. "
                + "Guessing would produce text that nobody wrote. Write a percent sign as %25.")
        let long = #expect(throws: AppURLError.self) { try AppURL(String(repeating: "a", count: 300) + " ") }
        #expect(long?.url.count == 201)
    }

    @Test("AppURL.quoted truncates long text and escapes control characters")
    func quoted() {
        #expect(AppURL.quoted("乘车 a'b\\ é") == "\"乘车 a'b\\ é\"")
        #expect(
            AppURL.quoted("\u{1B}[2J\n\u{85}\u{202E}\u{2028}") == #""\u{1B}[2J\u{A}\u{85}\u{202E}\u{2028}""#)
        // The limit counts code points, so it also truncates a single character with many marks.
        #expect(AppURL.quoted("a" + String(repeating: "\u{301}", count: 300)).unicodeScalars.count == 203)
        let whole = String(repeating: "a", count: 200)
        #expect(AppURL.quoted(whole) == "\"\(whole)\"" && AppURL.quoted(whole + "b") == "\"\(whole)…\"")
        let error = #expect(throws: AppURLError.self) { try AppURL("a\nb: forged") }
        #expect(error?.description.hasPrefix(#"URL "a\u{A}b: forged", byte 1: the byte 10 is not"#) == true)
    }

    @Test("A parameter name is reserved if it starts with the code point @, even before a joiner or a mark")
    func reserved() {
        for name in ["@", "@url", "@\u{200D}url", "@\u{301}"] { #expect(AppURL.isReserved(name)) }
        for name in ["", "url", "u@", "\u{200D}@", "＠url"] { #expect(!AppURL.isReserved(name)) }
    }
}
