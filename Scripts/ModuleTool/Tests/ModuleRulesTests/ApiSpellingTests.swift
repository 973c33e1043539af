import ModuleFixtures
import ModuleTree
import Testing

/// Code that neither an Api nor an IMP may contain, in spellings that few people use.
@Suite("Unusual spellings in Apis and IMPs")
struct ApiSpellingTests {
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
        ])
    func api(_ code: String) throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/RideApi/Sources/RideApi/More.swift", code + "\n")
        #expect(try !tree.findings("api-content").isEmpty)
    }

    @Test(
        "An Api may use the attributes and declarations that only describe it",
        arguments: [
            "@MainActor public protocol A { @discardableResult func a() -> Int }",
            "@frozen public enum A { case a }\n@available(*, deprecated) public struct B {}",
            "#if os(iOS)\npublic struct A { public var a: Int { get { 1 } set {} } }\n#endif",
            "public typealias Code = RideCode\nextension Code { public func copy() -> RideCode { self } }",
        ])
    func allowed(_ code: String) throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/RideApi/Sources/RideApi/More.swift", code + "\n")
        #expect(try tree.findings("api-content") == [])
    }

    @Test("An Api's package has no target in another language, and no macros")
    func targets() throws {
        for kind in [".target(name: \"CRide\")", ".macro(name: \"CRide\")"] {
            let tree = try SmallTree.make()
            try tree.edit(
                "Packages/Business/RideApi/Package.swift", "targets: [\n", "targets: [\n        \(kind),\n")
            try tree.write("Packages/Business/RideApi/Sources/CRide/ride.c", "int ride;\n")
            #expect(
                try tree.findings("api-content").map(\.what) == [
                    "the target CRide of an Api package is not a Swift library"
                ])
        }
    }

    @Test(
        "An IMP makes nothing else public in ways that need no access modifier",
        arguments: [
            "infix operator +++", "precedencegroup A {}", "@_cdecl(\"a\") func a() {}",
            "@_exported import RideApi",
        ])
    func imp(_ code: String) throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/Ride/Sources/Ride/More.swift", code + "\n")
        #expect(try tree.findings("imp-public").count == 1)
    }

    @Test("A public extension is reported even if another file has a private type of the same name")
    func twin() throws {
        let tree = try SmallTree.make()
        let folder = "Packages/Business/Ride/Sources/Ride/"
        try tree.write(folder + "Twin.swift", "private struct String {}\n")
        try tree.write(folder + "More.swift", "extension String { public func half() -> Int { 1 } }\n")
        #expect(try tree.findings("imp-public").map(\.place.path) == [folder + "More.swift"])
        try tree.write(
            folder + "More.swift", "private struct Own {}\nextension Own { public func half() {} }\n")
        #expect(try tree.findings("imp-public") == [])
    }
}
