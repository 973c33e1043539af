import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTree

@Suite("Hostile configurations")
struct HostileConfigurationTests {
    /// Parses a configuration, and returns nil if it is invalid. Every error must name the file, the mistake and a
    /// fix.
    private func read(_ yaml: String) throws -> Configuration? {
        do { return try Configuration(yaml: yaml) } catch {
            #expect(error.kind == .configuration && error.place.description.hasPrefix(".modules.yml"))
            #expect(!error.what.isEmpty && error.isInForm && !"\(error)".contains("Optional("))
            return nil
        }
    }

    /// A configuration whose text is shortened in the test log.
    struct Text: Sendable, CustomTestStringConvertible, ExpressibleByStringLiteral {
        let text: String
        var testDescription: String { String(text.prefix(40)).debugDescription }

        init(_ text: String) { self.text = text }
        init(stringLiteral text: String) { self.text = text }
    }

    private static let laughs =
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + zip("abcdefgh", "bcdefghi").map { old, new in
            "\(new): &\(new) [" + Array(repeating: "*\(old)", count: 9).joined(separator: ", ") + "]\n"
        }.joined()

    @Test(
        "Deeply nested, repeated, tagged and binary contents are errors",
        arguments: [
            Text(laughs), "exclude: &a [*a]\n", "&a a: *a\n", "exclude: &a [&b [*b]]\n",
            "layers: &a [{name: A, folders: *a}]\n",
            Text(String(repeating: "[", count: 60_000)), Text(String(repeating: "{a: ", count: 15_000)),
            Text(String(repeating: "- ", count: 30_000)), Text(String(repeating: "a", count: 60_000)),
            "exclude: [!!binary aGk=]\nlayers: !!set {}\n", "\u{0}", "exclude: [\"\\0\"]\n", "a\u{1}: 1\n",
            "%YAML 9.9\n---\n",
            "<<: {exclude: []}\n", "? {a: b}\n: c\n", "exclude: [|\n", "\"", "'", "&", "*", "|", ">",
            "%", "@", "`",
            "{", "}", "[", "]", ",", ":", "?", "-", "exclude: [\"../a\"]\n", "exclude: [\"a/../..\"]\n",
            "layers:\n\t- name: A\n", "api-suffix: Api\r\r\napi-suffix: Api\r\n",
            "new-packages: {platforms: {iOS: 0x11}}\n",
            "new-packages: {tools-version: 99999999999999999999.0}\n",
        ] as [Text])
    func hostile(_ yaml: Text) throws {
        let error = #expect(throws: Diagnostic.self) { try Configuration(yaml: yaml.text) }
        #expect(try #require(error).what.count < 400)
        #expect(try read(yaml.text) == nil)
    }

    @Test(
        "Equivalent YAML spellings give the same values",
        arguments: [
            "exclude: [a, b]\r\n", "exclude:\n- a\n- b\n", "\"exclude\": ['a', \"b\"]\n",
            "exclude: [./a/, b//.]\n",
            "%YAML 1.2\n---\nexclude: [a, b]\n...\n", "exclude: &x [&y a, b] # c\n", "{exclude: [a, b,]}\n",
            "? exclude\n: [a, b]\n", "exclude: !!seq [!!str a, b]\n", "exclude: [\"\\x61\", b]\n",
        ])
    func spellings(_ yaml: String) throws { #expect(try read(yaml)?.exclude == ["a", "b"]) }

    /// Random numbers that are the same in every run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64 = 19

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 16 | state << 48
        }
    }

    @Test("A damaged configuration is either read, or reported with a place and a fix")
    func damaged() throws {
        let text = try HouseFiles.text("Scripts/ModuleTool/Configuration.md")
        let example = try #require(text.firstMatch(of: /```yaml\n((?s:.*?))```/)).1
        let alphabet = Array("aA1 -:,[]{}#&*!|>'\"%@`?~\t\n./\\é\u{0}")
        var generator = Generator()
        var understood = 0
        for _ in 0..<3_000 {
            var characters = Array(example)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0..<characters.count, using: &generator)
                let end = min(characters.count, start + Int.random(in: 0...8, using: &generator))
                let new = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                }
                characters.replaceSubrange(start..<end, with: new)
            }
            if try read(String(characters)) != nil { understood += 1 }
        }
        #expect(understood > 100 && understood < 2_900, "\(understood)")
    }
}
