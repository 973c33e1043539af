import Foundation
import TestSupport
import Testing

#if os(Linux)
extension ProcessTests {
    @Suite("Properties that a protocol would ignore")
    struct SpellingTests {
        /// Declarations that would be ignored if they compiled.
        static let traps = [
            "var parameters: [String: Any]? { [\"id\": 1] }",
            "var parameters: APIParameters { [\"id\": 1] }",
            "var headers: [String: String]? { [:] }",
            "var method: String { \"POST\" }",
            "var timeout: TimeInterval? { 5 }",
            "var cache: APICache { APICache() }",
            "var retry: APIRetryPolicy { .never }",
            "var acceptableStatusCodes: Range<Int> { 200..<500 }",
            "var encoding: APIJSONEncoding { APIJSONEncoding() }",
            "var taskType: APIRequestTaskType? { .request }",
            "var coalesces: Bool? { true }",
            "var body: (any Sendable)? { 1 }",
        ]

        private static func source(_ declaration: String) -> String {
            """
            import APIService
            import Foundation
            protocol Domain: APIRequest where Response == APIEmpty {}
            extension Domain { var baseURL: URL { URL(fileURLWithPath: "/") } }
            extension Domain { var timeout: Duration? { .seconds(5) } }
            struct Body: Encodable { let id = 1 }
            struct Request: Domain {
                var path: String { "/" }
                \(declaration)
            }
            """
        }

        /// Returns the compiler's errors.
        private func errors(_ source: String) throws -> [String] {
            let folder = try TemporaryFolder()
            let file = folder.url.appendingPathComponent("main.swift")
            try Data(source.utf8).write(to: file)
            let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("Modules")
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments = [
                "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path, file.path,
            ]
            let output = Pipe()
            compiler.standardError = output
            try compiler.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            compiler.waitUntilExit()
            return text.split(separator: "\n").map(String.init).filter {
                $0.contains("swift:") && $0.contains("error:")
            }
        }

        @Test("a property with a requirement's name and another type does not compile", arguments: traps)
        func trap(declaration: String) throws {
            let errors = try errors(Self.source(declaration))
            #expect(
                errors.contains { $0.contains("does not conform to protocol 'APIRequest") }, "\(errors)")
        }

        @Test("properties with the right types compile, and an accessory's user must be optional")
        func right() throws {
            let right = """
                let body = Body()
                let headers: APIRequestHeaders? = ["A": "b"]
                var parameters: APIParameters? { get throws { ["id": 1] } }
                var cache: APICache? { nil }
                var acceptableStatusCodes: Set<Int> { [200, 404] }
                struct Parameters {}
                """
            #expect(try errors(Self.source(right)) == [])
            let accessory = """
                import APIService
                import Foundation
                struct Token: APIAccessory {
                    var user: String { "ann" }
                    func adapt(_ request: URLRequest) -> URLRequest { request }
                }
                """
            #expect(
                try errors(accessory.replacing("import Foundation", with: "import FoundationNetworking"))
                    .contains { $0.contains("does not conform to protocol 'APIAccessorySpelling'") })
        }
    }
}
#endif
