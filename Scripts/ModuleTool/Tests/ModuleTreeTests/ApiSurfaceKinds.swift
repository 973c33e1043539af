/// Changes of declarations that few Apis have: classes to inherit from, macros, operators and attributes.
extension ApiSurfaceTests {
    private static let noInheritance =
        "the digester does not compare this modifier, but some subclass or caller no longer compiles or works"
    private static let noMacros =
        "the digester does not compare macros; cargo-semver-checks has declarative_macro_missing and its siblings"
    private static let noPrecedence =
        "the digester does not compare precedence, but expressions of callers no longer compile or change"
    private static let noSPI = "the digester counts SPI, but only clients that ask for it with @_spi see it"

    static let inheritance = [
        Row("an open class that becomes public", "open class A {}", "public class A {}", .major),
        Row("an open class that becomes final", "open class A {}", "public final class A {}", .major),
        Row("a public class that becomes open", "public class A {}", "open class A {}", .minor),
        Row("a public class that becomes final", "public class A {}", "public final class A {}", .patch),
        Row(
            "an open method that becomes public", "open class A { open func a() {} }",
            "open class A { public func a() {} }", .major),
        Row(
            "an open method that becomes final", "open class A { open func a() {} }",
            "open class A { public final func a() {} }", .major),
        Row(
            "a public method that becomes final", "open class A { public func a() {} }",
            "open class A { public final func a() {} }", .patch),
        Row(
            "an open property that becomes public", "open class A { open var a: Int { 1 } }",
            "open class A { public var a: Int { 1 } }", .major),
        Row(
            "an open subscript that becomes public", "open class A { open subscript(a: Int) -> Int { 1 } }",
            "open class A { public subscript(a: Int) -> Int { 1 } }", .major),
        Row(
            "an open class method that becomes static", "open class A { open class func a() {} }",
            "open class A { public static func a() {} }", .major),
        Row(
            "a class method that becomes static", "public class A { public class func a() {} }",
            "public class A { public static func a() {} }", .patch),
        Row(
            "an initializer that is no longer required", "open class A { public required init() {} }",
            "open class A { public init() {} }", .major, why: noInheritance),
        Row(
            "an initializer of an open class that becomes required", "open class A { public init() {} }",
            "open class A { public required init() {} }", .major, why: noInheritance),
        Row(
            "an initializer of a public class that becomes required", "public class A { public init() {} }",
            "public class A { public required init() {} }", .minor),
        Row(
            "a new required initializer", "open class A { public init() {} }",
            "open class A { public init() {}\npublic required init(a: Int) {} }", .major),
        Row(
            "a new designated initializer of an open class", "open class A { public init() {} }",
            "open class A { public init() {}\npublic init(a: Int) {} }", .major),
        Row(
            "a new convenience initializer of an open class", "open class A { public init() {} }",
            "open class A { public init() {}\npublic convenience init(a: Int) { self.init() } }", .minor),
        Row(
            "a designated initializer that becomes convenience",
            "open class A { public init() {}\npublic init(a: Int) {} }",
            "open class A { public init() {}\npublic convenience init(a: Int) { self.init() } }", .major,
            why: noInheritance),
        Row(
            "a convenience initializer of a public class",
            "public class A { public init() {}\npublic init(a: Int) {} }",
            "public class A { public init() {}\npublic convenience init(a: Int) { self.init() } }", .patch),
        Row(
            "a removed superclass", "open class A {}\nopen class B: A {}", "open class A {}\nopen class B {}",
            .major),
        Row(
            "a member that overrides the superclass's",
            "open class A { open func a() {} }\nopen class B: A {}",
            "open class A { open func a() {} }\nopen class B: A { open override func a() {} }", .minor),
        Row(
            "a dynamic method", "public class A { public dynamic func a() {} }",
            "public class A { public func a() {} }", .major, why: noInheritance),
        Row(
            "a lazy property of a struct", "public struct A { public var a = 1 }",
            "public struct A { public lazy var a = 1 }", .major, why: noInheritance),
        Row(
            "a lazy property of a class", "public final class A { public var a = 1 }",
            "public final class A { public lazy var a = 1 }", .patch),
        Row(
            "a weak property", "public class A { public var a: A? }",
            "public class A { public weak var a: A? }", .major),
        Row(
            "an unowned property", "public class A { public let a: A }",
            "public class A { public unowned let a: A }", .major),
        Row(
            "an indirect enum", "public enum A { case a(Int) }", "public indirect enum A { case a(Int) }",
            .patch),
        Row(
            "an indirect case", "public enum A { case a(Int) }", "public enum A { indirect case a(Int) }",
            .patch),
        Row(
            "a nonmutating setter",
            "public struct A { public var a: Int { get { 1 } nonmutating set {} } }",
            "public struct A { public var a: Int { get { 1 } set {} } }", .major,
            why: "the digester does not compare how a setter is called"),
        Row(
            "a noncopyable type", "public struct A {}", "public struct A: ~Copyable {}", .major),
        Row("a type that becomes copyable", "public struct A: ~Copyable {}", "public struct A {}", .minor),
        Row(
            "a deinitializer", "public final class A { public init() {} }",
            "public final class A { public init() {}\ndeinit { print(1) } }", .patch),
        Row("a distributed actor", "public actor A {}", "public distributed actor A {}", .major),
        Row(
            "a borrowed parameter", "public func a(b: Int) {}", "public func a(b: borrowing Int) {}", .major),
        Row(
            "a parameter that is sent", "public final class A {}\npublic func a(b: A) {}",
            "public final class A {}\npublic func a(b: sending A) {}", .major),
    ]

