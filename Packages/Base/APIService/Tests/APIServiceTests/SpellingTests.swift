import Foundation
import TestSupport
import Testing

#if os(Linux)
extension ProcessTests {
    @Suite("Declarations that a protocol would ignore")
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
            "var requiredUser: String { \"ann\" }",
            "var acceptableStatusCodes: Range<Int> { 200..<500 }",
            "var encoding: APIJSONEncoding { APIJSONEncoding() }",
            "var taskType: APIRequestTaskType? { .request }",
            "var body: (any Sendable)? { 1 }",
            "func intercept(parameters: APIParameters) -> APIParameters { parameters }",
            "func intercept(parameters: [String: Any]?) throws -> [String: Any]? { parameters }",
            "func intercept(urlRequest: URLRequest) -> URLRequest? { urlRequest }",
        ]

        private static func source(_ declaration: String) -> String {
            """
            import APIService
            import Foundation
            import FoundationNetworking
            protocol Domain: APIRequest where Response == APIEmpty {}
            extension Domain { var baseURL: URL { URL(fileURLWithPath: "/") } }
            extension Domain { var timeout: Duration? { .seconds(5) } }
            extension Domain { func intercept(urlRequest: URLRequest) -> URLRequest { urlRequest } }
            struct Body: Encodable { let id = 1 }
            struct Request: Domain {
                var path: String { "/" }
                \(declaration)
            }
            """
        }

        @Test("A declaration with a requirement's name but another type does not compile", arguments: traps)
        func trap(declaration: String) throws {
            let errors = try Compiler.errors(in: Self.source(declaration))
            #expect(
                errors.contains { $0.contains("does not conform to protocol 'APIRequest") }, "\(errors)")
        }

        @Test("Properties and methods with the right types compile")
        func right() throws {
            let right = """
                let body = Body()
                let headers: APIRequestHeaders? = ["A": "b"]
                var parameters: APIParameters? { get throws { ["id": 1] } }
                var cache: APICache? { nil }
                var acceptableStatusCodes: Set<Int> { [200, 404] }
                struct Parameters {}
                func intercept(parameters: APIParameters?) -> APIParameters? { parameters }
                func intercept(urlRequest: URLRequest) throws -> URLRequest { urlRequest }
                """
            #expect(try Compiler.errors(in: Self.source(right)) == [])
        }

        /// Methods that would be ignored.
        static let methods = [
            "APIPlugin": [
                "func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) async {}",
                "func willsend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {}",
                "func willReceive<T: APIRequest>(_ result: APIResult<T.Response>, targetRequest: T) {}",
            ],
            "APIRequest": [
                "func intercept(urlRequest: URLRequest) async throws -> URLRequest { urlRequest }",
                "func intercept(parameter: APIParameters?) -> APIParameters? { parameter }",
            ],
        ]

        @Test(
            "The compiler warns about a near match of a requirement if an extension declares the conformance",
            arguments: methods.keys.sorted())
        func nearMiss(name: String) throws {
            let methods = try #require(Self.methods[name])
            var source = "import APIService\nimport Foundation\nimport FoundationNetworking\n"
            let request = "typealias Response = APIEmpty; var path: String { \"\" }; let baseURL: URL"
            for (number, method) in methods.enumerated() {
                source += "struct Type\(number) { \(name == "APIRequest" ? request : "") }\n"
                source += "extension Type\(number): \(name) { \(method) }\n"
            }
            let warnings = try Compiler.warnings(in: source)
            #expect(warnings.count { $0.contains("nearly matches defaulted requirement") } == methods.count)
        }
    }
}
#endif
