import Foundation
import Testing

@testable import ModuleFacts

/// Every kind of change to an Api, with the smallest version step that the change requires.
///
/// The rows agree with swift-api-digester (or with cargo-semver-checks, where Rust has the same kind of declaration) on
/// which changes are breaking, with these exceptions. The digester does not compare values, default arguments, effects,
/// isolation, macros, precedence, most attributes, and branches of `#if` that its own platform leaves out; it counts
/// `package` and SPI; and it sees through aliases, which the checker cannot, because it compiles nothing. In classes, the
/// checker takes some changes of `lazy`, `required` and `convenience` for breaking that are not.
@Suite("Changes to an Api's surface")
struct ApiSurfaceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        let step: String
    }

    /// A step, a name, the old code and the new code. `; ` is a line break.
    private static let table = #"""
        patch  nothing: public struct A {} => public struct A {}
        patch  a message of the compiler: #if A; #error("No."); #endif =>
        patch  comments and line breaks: public struct A {} => /// A.; public  struct A; { // a; }
        minor  a new type: => public struct A { public init() {} }
        major  a removed type: public struct A { public init() {} } =>
        major  a renamed type: public struct A {} => public struct B {}
        major  a type that becomes internal: public struct A {} => struct A {}
        minor  a type that becomes public: struct A { public var a: Int { 1 } } => public struct A { public var a: Int { 1 } }
        major  another kind of type: public struct A {} => public enum A {}
        minor  a new conformance: public struct A {} => public struct A: Sendable {}
        major  a removed conformance: public struct A: Hashable {} => public struct A {}
        minor  a conformance that implies the old one: public struct A: Equatable {} => public struct A: Hashable {}
        patch  a conformance in an extension: public struct A: Hashable {} => public struct A {}; extension A: Hashable {}
        patch  the order of conformances: public enum A: Error, Hashable {} => public enum A: Hashable, Error {}
        patch  Codable in two words: public struct A: Codable {} => public struct A: Encodable, Decodable {}
        major  a new inherited protocol: public protocol A {} => public protocol A: Sendable {}
        major  a new generic parameter: public struct A<T> {} => public struct A<T, U> {}
        major  a new generic constraint: public struct A<T> {} => public struct A<T: Sendable> {}
        major  a type alias of another type: public typealias A = Int => public typealias A = Int8
        major  a new case: public enum A { case a } => public enum A { case a, b }
        minor  a new case of a nonexhaustive enum: @nonexhaustive public enum A { case a }
            => @nonexhaustive public enum A { case a, b }
        major  an enum that becomes nonexhaustive: public enum A { case a } => @nonexhaustive public enum A { case a }
        major  a conformance that enums with payloads lack: public enum A: Hashable { case a(Int) }
            => public enum A { case a(Int) }
        patch  the order of cases: public enum A { case a, b } => public enum A { case b, a }
        major  the order of the cases of a CaseIterable enum: public enum A: CaseIterable { case a, b }
            => public enum A: CaseIterable { case b, a }
        major  the order of the cases of a Comparable enum: public enum A: Comparable { case a, b }
            => public enum A: Comparable { case b; case a }
        patch  the order of cases with their own comparison: public enum A: Comparable { case a, b; public static func < (a: A, b: A) -> Bool { a == .a } }
            => public enum A: Comparable { case b, a; public static func < (a: A, b: A) -> Bool { a == .a } }
        minor  a nonexhaustive case between ordered ones: @nonexhaustive public enum A: CaseIterable { case a, c }
            => @nonexhaustive public enum A: CaseIterable { case a, b, c }
        major  the inferred type of a variable: public struct A { public var a = 1 } => public struct A { public var a = "a" }
        major  the type of a variable that is created: public struct A { public var a = B(1) } => public struct A { public var a = C(1) }
        patch  the first value of a variable: public struct A { public var a = 1 } => public struct A { public var a = 2 }
        major  a constant made of a private one: private let b = "b"; public let a: String = b + "a"
            => private let b = "c"; public let a: String = b + "a"
        major  a constant made of a private one in a string: enum B { static let b = "b" }; public let a: String = "a\(B.b)"
            => enum B { static let b = "c" }; public let a: String = "a\(B.b)"
        major  a constant made of a private one made of another: private let c = "c"; private let b = c + "b"; public let a: String = b
            => private let c = "d"; private let b = c + "b"; public let a: String = b
        major  a constant in a type in a private type: private enum B { enum C { static let b = "b" } }; public let a: String = B.C.b
            => private enum B { enum C { static let b = "c" } }; public let a: String = B.C.b
        major  a computed constant in a private type: private enum B { static var b: String { "b" } }; public let a: String = B.b
            => private enum B { static var b: String { "c" } }; public let a: String = B.b
        major  a raw value of a private enum: private enum B: String { case b = "b" }; public let a: String = B.b.rawValue
            => private enum B: String { case b = "c" }; public let a: String = B.b.rawValue
        major  a getter made of a private constant: private enum B { static let b = "b" }; public enum A { public static var a: String { B.b } }
            => private enum B { static let b = "c" }; public enum A { public static var a: String { B.b } }
        patch  private constants that double each other: \#(doubling("b")); public let a: String = b63
            => \#(doubling("b")); public let a: String = b63
        major  a value at the end of constants that double each other: \#(doubling("b")); public let a: String = b63
            => \#(doubling("c")); public let a: String = b63
        patch  private constants that name each other: private let b = c; private let c = b; public let a: String = b
            => private let b = c; private let c = b; public let a: String = b
        patch  a getter made of code: public struct A { public var a: String { b() } } => public struct A { public var a: String { c() } }
        major  a constant that becomes code: public enum A { public static let a = "a" }
            => public enum A { public static var a: String { b() } }
        patch  a constant that becomes a getter: public enum A { public static let a = "a" }
            => public enum A { public static var a: String { "a" } }
        major  a member of a type that another branch hides: #if X; public struct A {}; #else; struct A {}; #endif; extension A { public func a() {} }
            => #if X; public struct A {}; #else; struct A {}; #endif
        patch  a private constant that no public one names: private let b = "b"; public let a: String = "b"
            => private let b = "c"; public let a: String = "b"
        patch  another name of a function's generic parameter: public func a<T: Sendable>(b: T) -> [T] where T: Equatable {}
            => public func a<Item: Sendable>(b: Item) -> [Item] where Item: Equatable {}
        major  other generic parameters of a function: public func a<T, U>(b: T, c: U) {} => public func a<T, U>(b: U, c: T) {}
        patch  another name of an operator's parameter: public struct A { public static func + (left: A, right: A) -> A { left } }
            => public struct A { public static func + (lhs: A, rhs: A) -> A { lhs } }
        minor  the first primary associated type: public protocol A { associatedtype B } => public protocol A<B> { associatedtype B }
        major  a second primary associated type: public protocol A<B> { associatedtype B; associatedtype C }
            => public protocol A<B, C> { associatedtype B; associatedtype C }
        major  a removed primary associated type: public protocol A<B> { associatedtype B } => public protocol A { associatedtype B }
        minor  a requirement that moves to an inherited protocol: public protocol A { func a(); func b() }
            => public protocol B { func a() }; public protocol A: B { func b() }
        major  an inherited protocol with another requirement: public protocol A { func a() }
            => public protocol B { func a(); func b() }; public protocol A: B {}
        minor  an inherited protocol with a default: public protocol A { func a() }
            => public protocol B { func a(); func b() }; extension B { public func b() {} }; public protocol A: B {}
        major  a protocol that no longer inherits another: public protocol B {}; public protocol A: B {}
            => public protocol B {}; public protocol A {}
        major  a case with another label: public enum A { case a(b: Int) } => public enum A { case a(c: Int) }
        minor  a new member: public struct A {} => public struct A { public var a: Int { 1 } }
        major  a removed member: public struct A { public let a: Int; public let b: Int } => public struct A { public let a: Int }
        patch  a member that moves to an extension: public struct A { public func a() {} }
            => public struct A {}; public extension A { func a() {} }
        major  an extension of another type: extension String { public var a: Int { 1 } } =>
        major  an extension with another constraint: extension Array where Element == Int { public var a: Int { 1 } }
            => extension Array where Element == Int8 { public var a: Int { 1 } }
        minor  a new initializer: public struct A {} => public struct A { public init() {} }
        major  a failable initializer: public struct A { public init(a: Int) {} } => public struct A { public init?(a: Int) {} }
        minor  a constant that becomes variable: public struct A { public let a: Int } => public struct A { public var a: Int }
        major  a variable that becomes constant: public struct A { public var a: Int } => public struct A { public let a: Int }
        major  a setter that becomes private: public struct A { public var a: Int }
            => public struct A { public private(set) var a: Int }
        patch  a stored property that becomes computed: public struct A { public let a: Int }
            => public struct A { public var a: Int { 1 } }
        patch  an observed property: public struct A { public var a: Int } => public struct A { public var a: Int { didSet {} } }
        minor  a subscript that gains a setter: public struct A { public subscript(a: Int) -> Int { 1 } }
            => public struct A { public subscript(a: Int) -> Int { get { 1 } set {} } }
        major  a subscript that gains a label: public struct A { public subscript(a: Int) -> Int { 1 } }
            => public struct A { public subscript(a a: Int) -> Int { 1 } }
        major  a member that becomes static: public struct A { public func a() {} }
            => public struct A { public static func a() {} }
        minor  a second overload: public func a(_ a: Int) {} => public func a(_ a: Int) {}; public func a(_ a: String) {}
        major  a removed overload: public func a(_ a: Int) {}; public func a(_ a: String) {} => public func a(_ a: Int) {}
        minor  a result that may be discarded: public func a() -> Int { 1 } => @discardableResult public func a() -> Int { 1 }
        major  a result that may not be discarded: @discardableResult public func a() -> Int { 1 } => public func a() -> Int { 1 }
        patch  two constants in one line: public struct A { public let a, b: Int }
            => public struct A { public let a: Int; public let b: Int }
        major  a requirement without a default: public protocol A {} => public protocol A { func a() }
        minor  a requirement with a default: public protocol A {}
            => public protocol A { func a() }; extension A { public func a() {} }
        major  a requirement with an internal default: public protocol A {}
            => public protocol A { func a() }; extension A { func a() {} }
        major  a requirement with a default for another overload: public protocol A { func a(_ a: Int) }; extension A { public func a(_ a: Int) {} }
            => public protocol A { func a(_ a: Int); func a(_ a: String) }; extension A { public func a(_ a: Int) {} }
        major  a requirement with a constrained default: public protocol A {}
            => public protocol A { func a() }; extension A where Self: Sendable { public func a() {} }
        minor  a new default: public protocol A { func a() } => public protocol A { func a() }; extension A { public func a() {} }
        major  a removed default: public protocol A { func a() }; extension A { public func a() {} }
            => public protocol A { func a() }
        major  a requirement that becomes a member of the extension: public protocol A { func a() }; extension A { public func a() {} }
            => public protocol A {}; extension A { public func a() {} }
        major  a removed requirement: public protocol A { func a() } => public protocol A {}
        major  a requirement that gains a setter: public protocol A { var a: Int { get } }
            => public protocol A { var a: Int { get set } }
        major  an associated type without a default: public protocol A {} => public protocol A { associatedtype B }
        minor  an associated type with a default: public protocol A {} => public protocol A { associatedtype B = Int }
        major  a constrained associated type: public protocol A { associatedtype B }
            => public protocol A { associatedtype B: Sendable }
        minor  a new protocol with requirements: => public protocol A { func a() }
        minor  a new member of a protocol's extension: public protocol A {}
            => public protocol A {}; extension A { public func a() {} }
        major  another parameter label: public func a(b: Int) {} => public func a(c: Int) {}
        patch  another name inside the function: public func a(b c: Int) {} => public func a(b d: Int) {}
        major  another parameter type: public func a(b: Int) {} => public func a(b: Int8) {}
        major  another result: public func a() -> Int { 1 } => public func a() -> Int? { 1 }
        major  a new parameter: public func a() {} => public func a(b: Int) {}
        minor  a new parameter with a default: public func a() {} => public func a(b: Int = 1) {}
        minor  a new parameter with a default between others: public func a(b: Int, c: Int = 1) {}
            => public func a(b: Int, d: Bool = true, c: Int = 1) {}
        major  a new parameter with a default and another default: public func a(c: Int = 1) {}
            => public func a(d: Bool = true, c: Int = 2) {}
        major  a new parameter with a default, and another result: public func a() {} => public func a(b: Int = 1) -> Int {}
        major  a new parameter of an open method: open class A { open func a() {} } => open class A { open func a(b: Int = 1) {} }
        major  a new parameter of a default implementation: public protocol A { func a() }; extension A { public func a() {} }
            => public protocol A { func a() }; extension A { public func a(b: Int = 1) {} }
        patch  the word any: public protocol P {}; public func a(b: P) {} => public protocol P {}; public func a(b: any P) {}
        patch  Void and (): public func a() -> Void {} => public func a() {}
        patch  the name of the Api's own module: public struct A {}; public func a(b: A) {}
            => public struct A {}; public func a(b: Module.A) {}
        major  an alias of the same type: public typealias A = Int; public func a(b: A) {}
            => public typealias A = Int; public func a(b: Int) {}
        major  async: public protocol A { func a() } => public protocol A { func a() async }
        major  throws: public protocol A { func a() } => public protocol A { func a() throws }
        major  throws with a type: public struct E: Error {}; public protocol A { func a() throws }
            => public struct E: Error {}; public protocol A { func a() throws(E) }
        major  a getter that throws: public protocol A { var a: Int { get } } => public protocol A { var a: Int { get throws } }
        major  a @Sendable closure: public func a(b: () -> Void) {} => public func a(b: @Sendable () -> Void) {}
        major  an escaping closure: public func a(b: () -> Void) {} => public func a(b: @escaping () -> Void) {}
        major  an inout parameter: public func a(b: Int) {} => public func a(b: inout Int) {}
        major  isolation of a function: public func a() {} => @MainActor public func a() {}
        major  isolation of a requirement: public protocol A { func a() } => public protocol A { @MainActor func a() }
        major  no isolation: @MainActor public struct A {} => public struct A {}
        major  a nonisolated member: @MainActor public struct A { public func a() {} }
            => @MainActor public struct A { public nonisolated func a() {} }
        major  another value of a constant: public enum A { public static let a = "a" }
            => public enum A { public static let a = "b" }
        major  another value of a computed constant: public enum A { public static var a: String { "a" } }
            => public enum A { public static var a: String { "b" } }
        major  another value in an extension: extension String { public static let a = Self("a") }
            => extension String { public static let a = Self("b") }
        patch  an explicit type: public let a = "a" => public let a: String = // a;   "a"
        major  another raw value: public enum A: String { case a = "a" } => public enum A: String { case a = "b" }
        patch  an implicit raw value of a String enum: public enum A: String { case a } => public enum A: String { case a = "a" }
        patch  implicit raw values of an Int enum: public enum A: Int { case a = 1, b }
            => public enum A: Int { case b = 2, a = 1 }
        major  a raw value behind an alias: public typealias A = String; public enum B: A { case a }
            => public typealias A = String; public enum B: A { case a = "b" }
        patch  an implicit raw value behind aliases: public enum A { typealias B = C; public enum D: B { case a } }; typealias C = String
            => public enum A { typealias B = C; public enum D: B { case a = "a" } }; typealias C = String
        major  the order of the cases of an enum of numbers behind an alias: public enum A: TimeInterval { case a, b }
            => public enum A: TimeInterval { case b, a }
        patch  the order of the cases of an enum without raw values: public enum A: PrintName { case a, b }; public protocol PrintName {}
            => public enum A: PrintName { case b, a }; public protocol PrintName {}
        major  the order of an Int enum's cases: public enum A: Int { case a, b } => public enum A: Int { case b, a }
        minor  a new default argument: public func a(b: Int) {} => public func a(b: Int = 1) {}
        major  a removed default argument: public func a(b: Int = 1) {} => public func a(b: Int) {}
        major  a changed default argument: public func a(b: Int = 1) {} => public func a(b: Int = 2) {}
        major  a hidden constant as a default argument: @usableFromInline let c = 1; public func a(b: Int = c) {}
            => @usableFromInline let c = 2; public func a(b: Int = c) {}
        major  a hidden function in a default argument: @usableFromInline func c() -> Int { 1 }; public func a(b: Int = c()) {}
            => @usableFromInline func c() -> Int { 2 }; public func a(b: Int = c()) {}
        major  a hidden function in a constant: public let a: String = c("b"); func c(_ d: String) -> String { d + "1" }
            => public let a: String = c("b"); func c(_ d: String) -> String { d + "2" }
        major  a hidden getter in a constant: public enum A { public static let a: Int = C.c }; enum C { static var c: Int { get { 1 } } }
            => public enum A { public static let a: Int = C.c }; enum C { static var c: Int { get { 2 } } }
        patch  a hidden function of several statements in a constant: public let a: Int = c(); func c() -> Int { let d = 1; return d }
            => public let a: Int = c(); func c() -> Int { let d = 2; return d }
        major  the order of a hidden enum's cases in a constant: public let a: Int = C.d.rawValue; enum C: Int { case c, d }
            => public let a: Int = C.d.rawValue; enum C: Int { case d, c }
        patch  a case of a hidden enum after that of a constant: public let a: Int = C.c.rawValue; enum C: Int { case c }
            => public let a: Int = C.c.rawValue; enum C: Int { case c, d }
        major  a default for later platforms only: public protocol A {}
            => public protocol A { func a() }; extension A { @available(macOS 26, *) public func a() {} }
        minor  a requirement and its default for later platforms: public protocol A {}
            => public protocol A { @available(macOS 26, *) func a() }; extension A { @available(macOS 15, *) public func a() {} }
        patch  a hidden protocol in place of another: protocol B: Sendable {}; public struct A: B {}
            => protocol C: Sendable {}; public struct A: C {}
        patch  a function's body: public func a(b: Int = 1) { let b = 1; print(b) }
            => public func a(b: Int = 1) { let b = 2; print(b) }
        major  a requirement under #if: public protocol A {} => public protocol A {; #if os(iOS); func a(); #endif; }
        minor  a requirement and its default under #if: public protocol A {}
            => #if os(iOS); public protocol A { func a() }; extension A { public func a() {} }; #else; public protocol A {}; #endif
        major  a requirement with a default under another #if: public protocol A {}
            => public protocol A { func a() }; #if os(iOS); extension A { public func a() {} }; #endif
        major  a member that moves under #if: public struct A { public func a() {} }
            => public struct A {; #if !os(iOS); public func a() {}; #endif; }
        minor  a member that moves out of #if: public struct A {; #if os(iOS); public func a() {}; #endif; }
            => public struct A { public func a() {} }
        patch  a member in every branch: public func a() {} => #if os(iOS); public func a() {}; #else; public func a() {}; #endif
        major  a member that changes in one branch: public func a() {}
            => #if os(iOS); public func a(b: Int) {}; #else; public func a() {}; #endif
        minor  a wider condition: #if os(iOS); public func a() {}; #endif => #if os(iOS) || os(macOS); public func a() {}; #endif
        major  a narrower condition: #if os(iOS) || os(macOS); public func a() {}; #endif
            => #if os(iOS); public func a() {}; #endif
        major  a value in one branch: #if os(Linux); public let a = 1; #else; public let a = 2; #endif
            => #if os(Linux); public let a = 1; #else; public let a = 3; #endif
        major  a type with members that moves under #if: public struct A { public func a() {} }
            => #if DEBUG; public struct A { public func a() {} }; #endif
        minor  a deprecation: public func a() {} => @available(*, deprecated, message: "b") public func a() {}
        patch  another message: @available(*, deprecated, message: "b") public func a() {}
            => @available(*, deprecated, message: "c") public func a() {}
        major  a later platform version: public func a() {} => @available(macOS 26, *) public func a() {}
        major  a raised platform version: @available(macOS 9.3, *) public func a() {}
            => @available(macOS 10.1, *) public func a() {}
        minor  an earlier platform version: @available(macOS, introduced: 26) public func a() {}
            => @available(macOS 15, *) public func a() {}
        major  an unavailable function: public func a() {} => @available(*, unavailable) public func a() {}
        major  a function that async code may not call: public func a() {} => @available(*, noasync) public func a() {}
        major  an obsoleted function: public func a() {} => @available(macOS, obsoleted: 20) public func a() {}
        major  availability of an extension: public struct A {}; extension A { public func a() {} }
            => public struct A {}; @available(macOS 26, *) extension A { public func a() {} }
        major  an open class that becomes public: open class A {} => public class A {}
        minor  a public class that becomes open: public class A {} => open class A {}
        major  an open method that becomes public: open class A { open func a() {} } => open class A { public func a() {} }
        patch  a class method that becomes static: public class A { public class func a() {} }
            => public class A { public static func a() {} }
        major  an initializer that is no longer required: open class A { public required init() {} }
            => open class A { public init() {} }
        major  an initializer of an open class that becomes required: open class A { public init() {} }
            => open class A { public required init() {} }
        major  a new required initializer: open class A { public init() {} }
            => open class A { public init() {}; public required init(a: Int) {} }
        major  a new designated initializer of an open class: open class A { public init() {} }
            => open class A { public init() {}; public init(a: Int) {} }
        minor  a new convenience initializer of an open class: open class A { public init() {} }
            => open class A { public init() {}; public convenience init(a: Int) { self.init() } }
        major  a designated initializer that becomes convenience: open class A { public init() {}; public init(a: Int) {} }
            => open class A { public init() {}; public convenience init(a: Int) { self.init() } }
        major  a removed superclass: open class A {}; open class B: A {} => open class A {}; open class B {}
        major  a dynamic method: public class A { public dynamic func a() {} } => public class A { public func a() {} }
        major  a lazy property of a struct: public struct A { public var a = 1 } => public struct A { public lazy var a = 1 }
        major  a weak property: public class A { public var a: A? } => public class A { public weak var a: A? }
        patch  an indirect enum: public enum A { case a(Int) } => public indirect enum A { case a(Int) }
        major  a noncopyable type: public struct A {} => public struct A: ~Copyable {}
        major  a removed operator: infix operator +++ =>
        major  another precedence: infix operator +++: AdditionPrecedence => infix operator +++: MultiplicationPrecedence
        major  a removed precedence group: precedencegroup A { associativity: left } =>
        major  another associativity: precedencegroup A { associativity: left } => precedencegroup A { associativity: right }
        major  a removed exported import: @_exported import Foundation =>
        patch  a package declaration: package struct A { package func a() {} } =>
        major  a declaration that becomes package: public func a() {} => package func a() {}
        major  a package setter: public struct A { public var a: Int } => public struct A { public package(set) var a: Int }
        patch  an SPI declaration: @_spi(B) public struct A { public func a() {} } =>
        patch  an SPI extension: public struct A {}; @_spi(B) extension A { public func a() {} } => public struct A {}
        major  a declaration that becomes SPI: public func a() {} => @_spi(B) public func a() {}
        minor  an SPI declaration that becomes public: @_spi(B) public func a() {} => public func a() {}
        minor  a renamed type with an alias: public struct A { public func a(b: A) -> [A] { [b] } }
            => public struct B { public func a(b: B) -> [B] { [b] } }; public typealias A = B
        minor  a renamed protocol with an alias: public protocol A { func a() }; public func b(_ a: any A) {}
            => public protocol B { func a() }; public func b(_ a: any B) {}; @available(*, deprecated, renamed: "B") public typealias A = B
        minor  a renamed protocol that another one inherits: public protocol A {}; public protocol C: A {}
            => public protocol B {}; public protocol C: B {}; public typealias A = B
        minor  a renamed generic type with an alias: public struct A<T> { public let a: T }
            => public struct B<T> { public let a: T }; public typealias A<T> = B<T>
        minor  a renamed type with conformances: public struct A: Hashable {}; extension A: Codable {}
            => public struct B: Hashable {}; extension B: Codable {}; public typealias A = B
        major  an alias of a type that lacks a member: public struct A { public func a() {} }
            => public struct B {}; public typealias A = B
        major  an alias of another kind of type: public struct A {} => public enum B {}; public typealias A = B
        major  an alias under #if: public struct A {} => public struct B {}; #if os(iOS); public typealias A = B; #endif
        minor  a renamed function with a deprecated one: public func a() {}
            => public func b() {}; @available(*, deprecated, renamed: "b") public func a() {}
        minor  a type that becomes frozen: public struct A {} => @frozen public struct A {}
        major  a type that is no longer frozen: @frozen public struct A {} => public struct A {}
        major  another name for Objective-C: @objc(B) public final class A: NSObject {} => @objc(C) public final class A: NSObject {}
        minor  a new optional requirement: @objc public protocol A {} => @objc public protocol A { @objc optional func a() }
        major  an overload that is no longer preferred: public func a() {} => @_disfavoredOverload public func a() {}
        major  an overload that is preferred again: @_disfavoredOverload public func a() {} => public func a() {}
        patch  a function that clients inline: public func a() {} => @inlinable public func a() {}
        patch  a function that clients no longer inline: @inlinable public func a() {} => public func a() {}
        minor  a new macro:  => @freestanding(expression) public macro a() = #externalMacro(module: "M", type: "B")
        patch  a macro with another body: @attached(peer) public macro a() = #externalMacro(module: "M", type: "B")
            => @attached(peer) public macro a() = #externalMacro(module: "M", type: "C")
        major  a macro with another role: @attached(peer) public macro a() = #externalMacro(module: "M", type: "B")
            => @attached(member) public macro a() = #externalMacro(module: "M", type: "B")
        major  another argument of a macro that declares things: #make("a") => #make("b")
        major  a requirement that is no longer optional: @objc public protocol A { @objc optional func a() }
            => @objc public protocol A { @objc func a() }
        major  a new hidden property of a Codable type: public struct A: Codable { private let a: Int }
            => public struct A: Codable { private let a: Int; private let b: Int }
        patch  a new hidden property that may be missing: public struct A: Codable { private let a: Int }
            => public struct A: Codable { private let a: Int; private let b: Int?; private var c: Optional<Int> }
        major  a removed hidden property of a Codable type: public struct A: Codable { private let a: Int } => public struct A: Codable {}
        patch  a removed hidden property that may be missing: public struct A: Codable { private let a: Int? } => public struct A: Codable {}
        major  the type of a hidden property: public struct A: Codable { private let a: Int } => public struct A: Codable { private let a: String }
        major  the wrapper of a hidden property: public struct A: Codable { @W private var a: Int } => public struct A: Codable { @V private var a: Int }
        patch  the first value of a hidden property: public struct A: Codable { private var a = 1 } => public struct A: Codable { private var a = 2 }
        patch  hidden properties that are not stored: public struct A: Codable { private var a: Int { 1 }; private static let b = 1 }
            => public struct A: Codable { private var c: Int { 1 }; private lazy var d = 1; private static let e = "" }
        patch  a hidden constant with a value, which is not decoded: public struct A: Codable { private let a = 1 } => public struct A: Codable { private let b = 2 }
        patch  a hidden property with an observer: public struct A: Codable { private var a: Int { didSet {} } } => public struct A: Codable { private var a: Int }
        patch  a hidden property of another type: public struct A: Hashable { private let a: Int } => public struct A: Hashable { private let b: Int }
        major  a new public property of a Codable type: public struct A: Codable { public let a: Int }
            => public struct A: Codable { public let a: Int; public let b: Int }
        minor  a new public property that may be missing: public struct A: Codable { public let a: Int }
            => public struct A: Codable { public let a: Int; public let b: Int? }
        minor  a new public property of a type that is only encoded: public struct A: Encodable { public let a: Int }
            => public struct A: Encodable { public let a: Int; public let b: Int }
        patch  a removed hidden property of a type that is only decoded: public struct A: Decodable { private let a: Int } => public struct A: Decodable {}
        patch  a public property that becomes hidden again: public struct A: Codable { private let a: Int } => public struct A: Codable { let a: Int }
        major  another coding key: public struct A: Codable { public let a: Int }
            => public struct A: Codable { public let a: Int; enum CodingKeys: String, CodingKey { case a = "b" } }
        patch  the same coding key in words: public struct A: Codable { public let a: Int }
            => public struct A: Codable { public let a: Int; private enum CodingKeys: CodingKey { case a } }
        patch  a hidden property without a coding key: public struct A: Codable { private var a = 1; enum CodingKeys: String, CodingKey { case b }; private let b: Int }
            => public struct A: Codable { private var c = 1; enum CodingKeys: String, CodingKey { case b }; private let b: Int }
        major  the key of a case: public enum A: Codable { case a; enum CodingKeys: String, CodingKey { case a } }
            => public enum A: Codable { case a; enum CodingKeys: String, CodingKey { case a = "b" } }
        patch  properties of a type that encodes itself: public struct A: Codable { private let a: Int; public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {} }
            => public struct A: Codable { private let d: Int; public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {} }
        major  a key of a type that encodes itself: public struct A: Codable { public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {}; enum CodingKeys: String, CodingKey { case a } }
            => public struct A: Codable { public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {}; enum CodingKeys: String, CodingKey { case a = "b" } }
        patch  a property without a key of a type that encodes itself: public struct A: Codable { private let a: Int; private let b: Int; public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {}; enum CodingKeys: String, CodingKey { case a } }
            => public struct A: Codable { private let a: String; public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {}; enum CodingKeys: String, CodingKey { case a } }
        major  the key of a property of a type that encodes itself: public struct A: Codable { private let a: Int; public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {}; enum CodingKeys: String, CodingKey { case a } }
            => public struct A: Codable { private let a: Int; public init(from b: any Decoder) {}; public func encode(to c: any Encoder) {}; enum CodingKeys: String, CodingKey { case a = "b" } }
        major  a property of a hidden type in a Codable type: struct B: Codable { let b: Int }; public struct A: Codable { private let a: [B] }
            => struct B: Codable { let b: String }; public struct A: Codable { private let a: [B] }
        major  a case of a hidden enum in a Codable type: public struct A: Codable { enum B: String, Codable { case a }; private let a: B }
            => public struct A: Codable { enum B: String, Codable { case b }; private let a: B }
        major  a hidden type beside another one: public struct A: Codable { struct B: Codable { let c: C }; struct C: Codable { let d: Int }; private let a: B }
            => public struct A: Codable { struct B: Codable { let c: C }; struct C: Codable { let e: Int }; private let a: B }
        major  a hidden type in another one: enum X { struct B: Codable { let b: Int } }; public struct A: Codable { private let a: X.B }
            => enum X { struct B: Codable { let c: Int } }; public struct A: Codable { private let a: X.B }
        major  the payload of a hidden case: enum B: Codable { case b(Int) }; public struct A: Codable { private let a: B }
            => enum B: Codable { case b(String) }; public struct A: Codable { private let a: B }
        major  a type in the payload of a hidden case: struct C: Codable { let c: Int }; enum B: Codable { case b(C) }; public struct A: Codable { private let a: B }
            => struct C: Codable { let d: Int }; enum B: Codable { case b(C) }; public struct A: Codable { private let a: B }
        major  what a hidden alias stands for: typealias B = Int; public struct A: Codable { private let a: B }
            => typealias B = String; public struct A: Codable { private let a: B }
        major  a property of a type that an extension makes Codable: public struct A { private let a: Int }; extension A: Codable {}
            => public struct A { private let a: Int; private let b: Int }; extension A: Codable {}
        major  a property of a type that a protocol makes Codable: protocol B: Codable {}; public struct A: B { private let a: Int }
            => protocol B: Codable {}; public struct A: B { private let a: Int; private let b: Int }
        major  a property of a type that an alias makes Codable: public typealias B = Codable & Sendable; public struct A: B { private let a: Int }
            => public typealias B = Codable & Sendable; public struct A: B { private let a: Int; private let b: Int }
        minor  a Codable type that is renamed with an alias: public struct A: Codable { private let a: [A] }
            => public struct B: Codable { private let a: [B] }; public typealias A = B
        minor  a type that becomes Codable: public struct A { private let a: Int } => public struct A: Codable { private let a: Int; private let b: Int }
        """#

    /// 64 constants, each made of two times the one before it, and the first one of a text.
    private static func doubling(_ text: String) -> String {
        (["private let b0 = \"\(text)\""] + (1...63).map { "private let b\($0) = b\($0 - 1) + b\($0 - 1)" })
            .joined(separator: "; ")
    }

    static let rows = table.replacing("\n    =>", with: " =>").split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /(\w+)  (.+?): (.*?) ?=> ?(.*)/).map { match in
            Row(
                testDescription: String(match.2), old: String(match.3).replacing("; ", with: "\n"),
                new: String(match.4).replacing("; ", with: "\n"), step: String(match.1))
        }
    }

    @Test("A change to an Api requires the smallest version step that is safe for callers", arguments: rows)
    func steps(_ row: Row) throws {
        let changes = try ApiSurface(module: "Module", ["A.swift": Data(row.old.utf8)])
            .changes(to: ApiSurface(module: "Module", ["A.swift": Data(row.new.utf8)]))
        let step = changes.breaks.isEmpty ? changes.isChanged ? "minor" : "patch" : "major"
        #expect(step == row.step, "\(changes)")
    }

    @Test("A member under more conditions than can be compared is a breaking change")
    func conditions() throws {
        let many = "#if " + (3...13).map { "C\($0)" }.joined(separator: "&&") + "\npublic func a() {}\n#endif"
        try steps(
            Row(
                testDescription: "", old: "#if C1 && !C2\npublic func a() {}\n#endif\n" + many, new: many,
                step: "major"))
        #expect(Self.rows.count > 150)
    }
}