    static let syntax = [
        Row("a new macro", "", macro("a()", "A"), .minor),
        Row("a removed macro", macro("a()", "A"), "", .major, why: noMacros),
        Row("another implementation of a macro", macro("a()", "A"), macro("a()", "B"), .patch),
        Row(
            "another parameter of a macro", macro("a()", "A"), macro("a(b: Int)", "A"), .major, why: noMacros),
        Row(
            "another role of a macro", "@attached(peer) " + macro("a()", "A"),
            "@attached(member) " + macro("a()", "A"), .major, why: noMacros),
        Row(
            "an internal macro", "macro a() = #externalMacro(module: \"M\", type: \"A\")", "", .patch),
        Row("a new operator", "", "infix operator +++", .minor),
        Row("a removed operator", "infix operator +++", "", .major),
        Row("another fixity", "prefix operator +++", "postfix operator +++", .major),
        Row(
            "another precedence", "infix operator +++: AdditionPrecedence",
            "infix operator +++: MultiplicationPrecedence", .major, why: noPrecedence),
        Row(
            "an operator function that becomes internal",
            "public struct A { public static prefix func - (a: A) -> A { a } }",
            "public struct A { static prefix func - (a: A) -> A { a } }", .major),
        Row(
            "a removed precedence group", "precedencegroup A { associativity: left }", "", .major,
            why: noPrecedence),
        Row(
            "another associativity", "precedencegroup A { associativity: left }",
            "precedencegroup A { associativity: right }", .major, why: noPrecedence),
        Row(
            "the order in a precedence group", "precedencegroup A { associativity: left\nassignment: true }",
            "precedencegroup A { assignment: true\nassociativity: left }", .patch),
        Row("a new exported import", "", "@_exported import Foundation", .minor),
        Row(
            "a removed exported import", "@_exported import Foundation", "", .major,
            why: "the digester compares no imports, but callers lose the names in the module"),
        Row("a removed import", "public import Foundation", "", .patch),
        Row(
            "another argument of a macro that declares things", "#make(\"a\")", "#make(\"b\")", .major,
            why: "the digester sees the declarations; the checker expands no macro"),
    ]

    static let access = [
        Row("a package declaration", "package struct A { package func a() {} }", "", .patch),
        Row(
            "a declaration that becomes package", "public func a() {}", "package func a() {}", .major,
            why: "the digester treats package like public"),
        Row(
            "a package member", "public struct A { package func a() {} }", "public struct A {}", .patch),
        Row(
            "a package setter", "public struct A { public var a: Int }",
            "public struct A { public package(set) var a: Int }", .major),
        Row("an SPI declaration", "@_spi(B) public struct A { public func a() {} }", "", .patch, why: noSPI),
        Row(
            "a changed SPI member", "public struct A { @_spi(B) public func a() {} }",
            "public struct A { @_spi(B) public func a(b: Int) {} }", .patch, why: noSPI),
        Row(
            "an SPI extension", "public struct A {}\n@_spi(B) extension A { public func a() {} }",
            "public struct A {}", .patch, why: noSPI),
        Row("a declaration that becomes SPI", "public func a() {}", "@_spi(B) public func a() {}", .major),
        Row(
            "an SPI declaration that becomes public", "@_spi(B) public func a() {}", "public func a() {}",
            .minor),
        Row(
            "an internal function that clients inline", "@usableFromInline func a() {}", "", .patch),
    ]

