extension ApiSurfaceRows {
    /// Values, conditions, availability, classes, operators, access and stored properties.
    static let ofValues = #"""
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
}
