import Foundation
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Rules about the sources of this repository that the compiler and Scripts/modules do not check.
@Suite("Rules about the sources")
struct SourceRulesTests {
    /// A regular expression that no source file may contain.
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The folders of the files, relative to the root.
        let folders: [String]
        /// Which files of the folders the rule is about, by path.
        var files = ""
        let pattern: String
        /// Text that breaks the rule, and text that does not.
        let bad, good: [String]
    }

    static let rules = [
        Rule(
            testDescription: "An Api shows no secret", folders: ["Packages"], files: #"/Sources/\w+Api/"#,
            pattern: #"(?i)\b(let|var) \w*(token|password|secret|(private|signing|api)_?key|\bkey: Data)"#,
            bad: ["public let token: String", "public let key: Data?", "var accessToken: String { get }"],
            good: ["public let key: String", "func logIn(password: String)"]),
        Rule(
            testDescription: "No module holds its center unowned: a call in flight would trap at a teardown",
            folders: ["Apps", "Packages/Business", "Packages/Common"], files: "/Sources/",
            pattern: #"\bunowned\b"#,
            bad: ["private unowned let center: ApiCenter", "{ [unowned center] _ in"],
            good: ["private weak let center: ApiCenter?"]),
        Rule(
            testDescription: "No module casts an Api to its IMP: another IMP may be registered",
            folders: ["Apps", "Packages/Business", "Packages/Common"], files: "/Sources/",
            pattern: #"(?s)[aA]pi\(type: [^()]*\)\)?\s+as[?!] "#,
            bad: [
                "center.api(type: RideApiProtocol.self) as? RideService",
                "try requireApi(type: A.self)\n    as! B",
            ],
            good: ["center.api(type: RideApiProtocol.self)?.code() as? String"]),
        Rule(
            testDescription: "An Api's method that writes a file is asynchronous",
            folders: ["Packages/Business", "Packages/Common"], files: #"/Sources/\w+/\w+Service\.swift"#,
            pattern:
                #"(?s)\n    func (?![^{]*async)[^{]*\{(?:(?!\n    \S).)*?(saved|document)(\(\))?\.(update|replace)\b"#,
            bad: ["\n    func a(_ b: C) throws(D) {\n        try saved.update { $0 = b }\n    }"],
            good: [
                "\n    @concurrent func a() async throws {\n        try saved.update { $0 = 1 }\n    }",
                "\n    func a() async throws {\n        try saved.update { $0 = 1 }\n    }",
                "\n    func a() -> Int {\n        1\n    }\n    private func b() {\n        try saved.update { }",
            ]),
        Rule(
            testDescription: "Authentication codes are compared with Digest.areEqual",
            folders: ["Apps", "Packages"], files: "/Sources/",
            pattern: #"[=!]= *Digest\.hmac|hmacSHA256\([^\n]*\) *[=!]="#,
            bad: ["sent == Digest.hmacSHA256(data, key: key)", "Digest.hmacSHA256(data, key: key) != sent"],
            good: ["Digest.areEqual(sent, Digest.hmacSHA256(data, key: key))"]),
    ]

    @Test("The sources keep the rule", arguments: rules)
    func kept(_ rule: Rule) throws {
        let pattern = try Regex(rule.pattern)
        let files = try Tree.swiftFiles(in: rule.folders)
            .filter { try rule.files.isEmpty || $0.contains(Regex(rule.files)) }
        #expect(files.count > 5)
        for file in files {
            for match in try Tree.code(file).matches(of: pattern) {
                Issue.record("\(file): \(match.output[0].substring ?? "")")
            }
        }
    }

    /// The Apis of other pairs to which types in a test of this pair conform.
    private func fakes(in code: String, of pair: String) -> [String] {
        code.matches(of: /\b(?:class|struct|enum|actor|extension) [^{]*?:[^{]*\{/).flatMap { type in
            type.output.matches(of: /\b(\w+)ApiProtocol\b/).map { String($0.output.1) }
        }.filter { $0 != pair }
    }

    @Test("A pair is faked once, in its Api's package: the tests of others contain no fake of it")
    func oneFake() throws {
        var count = 0
        for file in try Tree.swiftFiles(in: ["Apps", "Packages"]) {
            guard let package = file.firstMatch(of: /\/(\w+)\/Tests\//)?.output.1 else { continue }
            count += 1
            let code = try Tree.code(file)
            // Without the import, the protocol is the test's own.
            let second = try fakes(in: code, of: String(package)).filter {
                try code.contains(Regex("(?m)^import \($0)Api$"))
            }
            #expect(second == [], "\(file)")
        }
        #expect(count > 200)
    }

    @Test(
        "The rule about fakes finds types that conform to another pair's Api",
        arguments: [
            ("private struct Log: LoggerApiProtocol {", ["Logger"]),
            ("final class A: B, UserApiProtocol, GateApiProtocol\n{", ["User", "Gate"]),
            ("extension A: JourneyApiProtocol {", ["Journey"]), ("struct Decorator: RideApiProtocol {", []),
            ("struct App {\n    let user: any UserApiProtocol\n    init() {", []),
            ("func a(_ b: any UserApiProtocol) {", []),
        ])
    func findsFakes(_ code: String, _ found: [String]) {
        #expect(fakes(in: code, of: "Ride") == found)
    }

    @Test("The rule finds what breaks it, and nothing else", arguments: rules)
    func finds(_ rule: Rule) throws {
        let pattern = try Regex(rule.pattern)
        for text in rule.bad { #expect(text.contains(pattern), "\(text)") }
        for text in rule.good { #expect(!text.contains(pattern), "\(text)") }
    }
}

extension Tree {
    /// The Swift files below folders, by path.
    static func swiftFiles(in folders: [String]) throws -> [String] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.map { "\(folder)/\($0)" }
        }
    }

    /// The text of a file without its comments.
    static func code(_ path: String) throws -> String {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains(/^\s*\/\//) }.joined(separator: "\n")
    }
}
#endif