    static let renames = [
        Row(
            "a renamed type with an alias", "public struct A { public func a(b: A) -> [A] { [b] } }",
            "public struct B { public func a(b: B) -> [B] { [b] } }\npublic typealias A = B", .minor),
        Row(
            "a renamed protocol with an alias",
            "public protocol A { func a() }\npublic func b(_ a: any A) {}",
            "public protocol B { func a() }\npublic func b(_ a: any B) {}\n"
                + "@available(*, deprecated, renamed: \"B\") public typealias A = B", .minor),
        Row(
            "a renamed generic type with an alias", "public struct A<T> { public let a: T }",
            "public struct B<T> { public let a: T }\npublic typealias A<T> = B<T>", .minor),
        Row(
            "a nested type with an alias", "public enum A { public enum B: String { case a = \"B\" } }",
            "public enum A { public enum C: String { case a = \"B\" }\npublic typealias B = C }", .minor),
        Row(
            "a renamed type with conformances", "public struct A: Hashable {}\nextension A: Codable {}",
            "public struct B: Hashable {}\nextension B: Codable {}\npublic typealias A = B", .minor),
        Row(
            "an alias of a type that lacks a member", "public struct A { public func a() {} }",
            "public struct B {}\npublic typealias A = B", .major),
        Row(
            "an alias of another kind of type", "public struct A {}",
            "public enum B {}\npublic typealias A = B", .major),
        Row("an alias of a type elsewhere", "public struct A {}", "public typealias A = Int", .major),
        Row(
            "an alias under #if", "public struct A {}",
            "public struct B {}\n#if os(iOS)\npublic typealias A = B\n#endif", .major),
        Row(
            "a renamed function with a deprecated one", "public func a() {}",
            "public func b() {}\n@available(*, deprecated, renamed: \"b\") public func a() {}", .minor),
    ]

    /// What the loss of an attribute and its gain mean.
    private static let attributeSteps: [(attribute: String, lost: Step, gained: Step, code: String)] = [
        (
            "@dynamicCallable", .major, .minor,
            "public struct A { public func dynamicallyCall(withArguments: [Int]) {} }"
        ),
        (
            "@dynamicMemberLookup", .major, .minor,
            "public struct A { public subscript(dynamicMember a: String) -> Int { 1 } }"
        ),
        ("@propertyWrapper", .major, .minor, "public struct A { public var wrappedValue: Int }"),
        ("@resultBuilder", .major, .minor, "public struct A { public static func buildBlock() {} }"),
        ("@globalActor", .major, .minor, "public actor A { public static let shared = A() }"),
        ("@frozen", .major, .minor, "public struct A {}"),
        ("@preconcurrency", .major, .minor, "public protocol A {}"),
        ("@objc", .major, .minor, "public final class A: NSObject {}"),
        ("@objc(B)", .major, .minor, "public final class A: NSObject {}"),
        ("@objcMembers", .major, .minor, "public final class A: NSObject {}"),
        ("@c", .major, .minor, "public func a() {}"),
        ("@_cdecl(\"a\")", .major, .minor, "public func a() {}"),
        ("@discardableResult", .major, .minor, "public func a() -> Int { 1 }"),
        ("@nonobjc", .major, .major, "public func a() {}"),
        ("@MainActor", .major, .major, "public func a() {}"),
        ("@concurrent", .major, .major, "public func a() async {}"),
        ("@unsafe", .major, .major, "public func a() {}"),
        ("@requires_stored_property_inits", .major, .major, "open class A {}"),
        ("@_disfavoredOverload", .major, .major, "public func a() {}"),
        ("@inlinable", .patch, .patch, "public func a() {}"),
        ("@inline(always)", .patch, .patch, "public func a() {}"),
        ("@usableFromInline", .patch, .patch, "public func a() {}"),
        ("@backDeployed(before: macOS 99)", .patch, .patch, "public func a() {}"),
        ("@_documentation(visibility: internal)", .patch, .patch, "public func a() {}"),
        ("@specialized(where T == Int)", .patch, .patch, "public func a<T>(b: T) {}"),
        ("@_originallyDefinedIn(module: \"B\", macOS 15)", .patch, .patch, "public struct A {}"),
        ("@main", .patch, .patch, "public struct A { public static func main() {} }"),
        ("@warn_unqualified_access", .patch, .patch, "public struct A { public func a() {} }"),
    ]

    static let attributes =
        attributeSteps.flatMap { attribute, lost, gained, code in
            [
                Row("\(attribute) is lost", attribute + " " + code, code, lost, why: noAttributes),
                Row("\(attribute) is gained", code, attribute + " " + code, gained, why: noAttributes),
            ]
        } + [
            Row(
                "another name for Objective-C", "@objc(B) public final class A: NSObject {}",
                "@objc(C) public final class A: NSObject {}", .major, why: noAttributes),
            Row(
                "a new optional requirement", "@objc public protocol A {}",
                "@objc public protocol A { @objc optional func a() }", .minor),
            Row(
                "a requirement that is no longer optional",
                "@objc public protocol A { @objc optional func a() }",
                "@objc public protocol A { @objc func a() }", .major),
        ]

    private static func macro(_ signature: String, _ type: String) -> String {
        "@freestanding(expression) public macro \(signature) = #externalMacro(module: \"M\", type: \"\(type)\")"
    }
}
