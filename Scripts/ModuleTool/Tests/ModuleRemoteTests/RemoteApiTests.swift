import Foundation
import Testing

@testable import ModuleRemote

@Suite("Apis that can be called in another process")
struct RemoteApiTests {
    private static let types = """
        public struct Code: Codable, Sendable { public struct Part: Codable, Sendable {} }
        public struct Plain {}
        nonisolated public struct Later {}
        extension Later: Codable, Sendable {}
        public struct Box<Value: Codable & Sendable>: Codable, Sendable {}
        public enum Fault: Error, Codable { case lost, unreachable(String) }
        public enum Bare: Error, Codable { case unreachable(reason: String) }
        public typealias Text = String
        public struct Locale: Codable, Sendable {}
        public struct Set<Element: Codable & Sendable>: Codable, Sendable {}
        public typealias Data = [Int]
        public struct RemoteCall {}

        """

    private func api(
        _ requirements: String, start: String = "public protocol DoorApiProtocol: Sendable {",
        reserved: Set<String> = []
    ) throws -> RemoteApi {
        let text = Self.types + start + "\n" + requirements + "\n}\n"
        let files = ["Door.swift": Data(text.utf8), "Empty.swift": Data()]
        return try RemoteApi(module: "DoorApi", files, reserved: reserved)
    }

    @Test(
        "An async throwing method whose types are Codable can be called in another process",
        arguments: [
            "func a() async throws", "func a() async throws(Fault)",
            "func a() async throws(any Error) -> Int",
            "func a(_ b: Code, c: Code.Part?, d: [Later]) async throws -> [String: Code]",
            "func a(b: Swift.Set<Int>, c: Dictionary<Int, Optional<Code>>, d: Array<Date>) async throws -> Void",
            "func a(b: DoorApi.Code, c: Foundation.URL, d: Swift.Bool) async throws -> ()",
            "func a(b: DoorApi.Locale, c: Foundation.Locale, d: Foundation.Data) async throws",
            "func a() async throws -> AsyncThrowingStream<Code, any Error>",
            "@available(*, deprecated) func a() async throws",
            "@discardableResult func a() async throws -> Int",
            "func a(b: Int) async throws\nfunc a(c: Int) async throws",
        ])
    func possible(requirement: String) throws {
        let api = try api(requirement)
        #expect(api.obstacles == [])
        #expect(!api.requirements.isEmpty)
    }

    /// A library that Apis may import. It declares a type with a name of the standard library's.
    private static let models = """
        public struct Account: Codable, Sendable {}
        public struct Plain2 {}
        public enum Refusal: Error, Codable { case unreachable(String) }
        public struct Date: Codable, Sendable {}

        """

    private func apiWithModels(_ requirement: String) throws -> RemoteApi {
        let text = "import Models\n\npublic protocol DoorApiProtocol: Sendable {\n\(requirement)\n}\n"
        return try RemoteApi(
            module: "DoorApi", ["Door.swift": Data(text.utf8)],
            libraries: ["Models": ["Models.swift": Data(Self.models.utf8)]])
    }

    @Test(
        "A type of a library that Apis may import can be sent if it is Codable and Sendable",
        arguments: [
            ("func a(_ b: Account, c: [Models.Account?]) async throws(Refusal) -> Account", nil),
            ("func a() async throws(Models.Refusal) -> Models.Date", nil),
            ("func a() async throws -> Foundation.Date", nil),
            ("func a(_ b: Plain2) async throws", "Add Codable and Sendable to Plain2"),
            ("func a(_ b: Models.Plain2) async throws", "Add Codable and Sendable to Plain2"),
            ("func a(_ b: Date) async throws", "or one that another module has too"),
            ("func a(_ b: Models.String) async throws", "Use a struct or enum of DoorApi"),
            ("func a() async throws -> any View", "Use a struct or enum of DoorApi"),
        ])
    func libraries(requirement: String, fix: String?) throws {
        let obstacles = try apiWithModels(requirement).obstacles
        #expect(obstacles.count == (fix == nil ? 0 : 1), "\(obstacles)")
        #expect(obstacles.first?.fix.contains(fix ?? "") ?? true, "\(obstacles)")
    }

    private static let declares = "a struct or enum of DoorApi that declares Codable and Sendable"

