import Foundation
import Testing

@testable import ModuleTree

@Suite("Apis that can be called in another process")
struct RemoteApiTests {
    private static let types = """
        public struct Code: Codable, Sendable { public struct Part: Codable, Sendable {} }
        public struct Plain {}
        public struct Later {}
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

    private static let useType = "use a struct of DoorApi that declares Codable and Sendable"
    private static let stream = "return an AsyncThrowingStream<Value, any Error>"
    private static let method = "replace it with a method that is async throws"

    @Test(
        "A requirement that cannot be called in another process is reported with the reason and a fix",
        arguments: [
            ("var a: Int { get }", "a is a property", method),
            ("subscript(a: Int) -> Int { get }", "subscript is a subscript", method),
            ("init()", "init is an initialiser", "replace it with a method that returns a value"),
            ("associatedtype A", "A is an associated type", "use a single Codable type instead"),
            (
                "#if DEBUG\nfunc a() async throws\n#endif", "#if makes requirements depend on the build",
                "declare the same requirements in all builds"
            ),
            ("static func a() async throws", "a() is static", "remove static"),
            ("mutating func a() async throws", "a() is mutating", "remove mutating"),
            ("func a() throws", "a() is not async throws", "add async throws"),
            ("func a() async", "a() is not async throws", "add async throws"),
            ("func a() async throws(Never)", "a() is not async throws", "add async throws"),
            (
                "func a<T: Codable>(b: T) async throws",
                "a(b:) is generic, and cannot send the parameter b, because T is not a struct or enum of DoorApi, so the tool cannot check it",
                "use concrete Codable types instead; " + useType
            ),
            (
                "func a(b: @escaping @Sendable () -> Void) async throws",
                "a(b:) cannot send the parameter b, a closure",
                "take or return values, or return a stream"
            ),
            (
                "func a() async throws -> (Int) -> Int", "a() cannot send its result, a closure",
                "take or return values, or return a stream"
            ),
            (
                "func a(_ b: inout Int) async throws",
                "a(_:) cannot send the parameter b, which is `inout Int`",
                "write only the type"
            ),
            ("func a(b: Int...) async throws", "a(b:) has a variadic parameter", "use an array instead"),
            (
                "func a() async throws -> (Int, Int)", "a() cannot send its result, a tuple",
                "declare a Codable struct in the Api"
            ),
            (
                "func a(_: any Codable & Sendable) async throws",
                "a(_:) cannot send the parameter argument1, whose type is not concrete: `any Codable & Sendable`",
                "use a single Codable type"
            ),
            (
                "func a(b: [Plain?]) async throws",
                "a(b:) cannot send the parameter b, because Plain does not declare Codable and Sendable",
                "add Codable and Sendable to Plain"
            ),
            (
                "func a() async throws -> Box<Int>", "a() cannot send its result, the generic type Box",
                "declare a Codable struct in the Api"
            ),
            (
                "func a() async throws -> Text",
                "a() cannot send its result, because Text is not a struct or enum of DoorApi, so the tool cannot check it",
                useType
            ),
            (
                "func a() async throws -> Self",
                "a() cannot send its result, because Self is not a struct or enum of DoorApi, so the tool cannot check it",
                useType
            ),
            (
                "func a(b: [Code: Int]) async throws",
                "a(b:) cannot send the parameter b, a dictionary with keys of the type Code",
                "use String or Int for the keys, or use an array"
            ),
            (
                "func a(b: [Locale]) async throws",
                "a(b:) cannot send the parameter b, because DoorApi and the toolchain both have a type named Locale",
                "qualify it with its module: DoorApi.Locale"
            ),
            (
                "func a() async throws -> Data",
                "a() cannot send its result, because DoorApi and the toolchain both have a type named Data",
                "qualify it with its module: DoorApi.Data"
            ),
            (
                "func a(b: Set<Int>) async throws",
                "a(b:) cannot send the parameter b, because DoorApi and the toolchain both have a type named Set",
                "qualify it with its module: DoorApi.Set"
            ),
            (
                "func a(b: DoorApi.Set<Int>) async throws",
                "a(b:) cannot send the parameter b, the generic type Set",
                "declare a Codable struct in the Api"
            ),
            (
                "func a(b: DoorApi.Data) async throws",
                "a(b:) cannot send the parameter b, because Data is not a struct or enum of DoorApi, so the tool cannot check it",
                useType
            ),
            (
                "func a(b: Swift.Code) async throws",
                "a(b:) cannot send the parameter b, because Code is not a struct or enum of DoorApi, so the tool cannot check it",
                useType
            ),
            (
                "func a() async throws -> AsyncStream<Int>", "a() cannot send its result, `AsyncStream<Int>`",
                stream
            ),
            (
                "func a() async throws -> AsyncThrowingStream<Int, Fault>",
                "a() cannot send its result, `AsyncThrowingStream<Int, Fault>`", stream
            ),
            (
                "func a() async throws(Bare)",
                "a() throws Bare, which has no case for a network failure",
                "add `case unreachable(String)` to Bare, or write `throws` without a type"
            ),
        ])
    func impossible(requirement: String, what: String, fix: String) throws {
        let line = Self.types.split(separator: "\n").count + 2
        let api = try api(requirement)
        #expect(api.obstacles.map(\.what) == [what])
        #expect(api.obstacles.map(\.fix) == [fix])
        #expect(api.obstacles.first?.place.path == "Door.swift" && api.obstacles.first?.place.line == line)
    }

    @Test("All obstacles are reported at once, including two requirements with the same name and labels")
    func together() throws {
        let api = try api("var a: Int { get }\nfunc b(_ c: Int) async throws\nfunc b(_ d: Bool) async throws")
        #expect(
            api.obstacles.map(\.what) == [
                "a is a property", "b(_:) has the same name and labels as another requirement",
            ])
    }

    @Test(
        "The protocol must inherit Sendable alone, and must not be isolated to an actor",
        arguments: [
            ("public protocol DoorApiProtocol {", "DoorApiProtocol does not inherit from Sendable"),
            (
                "public protocol DoorApiProtocol: AnyObject, Sendable {",
                "DoorApiProtocol inherits from AnyObject"
            ),
            (
                "@MainActor public protocol DoorApiProtocol: Sendable {",
                "DoorApiProtocol has the attribute @MainActor"
            ),
        ])
    func protocols(start: String, what: String) throws {
        #expect(try api("", start: start).obstacles.map(\.what) == [what])
    }

    @Test("Only the toolchain's types have sample values, not the Api's own types of the same name")
    func samples() throws {
        let api = try api("func a(b: DoorApi.Data, c: Foundation.Data) async throws")
        #expect(api.requirements.first?.parameters.map(\.sample) == [nil, "Data()"])
    }

    @Test("An Api must not declare a type whose name the generated code uses")
    func reserved() throws {
        let obstacles = try api("", reserved: ["RemotePair", "RemoteCall"]).obstacles
        #expect(
            obstacles.map(\.what) == [
                "DoorApiProtocol is in a module with a type named RemoteCall, and the generated code uses this name"
            ])
        #expect(obstacles.map(\.fix) == ["rename RemoteCall"])
    }

    @Test("A missing Api protocol is an obstacle")
    func absent() throws {
        let obstacles = try api("", start: "public protocol Door {").obstacles
        #expect(obstacles.map(\.what) == ["DoorApi has no protocol named DoorApiProtocol"])
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
