import ModuleFixtures
import ModuleKit
import RuleFixtures
import Testing

/// Code that neither an Api nor an IMP may contain, in spellings that few people use.
@Suite("Unusual spellings in Apis and IMPs")
struct ApiSpellingTests {
    /// The findings of a rule in a new file beside another.
    private func findings(_ rule: String, _ code: String, beside file: String) throws -> [Diagnostic] {
        let tree = try SmallTree.make()
        try tree.write(File.beside(file, "More.swift"), code + "\n")
        return try tree.findings(rule)
    }

    @Test(
        "An Api may contain only what the rule allows",
        arguments: [
            "public struct A { public var a = 1 { didSet { note() } }\nfunc note() {} }",
            "public struct A { public var a: Int { _read { yield 1 } } }",
            "public struct A: ~Copyable { deinit { print(1) } }",
            "@_cdecl(\"a\") public func a() {}", "@_silgen_name(\"a\") public func a()",
            "@_exported import Foundation", "@Observable public struct A {}", "#make(\"a\")",
            "public struct A { #make(\"a\") }", "infix operator +++", "precedencegroup A {}",
            "@freestanding(expression) public macro a() = #externalMacro(module: \"M\", type: \"A\")",
            "public struct A { public init(a: Int = .random(in: 1...2)) {} }",
            "public let a: Int = Int.random(in: 1...2)", "public func a() -> Int { .random(in: 1...2) }",
            "public typealias Text = String\nextension Text { public func half() -> Int { 1 } }",
            "public func a() { print(1) }", "public struct A { public init() { Task { } } }",
            "extension RideApiProtocol { public func a() -> String { FileManager.default.currentDirectoryPath } }",
            "public struct A { public init(a: NSObject = NSObject()) {} }",
        ])
    func api(_ code: String) throws {
        #expect(try !findings("api-content", code, beside: File.rideApi).isEmpty)
    }

    @Test(
        "An Api may use the attributes and declarations that only describe it",
        arguments: [
            "@MainActor public protocol A { @discardableResult func a() -> Int }",
            "@frozen public enum A { case a }\n@available(*, deprecated) public struct B {}",
            "#if os(iOS)\npublic struct A { public var a: Int { get { 1 } set {} } }\n#endif",
            "public typealias Code = RideCode\nextension Code { public func copy() -> RideCode { self } }",
            """
            extension RideApiProtocol {
                public func texts(_ limits: [Int]) -> [String] {
                    var texts: [String] = []
                    for limit in limits where limit > 0 {
                        let codes = rides(limit: limit)
                        texts += codes.map { code in code.text }.filter { $0 != "" }
                    }
                    return texts
                }
            }
            """,
            "public struct A: Codable { public init(from decoder: any Decoder) throws { let c = try decoder.container(keyedBy: B.self); c.a() } }\nenum B { case a }",
        ])
    func allowed(_ code: String) throws {
        #expect(try findings("api-content", code, beside: File.rideApi) == [])
    }

    @Test(
        "An Api's package has no target in another language, and no macros", arguments: [".target", ".macro"])
    func targets(kind: String) throws {
        let tree = try SmallTree.make()
        try tree.edit(File.rideApiManifest, "targets: [\n", "targets: [\n        \(kind)(name: \"CRide\"),\n")
        try tree.write("Packages/Business/RideApi/Sources/CRide/ride.c", "int ride;\n")
        let what = "the target CRide of an Api package is not a Swift library"
        #expect(try tree.findings("api-content").map(\.what) == [what])
    }

    @Test(
        "An IMP makes nothing else public in ways that need no access modifier",
        arguments: [
            ("infix operator +++", 1), ("precedencegroup A {}", 1), ("@_cdecl(\"a\") func a() {}", 1),
            ("@_exported import RideApi", 1), ("extension String { public func half() -> Int { 1 } }", 1),
            ("private struct Own {}\nextension Own { public func half() {} }", 0),
        ])
    func imp(_ code: String, _ count: Int) throws {
        #expect(try findings("imp-public", code, beside: File.ride).count == count)
    }

    @Test("A public extension is reported even if another file has a private type of the same name")
    func twin() throws {
        let tree = try SmallTree.make()
        try tree.write(File.beside(File.ride, "Twin.swift"), "private struct String {}\n")
        let more = File.beside(File.ride, "More.swift")
        try tree.write(more, "extension String { public func half() -> Int { 1 } }\n")
        #expect(try tree.findings("imp-public").map(\.place.path) == [more])
    }
}