    @Test(
        "A requirement that cannot be called in another process is reported with the reason and a fix",
        arguments: [
            ("var a: Int { get }", "a is not a method"),
            ("subscript(a: Int) -> Int { get }", "subscript is not a method"),
            ("init()", "init is not a method"), ("associatedtype A", "associatedtype is not a method"),
            ("#if DEBUG\nfunc a() async throws\n#endif", "#if is not a method"),
            ("static func a() async throws", "a() is static, mutating, generic or variadic"),
            ("mutating func a() async throws", "a() is static, mutating, generic or variadic"),
            ("func a<T>() async throws", "a() is static, mutating, generic or variadic"),
            ("func a(b: Int...) async throws", "a(b:) is static, mutating, generic or variadic"),
            ("func a() throws", "a() is not async throws"), ("func a() async", "a() is not async throws"),
            ("func a() async throws(Never)", "a() is not async throws"),
            ("func a(_: any Code) async throws", "a(_:) cannot send the parameter argument1, `any Code`"),
            ("func a() async throws(Bare)", "a() cannot send its error, `Bare`"),
            (
                "func a(b: Int) async throws\nfunc a(b: Bool) async throws",
                "a(b:) has the same name and labels as another requirement"
            ),
        ])
    func impossible(requirement: String, what: String) throws {
        let line = Self.types.split(separator: "\n").count + (what.contains("another") ? 3 : 2)
        let api = try api(requirement)
        #expect(api.obstacles.map(\.what) == [what])
        #expect(api.obstacles.first?.fix.isInForm == true)
        #expect(api.obstacles.first?.place.path == "Door.swift" && api.obstacles.first?.place.line == line)
    }

    @Test(
        "Values of types that may not be Codable cannot be sent, and the fix says which can",
        arguments: [
            "@escaping @Sendable () -> Void", "(Int) -> Int", "inout Int", "(Int, Int)",
            "any Codable & Sendable",
            "Box<Int>", "Text", "Self", "[Code: Int]", "[Locale]", "Data", "Set<Int>", "DoorApi.Set<Int>",
            "DoorApi.Data", "Swift.Code", "AsyncStream<Int>", "AsyncThrowingStream<Int, Fault>",
        ])
    func unsent(type: String) throws {
        let obstacles = try api("func a(b: \(type)) async throws").obstacles
        #expect(obstacles.map(\.what) == ["a(b:) cannot send the parameter b, `\(type)`"])
        #expect(
            obstacles.first?.fix.hasPrefix("Use \(Self.declares); a standard type such as String") == true)
    }

    @Test("All obstacles are reported at once, also for types that lack only a conformance")
    func together() throws {
        let api = try api("var a: Int { get }\nfunc b(_ c: [Plain?]) async throws -> (Int, Int)")
        #expect(
            api.obstacles.map(\.what) == [
                "a is not a method", "b(_:) cannot send the parameter c, `[Plain?]`",
                "b(_:) cannot send its result, `(Int, Int)`",
            ])
        #expect(api.obstacles[1].fix == "Add Codable and Sendable to Plain, or use \(Self.declares).")
    }

    @Test(
        "The protocol must inherit Sendable alone, and must not be isolated to an actor",
        arguments: [
            "public protocol DoorApiProtocol {", "public protocol DoorApiProtocol: AnyObject, Sendable {",
            "@MainActor public protocol DoorApiProtocol: Sendable {",
        ])
    func protocols(start: String) throws {
        let fixes = try api("", start: start).obstacles.map(\.fix)
        #expect(fixes == ["Declare it as protocol DoorApiProtocol: Sendable."])
    }

    @Test("Only the toolchain's types have sample values, not the Api's own types of the same name")
    func samples() throws {
        let api = try api("func a(b: DoorApi.Data, c: Foundation.Data) async throws")
        #expect(api.requirements.first?.parameters.map(\.sample) == [nil, "Data()"])
    }

    @Test("An Api must declare its protocol, and no type whose name the generated code uses")
    func names() throws {
        let obstacles = try api("", reserved: ["RemotePair", "RemoteCall"]).obstacles
        #expect(obstacles.map(\.fix) == ["Rename RemoteCall."])
        let absent = try api("", start: "public protocol Door {").obstacles
        #expect(absent.map(\.what) == ["DoorApi has no protocol named DoorApiProtocol"])
    }

    @Test("A list item in the documentation marks a requirement as idempotent, but a sentence does not")
    func idempotent() throws {
        let api = try api(
            """
            /// Does a.
            ///
            /// - Idempotent: a repeat does nothing.
            func a() async throws

            /// Does b. - Idempotent: is part of this sentence.
            func b() async throws

            /**
             Does c.

             - Idempotent: yes
             */
            func c() async throws

            // - Idempotent: is no documentation.
            func d() async throws
            """)
        #expect(api.requirements.filter(\.isIdempotent).map(\.name) == ["a", "c"])
    }
}
