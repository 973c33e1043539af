import Foundation
import Testing

@testable import ModuleTree

/// Every kind of change to an Api, with the smallest version step that the change requires.
///
/// The rows agree with swift-api-digester (or with cargo-semver-checks, where Rust has the same kind of
/// declaration) on which changes are breaking; a row that differs states the reason. Neither tool decides whether a
/// compatible change needs a minor step or a patch.
@Suite("Changes to an Api's surface")
struct ApiSurfaceTests {
    enum Step { case patch, minor, major }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        let step: Step
        /// Why the expected step differs from swift-api-digester's.
        let why: String?

        init(_ name: String, _ old: String, _ new: String, _ step: Step, why: String? = nil) {
            (testDescription, self.old, self.new, self.step, self.why) = (name, old, new, step, why)
        }
    }

    static let noValues =
        "the digester compares no values, so callers silently get another value"
    static let noBranches = "the digester sees only the branches that its own platform compiles"
    static let noEffects = "the digester reports no effects and no isolation of functions"

    static let noAttributes =
        "the digester ignores this attribute, but some callers no longer compile"

    static let rows: [Row] =
        types + members + requirements + signatures + values + conditions + availability + inheritance
        + syntax
        + access + renames + attributes

    private static let types = [
        Row("nothing", "public struct A {}", "public struct A {}", .patch),
        Row("comments and line breaks", "public struct A {}", "/// A.\npublic  struct A\n{ // a\n}", .patch),
        Row("a new type", "", "public struct A { public init() {} }", .minor),
        Row("a removed type", "public struct A { public init() {} }", "", .major),
        Row("a renamed type", "public struct A {}", "public struct B {}", .major),
        Row("a type that becomes internal", "public struct A {}", "struct A {}", .major),
        Row(
            "a type that becomes public", "struct A { public var a: Int { 1 } }",
            "public struct A { public var a: Int { 1 } }", .minor),
        Row("another kind of type", "public struct A {}", "public enum A {}", .major),
        Row(
            "a changed internal type", "struct A {}",
            "struct A { var a = 1 }\nextension A { public func b() {} }", .patch),
        Row("a new conformance", "public struct A {}", "public struct A: Sendable {}", .minor),
        Row("a removed conformance", "public struct A: Hashable {}", "public struct A {}", .major),
        Row(
            "a conformance that implies the old one", "public struct A: Equatable {}",
            "public struct A: Hashable {}", .minor),
        Row(
            "a conformance in an extension", "public struct A: Hashable {}",
            "public struct A {}\nextension A: Hashable {}", .patch),
        Row(
            "the order of conformances", "public enum A: Error, Hashable {}",
            "public enum A: Hashable, Error {}", .patch),
        Row(
            "Codable in two words", "public struct A: Codable {}", "public struct A: Encodable, Decodable {}",
            .patch),
        Row("a new inherited protocol", "public protocol A {}", "public protocol A: Sendable {}", .major),
        Row("a removed inherited protocol", "public protocol A: Sendable {}", "public protocol A {}", .major),
        Row("a new generic parameter", "public struct A<T> {}", "public struct A<T, U> {}", .major),
        Row("a new generic constraint", "public struct A<T> {}", "public struct A<T: Sendable> {}", .major),
        Row(
            "a constraint in a where clause", "public struct A<T> where T: Sendable {}",
            "public struct A<T> where T: Hashable {}", .major),
        Row("a type alias of another type", "public typealias A = Int", "public typealias A = Int8", .major),
        Row("a new case", "public enum A { case a }", "public enum A { case a, b }", .major),
        Row(
            "a new case of a nonexhaustive enum", "@nonexhaustive public enum A { case a }",
            "@nonexhaustive public enum A { case a, b }", .minor,
            why:
                "the digester does not know @nonexhaustive; cargo-semver-checks accepts new variants of #[non_exhaustive] enums"
        ),
        Row(
            "an enum that becomes nonexhaustive", "public enum A { case a }",
            "@nonexhaustive public enum A { case a }", .major,
            why:
                "the digester does not know @nonexhaustive; cargo-semver-checks reports enum_marked_non_exhaustive"
        ),
        Row(
            "a conformance that enums without payloads have anyway", "public enum A: Hashable { case a }",
            "public enum A { case a }", .patch),
        Row(
            "a conformance that enums with payloads lack", "public enum A: Hashable { case a(Int) }",
            "public enum A { case a(Int) }", .major),
        Row("a removed case", "public enum A { case a, b }", "public enum A { case a }", .major),
        Row("the order of cases", "public enum A { case a, b }", "public enum A { case b, a }", .patch),
        Row(
            "a case with another payload", "public enum A { case a(Int) }", "public enum A { case a(Int8) }",
            .major),
        Row(
            "a case with another label", "public enum A { case a(b: Int) }",
            "public enum A { case a(c: Int) }", .major),
    ]

    private static let members = [
        Row("a new member", "public struct A {}", "public struct A { public var a: Int { 1 } }", .minor),
        Row(
            "a removed member", "public struct A { public let a: Int\npublic let b: Int }",
            "public struct A { public let a: Int }", .major),
        Row(
            "a member that becomes internal", "public struct A { public let a: Int }",
            "public struct A { let a: Int }", .major),
        Row(
            "a member that moves to an extension", "public struct A { public func a() {} }",
            "public struct A {}\npublic extension A { func a() {} }", .patch),
        Row("an extension of another type", "extension String { public var a: Int { 1 } }", "", .major),
        Row(
            "an extension with another constraint",
            "extension Array where Element == Int { public var a: Int { 1 } }",
            "extension Array where Element == Int8 { public var a: Int { 1 } }", .major),
        Row("a new initializer", "public struct A {}", "public struct A { public init() {} }", .minor),
        Row(
            "a failable initializer", "public struct A { public init(a: Int) {} }",
            "public struct A { public init?(a: Int) {} }", .major),
        Row(
            "a constant that becomes variable", "public struct A { public let a: Int }",
            "public struct A { public var a: Int }", .minor),
        Row(
            "a variable that becomes constant", "public struct A { public var a: Int }",
            "public struct A { public let a: Int }", .major),
        Row(
            "a setter that becomes private", "public struct A { public var a: Int }",
            "public struct A { public private(set) var a: Int }", .major),
        Row(
            "a stored property that becomes computed", "public struct A { public let a: Int }",
            "public struct A { public var a: Int { 1 } }", .patch),
        Row(
            "an observed property", "public struct A { public var a: Int }",
            "public struct A { public var a: Int { didSet {} } }", .patch),
        Row(
            "a subscript that gains a setter", "public struct A { public subscript(a: Int) -> Int { 1 } }",
            "public struct A { public subscript(a: Int) -> Int { get { 1 } set {} } }", .minor),
        Row(
            "a subscript that gains a label", "public struct A { public subscript(a: Int) -> Int { 1 } }",
            "public struct A { public subscript(a a: Int) -> Int { 1 } }", .major),
        Row(
            "a member that becomes static", "public struct A { public func a() {} }",
            "public struct A { public static func a() {} }", .major),
        Row(
            "a member that becomes mutating", "public struct A { public func a() {} }",
            "public struct A { public mutating func a() {} }", .major),
        Row(
            "a second overload", "public func a(_ a: Int) {}",
            "public func a(_ a: Int) {}\npublic func a(_ a: String) {}", .minor),
        Row(
            "a removed overload", "public func a(_ a: Int) {}\npublic func a(_ a: String) {}",
            "public func a(_ a: Int) {}", .major),
        Row(
            "a result that may be discarded", "public func a() -> Int { 1 }",
            "@discardableResult public func a() -> Int { 1 }", .minor),
        Row(
            "a result that may not be discarded", "@discardableResult public func a() -> Int { 1 }",
            "public func a() -> Int { 1 }", .major,
            why: "the digester accepts it; a caller that ignores the result gets a warning or an error"
        ),
        Row(
            "two constants in one line", "public struct A { public let a, b: Int }",
            "public struct A { public let a: Int\npublic let b: Int }", .patch),
    ]

    private static let requirements = [
        Row(
            "a requirement without a default", "public protocol A {}", "public protocol A { func a() }",
            .major),
        Row(
            "a requirement with a default", "public protocol A {}",
            "public protocol A { func a() }\nextension A { public func a() {} }", .minor),
        Row(
            "a requirement with an internal default", "public protocol A {}",
            "public protocol A { func a() }\nextension A { func a() {} }", .major),
        Row(
            "a requirement with a default for another overload",
            "public protocol A { func a(_ a: Int) }\nextension A { public func a(_ a: Int) {} }",
            "public protocol A { func a(_ a: Int)\nfunc a(_ a: String) }\nextension A { public func a(_ a: Int) {} }",
            .major),
        Row(
            "a requirement with a constrained default", "public protocol A {}",
            "public protocol A { func a() }\nextension A where Self: Sendable { public func a() {} }", .major,
            why: "the digester does not look at the constraint, and some conforming types lack the default"),
        Row(
            "a new default", "public protocol A { func a() }",
            "public protocol A { func a() }\nextension A { public func a() {} }", .minor),
        Row(
            "a removed default", "public protocol A { func a() }\nextension A { public func a() {} }",
            "public protocol A { func a() }", .major),
        Row(
            "a requirement that becomes a member of the extension",
            "public protocol A { func a() }\nextension A { public func a() {} }",
            "public protocol A {}\nextension A { public func a() {} }", .major),
        Row("a removed requirement", "public protocol A { func a() }", "public protocol A {}", .major),
        Row(
            "a requirement that gains a setter", "public protocol A { var a: Int { get } }",
            "public protocol A { var a: Int { get set } }", .major),
        Row(
            "a requirement that loses its setter", "public protocol A { var a: Int { get set } }",
            "public protocol A { var a: Int { get } }", .major),
        Row(
            "an associated type without a default", "public protocol A {}",
            "public protocol A { associatedtype B }", .major),
        Row(
            "an associated type with a default", "public protocol A {}",
            "public protocol A { associatedtype B = Int }", .minor),
        Row(
            "a constrained associated type", "public protocol A { associatedtype B }",
            "public protocol A { associatedtype B: Sendable }", .major),
        Row("a new protocol with requirements", "", "public protocol A { func a() }", .minor),
        Row(
            "a new member of a protocol's extension", "public protocol A {}",
            "public protocol A {}\nextension A { public func a() {} }", .minor),
        Row(
            "a removed member of a protocol's extension",
            "public protocol A {}\nextension A { public func a() {} }", "public protocol A {}", .major),
    ]

    private func changes(_ old: String, _ new: String) throws -> ApiSurface.Changes {
        try ApiSurface(module: "Module", ["A.swift": Data(old.utf8)])
            .changes(to: ApiSurface(module: "Module", ["A.swift": Data(new.utf8)]))
    }

    @Test("A change to an Api requires the smallest version step that is safe for callers", arguments: rows)
    func steps(_ row: Row) throws {
        let changes = try changes(row.old, row.new)
        let step: Step = changes.breaks.isEmpty ? changes.isChanged ? .minor : .patch : .major
        #expect(step == row.step, "\(changes)")
    }
}
