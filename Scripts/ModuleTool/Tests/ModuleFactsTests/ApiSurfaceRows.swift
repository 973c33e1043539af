/// The rows of ``ApiSurfaceTests``: a step, a name, the old code and the new code. `; ` is a line break.
enum ApiSurfaceRows {
    /// Types, protocols, members, functions and effects.
    static let ofDeclarations = #"""
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
        """#

    /// 64 constants, each made of two times the one before it, and the first one of a text.
    private static func doubling(_ text: String) -> String {
        (["private let b0 = \"\(text)\""] + (1...63).map { "private let b\($0) = b\($0 - 1) + b\($0 - 1)" })
            .joined(separator: "; ")
    }
}
