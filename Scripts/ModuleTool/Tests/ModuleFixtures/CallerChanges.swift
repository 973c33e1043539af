/// Changes of public declarations, each with the code of a caller that compiles with the old ones.
///
/// The deep tests compile every caller with the old and the new declarations, so the table states what the compiler says.
/// The other tests compare it with what the tool says.
package struct CallerChange: Sendable, CustomStringConvertible {
    package let description: String
    package let old: String
    package let new: String
    package let caller: String
    /// Whether the caller no longer compiles.
    package let isBreak: Bool

    /// The verdict, a name, the old code, the new code, and the caller's. `; ` is a line break.
    private static let table = #"""
        break removed function: public func a() {} => public func b() {} <= func c() { a() }
        fine  added function: public func a() {} => public func a() {}; public func b() {} <= func c() { a() }
        break function that becomes internal: public func a() {} => func a() {} <= func c() { a() }
        break other parameter type: public func a(_ b: Int) {} => public func a(_ b: String) {} <= func c(d: Int) { a(d) }
        break other label: public func a(b: Int) {} => public func a(d: Int) {} <= func c() { a(b: 1) }
        fine  other inner name: public func a(b d: Int) {} => public func a(b e: Int) {} <= func c() { a(b: 1) }
        break new parameter: public func a() {} => public func a(b: Int) {} <= func c() { a() }
        fine  new parameter with a default: public func a() {} => public func a(b: Int = 1) {} <= func c() { a() }
        fine  new parameter with a default before another: public func a(b: Int) {} => public func a(d: Bool = true, b: Int) {} <= func c() { a(b: 1) }
        break removed default argument: public func a(b: Int = 1) {} => public func a(b: Int) {} <= func c() { a() }
        fine  new default argument: public func a(b: Int) {} => public func a(b: Int = 1) {} <= func c() { a(b: 2) }
        break other result: public func a() -> Int { 1 } => public func a() -> String { "" } <= let c: Int = a()
        break optional result: public func a() -> Int { 1 } => public func a() -> Int? { 1 } <= let c: Int = a()
        break function that throws: public func a() {} => public func a() throws {} <= func c() { a() }
        break function that becomes async: public func a() {} => public func a() async {} <= func c() { a() }
        break isolated function: public func a() {} => @MainActor public func a() {} <= func c() { a() }
        break inout parameter: public func a(_ b: Int) {} => public func a(_ b: inout Int) {} <= func c() { a(1) }
        break closure that escapes: public func a(_ b: () -> Void) {} => public func a(_ b: @escaping () -> Void) {} <= func c(_ d: () -> Void) { a(d) }
        break closure that must be Sendable: public func a(_ b: @escaping () -> Void) {} => public func a(_ b: @escaping @Sendable () -> Void) {} <= func c(_ d: @escaping () -> Void) { a(d) }
        fine  other name of a generic parameter: public func a<T>(_ b: T) -> T { b } => public func a<Item>(_ b: Item) -> Item { b } <= let c: Int = a(1)
        break new constraint: public func a<T>(_ b: T) {} => public func a<T: Sendable>(_ b: T) {} <= class D {}; func c(_ d: D) { a(d) }
        fine  weaker parameter type in an overload: public func a(_ b: Int) {} => public func a(_ b: Int) {}; public func a(_ b: String) {} <= func c() { a(1) }
        fine  deprecated function: public func a() {} => @available(*, deprecated) public func a() {} <= func c() { a() }
        break unavailable function: public func a() {} => @available(*, unavailable) public func a() {} <= func c() { a() }
        break removed type: public struct A { public init() {} } => public struct B { public init() {} } <= func c() { _ = A() }
        fine  renamed type with an alias: public struct A { public init() {} } => public struct B { public init() {} }; public typealias A = B <= func c() { _ = A() }
        break removed initialiser: public struct A { public init() {} } => public struct A {} <= func c() { _ = A() }
        break failable initialiser: public struct A { public init() {} } => public struct A { public init?() {} } <= func c() { let d: A = A(); _ = d }
        break removed property: public struct A { public var b = 1; public init() {} } => public struct A { public init() {} } <= let c = A().b
        break other type of a property: public struct A { public let b: Int = 1; public init() {} } => public struct A { public let b: String = ""; public init() {} } <= let c: Int = A().b
        break other inferred type: public struct A { public var b = 1; public init() {} } => public struct A { public var b = ""; public init() {} } <= let c: Int = A().b
        break variable that becomes constant: public struct A { public var b = 1; public init() {} } => public struct A { public let b = 1; public init() {} } <= func c() { var a = A(); a.b = 2 }
        fine  constant that becomes variable: public struct A { public let b = 1; public init() {} } => public struct A { public var b = 1; public init() {} } <= let c: Int = A().b
        fine  stored property that becomes computed: public struct A { public let b: Int = 1; public init() {} } => public struct A { public var b: Int { 1 }; public init() {} } <= let c: Int = A().b
        break member that becomes static: public struct A { public init() {}; public func b() {} } => public struct A { public init() {}; public static func b() {} } <= func c() { A().b() }
        break removed conformance: public struct A: Equatable { public init() {} } => public struct A { public init() {} } <= let c = A() == A()
        fine  new conformance: public struct A: Equatable { public init() {} } => public struct A: Hashable { public init() {} } <= let c = A() == A()
        fine  conformance in an extension: public struct A: Equatable { public init() {} } => public struct A { public init() {} }; extension A: Equatable {} <= let c = A() == A()
        break new generic parameter of a type: public struct A<T> { public init() {} } => public struct A<T, U> { public init() {} } <= func c() { _ = A<Int>() }
        break other name of a type's parameter: public struct A<T> { public init() {} } => public struct A<U> { public init() {} } <= extension A { func c(_ d: T) {} }
        break class that is no longer open: open class A { public init() {} } => public class A { public init() {} } <= class C: A {}
        fine  class that becomes open: public class A { public init() {} } => open class A { public init() {} } <= func c() { _ = A() }
        break method that is no longer open: open class A { public init() {}; open func b() {} } => open class A { public init() {}; public func b() {} } <= class C: A { override func b() {} }
        break new parameter of an open method: open class A { public init() {}; open func b() {} } => open class A { public init() {}; open func b(d: Int = 1) {} } <= class C: A { override func b() {} }
        break new required initialiser: open class A { public init() {} } => open class A { public init() {}; public required init(b: Int) {} } <= class C: A { override init() { super.init() } }
        break new case: public enum A { case a } => public enum A { case a, b } <= func c(_ d: A) { switch d { case .a: break } }
        break removed case: public enum A { case a, b } => public enum A { case a } <= func c() { _ = A.b }
        break payload of a case: public enum A { case a } => public enum A { case a(Int) } <= func c() { let d: A = .a; _ = d }
        break other raw type: public enum A: String { case a } => public enum A: Int { case a } <= let c: String = A.a.rawValue
        break new requirement: public protocol A {} => public protocol A { func b() } <= struct C: A {}
        fine  new requirement with a default: public protocol A {} => public protocol A { func b() }; extension A { public func b() {} } <= struct C: A {}
        break removed requirement: public protocol A { func b() } => public protocol A {} <= func c(_ d: any A) { d.b() }
        break removed default: public protocol A { func b() }; extension A { public func b() {} } => public protocol A { func b() } <= struct C: A {}
        fine  witness that becomes a default: public protocol A { func b() }; public struct D: A { public init() {}; public func b() {} } => public protocol A { func b() }; extension A { public func b() {} }; public struct D: A { public init() {} } <= func c() { D().b() }
        fine  member that moves to an inherited protocol: public protocol A {}; public protocol B: A {}; public struct D: B { public init() {}; public var b: Int { 1 } } => public protocol A {}; extension A { public var b: Int { 1 } }; public protocol B: A {}; public struct D: B { public init() {} } <= let c: Int = D().b
        break member that moves to another protocol: public protocol A {}; public protocol B {}; public struct D: B { public init() {}; public func b() {} } => public protocol A {}; extension A { public func b() {} }; public protocol B {}; public struct D: B { public init() {} } <= func c() { D().b() }
        break member that moves to a protocol with a constraint: public protocol A {}; public struct D: A { public init() {}; public func b() {} } => public protocol A {}; extension A where Self: Hashable { public func b() {} }; public struct D: A { public init() {} } <= func c() { D().b() }
        break member that moves under a condition: public protocol A {}; public struct D<T> { public init() {}; public func b() {} } => public protocol A {}; extension A { public func b() {} }; public struct D<T> { public init() {} }; extension D: A where T: Hashable {} <= class E {}; func c() { D<E>().b() }
        break member that throws in its protocol: public protocol A {}; public struct D: A { public init() {}; public func b() {} } => public protocol A {}; extension A { public func b() throws {} }; public struct D: A { public init() {} } <= func c() { D().b() }
        break member that loses a default argument: public protocol A {}; public struct D: A { public init() {}; public func b(_ d: Int = 1) {} } => public protocol A {}; extension A { public func b(_ d: Int) {} }; public struct D: A { public init() {} } <= func c() { D().b() }
        break member with a setter that moves to a protocol: public protocol A {}; public final class D: A { public init() {}; public var b: Int { get { 1 } set {} } } => public protocol A {}; extension A { public var b: Int { get { 1 } set {} } }; public final class D: A { public init() {} } <= func c(_ d: D) { d.b = 2 }
        break member that moves to one of two protocols: public protocol A {}; public protocol C {}; extension C { public func b() {} }; public struct D: A, C { public init() {}; public func b() {} } => public protocol A {}; extension A { public func b() {} }; public protocol C {}; extension C { public func b() {} }; public struct D: A, C { public init() {} } <= func c() { D().b() }
        break member whose type stands elsewhere: public struct E { public init() {} }; public protocol A {}; public struct D: A { public struct E { public init() {}; public var f: Int { 1 } }; public init() {}; public func b() -> E { E() } } => public struct E { public init() {} }; public protocol A {}; extension A { public func b() -> E { E() } }; public struct D: A { public struct E { public init() {}; public var f: Int { 1 } }; public init() {} } <= let c = D().b().f
        break default with another parameter: public protocol A { func b() }; extension A { public func b() {} } => public protocol A { func b() }; extension A { public func b(d: Int = 1) {} } <= struct C: A {}
        break requirement that gains a setter: public protocol A { var b: Int { get } } => public protocol A { var b: Int { get set } } <= struct C: A { let b = 1 }
        break requirement that becomes async: public protocol A { func b() } => public protocol A { func b() async } <= func c(_ d: any A) { d.b() }
        break new associated type: public protocol A {} => public protocol A { associatedtype B } <= struct C: A {}
        fine  first primary associated type: public protocol A { associatedtype B } => public protocol A<B> { associatedtype B } <= struct C: A { typealias B = Int }
        break second primary associated type: public protocol A<B> { associatedtype B; associatedtype D } => public protocol A<B, D> { associatedtype B; associatedtype D } <= func c(_ d: any A<Int>) {}
        fine  requirement of an inherited protocol: public protocol A { func b(); func d() } => public protocol B { func b() }; public protocol A: B { func d() } <= struct C: A { func b() {}; func d() {} }; func c(_ e: any A) { e.b() }
        break inherited protocol with another requirement: public protocol A {} => public protocol B { func b() }; public protocol A: B {} <= struct C: A {}
        break protocol that no longer inherits: public protocol B {}; public protocol A: B {} => public protocol B {}; public protocol A {} <= func c(_ d: any A) -> any B { d }
        fine  parameters of an operator: public struct A { public init() {}; public static func + (left: A, right: A) -> A { left } } => public struct A { public init() {}; public static func + (lhs: A, rhs: A) -> A { lhs } } <= func c() { _ = A() + A() }
        break default that is async: public protocol A {} => public protocol A { func b() }; extension A { public func b() async {} } <= struct C: A {}
        break default that throws: public protocol A {} => public protocol A { func b() }; extension A { public func b() throws {} } <= struct C: A {}
        fine  default that does not throw: public protocol A {} => public protocol A { func b() async throws }; extension A { public func b() {} } <= struct C: A {}
        fine  default that throws one error: public protocol A {} => public struct E: Error {}; public protocol A { func b() throws }; extension A { public func b() throws(E) {} } <= struct C: A {}
        break default that throws any error: public protocol A {} => public struct E: Error {}; public protocol A { func b() throws(E) }; extension A { public func b() throws {} } <= struct C: A {}
        break default that is static: public protocol A {} => public protocol A { func b() }; extension A { public static func b() {} } <= struct C: A {}
        break default that mutates: public protocol A {} => public protocol A { func b() }; extension A { public mutating func b() {} } <= struct C: A {}
        break default without a setter: public protocol A {} => public protocol A { var b: Int { get set } }; extension A { public var b: Int { 1 } } <= struct C: A {}
        fine  default with a setter: public protocol A {} => public protocol A { var b: Int { get } }; extension A { public var b: Int { get { 1 } set {} } } <= struct C: A {}
        break default whose getter throws: public protocol A {} => public protocol A { var b: Int { get } }; extension A { public var b: Int { get throws { 1 } } } <= struct C: A {}
        break isolated default: public protocol A {} => public protocol A { func b() }; extension A { @MainActor public func b() {} } <= struct C: A {}
        break default with a constraint: public protocol A { func b<T>(_ d: T) } => public protocol A { func b<T>(_ d: T); func e<T>(_ d: T) }; extension A { public func e<T: Codable>(_ d: T) {} } <= struct C: A { func b<T>(_ d: T) {} }
        break default with a where clause: public protocol A {} => public protocol A { func e<T>(_ d: T) }; extension A { public func e<T>(_ d: T) where T: Equatable {} } <= struct C: A {}
        fine  default with the same constraint: public protocol A {} => public protocol A { func e<T: Codable>(_ d: T) }; extension A { public func e<T>(_ d: T) where T: Decodable & Encodable {} } <= struct C: A {}
        fine  default with a weaker constraint: public protocol A {} => public protocol A { func e<T: Hashable>(_ d: T) }; extension A { public func e<T: Equatable>(_ d: T) {} } <= struct C: A {}
        break default that may fail: public protocol A {} => public protocol A { init(b: Int) }; extension A { public init?(b: Int) { return nil } } <= struct C: A {}
        fine  default that never fails: public protocol A { init() } => public protocol A { init(); init?(b: Int) }; extension A { public init(b: Int) { self.init() } } <= struct C: A {}
        break default that throws what its argument does not: public protocol A {} => public protocol A { func b(_ d: () throws -> Void) rethrows }; extension A { public func b(_ d: () throws -> Void) throws {} } <= struct C: A {}
        fine  default that rethrows: public protocol A {} => public protocol A { func b(_ d: () throws -> Void) throws }; extension A { public func b(_ d: () throws -> Void) rethrows {} } <= struct C: A {}
        break default whose getter mutates: public protocol A {} => public protocol A { var b: Int { get } }; extension A { public var b: Int { mutating get { 1 } } } <= struct C: A {}
        break default whose setter mutates: public protocol A {} => public protocol A { var b: Int { get nonmutating set } }; extension A { public var b: Int { get { 1 } set {} } } <= struct C: A {}
        break hidden protocol that no longer inherits: protocol P: Hashable {}; public struct A: P { public init() {} } => protocol P {}; public struct A: P { public init() {} } <= let c = A() == A()
        fine  hidden protocol between a type and a public one: public struct A: Hashable { public init() {} } => protocol P: Hashable {}; public struct A: P { public init() {} } <= let c = A() == A()
        break hidden protocol that becomes isolated: protocol P {}; public struct A: P { public func b() {} } => @MainActor protocol P {}; public struct A: P { public func b() {} } <= func c(_ d: A) { d.b() }
        break hidden alias of another protocol: typealias P = Hashable; public struct A: P { public init() {} } => typealias P = Sendable; public struct A: P { public init() {} } <= let c = A() == A()
        break extended hidden alias of another type: public struct A { public init() {} }; public struct B {}; typealias P = A; extension P { public func b() {} } => public struct A { public init() {} }; public struct B {}; typealias P = B; extension P { public func b() {} } <= func c() { A().b() }
        fine  extended hidden alias: public struct A { public init() {} }; extension A { public func b() {} } => public struct A { public init() {} }; typealias P = A; extension P { public func b() {} } <= func c() { A().b() }
        fine  default that wants a Sendable argument: public protocol A {} => public protocol A { func e<T>(_ d: T) }; extension A { public func e<T: Sendable>(_ d: T) {} } <= struct C: A {}
        break inferred type behind a hidden function: func p() -> Int { 1 }; public struct A { public var b = p(); public init() {} } => func p() -> Double { 1 as Double }; public struct A { public var b = p(); public init() {} } <= let c: Int = A().b
        break unavailable default: public protocol A {} => public protocol A { func b() }; extension A { @available(*, unavailable) public func b() {} } <= struct C: A {}
        break renamed type with an unavailable alias: public struct A { public init() {} } => public struct B { public init() {} }; @available(*, unavailable, renamed: "B") public typealias A = B <= func c() { _ = A() }
        break isolated conformance: public struct A: Equatable { public init() {} } => public struct A: @MainActor Equatable { public init() {} } <= nonisolated func c(_ d: A) -> Bool { d == d }
        break setter that begins to mutate: public struct A { public init() {}; public var b: Int { get { 1 } nonmutating set {} } } => public struct A { public init() {}; public var b: Int { get { 1 } set {} } } <= func c() { let a = A(); a.b = 2 }
        fine  setter that no longer mutates: public struct A { public init() {}; public var b: Int { get { 1 } set {} } } => public struct A { public init() {}; public var b: Int { get { 1 } nonmutating set {} } } <= func c() { var a = A(); a.b = 2 }
        break new conformance to an isolated protocol: @MainActor public protocol P {}; public struct A { public func b() {} } => @MainActor public protocol P {}; public struct A: P { public func b() {} } <= func c(_ d: A) { d.b() }
        break conformance to a protocol that inherits an isolated one: @MainActor public protocol P {}; public protocol Q: P {}; public struct A { public func b() {} } => @MainActor public protocol P {}; public protocol Q: P {}; public struct A: Q { public func b() {} } <= func c(_ d: A) { d.b() }
        fine  conformance to an isolated protocol in an extension: @MainActor public protocol P {}; public struct A { public func b() {} } => @MainActor public protocol P {}; public struct A { public func b() {} }; extension A: P {} <= func c(_ d: A) { d.b() }
        break isolated superclass: @MainActor open class P {}; public class A { public func b() {} } => @MainActor open class P {}; public class A: P { public func b() {} } <= func c(_ d: A) { d.b() }
        break payload in an enum that was Hashable: @nonexhaustive public enum A { case a } => @nonexhaustive public enum A { case a; case b(Int) } <= func c(_ d: A) -> Bool { d == d }
        break alias of another type: public typealias A = Int => public typealias A = String <= let c: A = 1
        """#

    package static let rows = table.split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /(break|fine ) (.+?): (.+?) => (.+?) <= (.+)/).map { match in
            let parts = [match.3, match.4, match.5].map { String($0).replacing("; ", with: "\n") }
            return CallerChange(
                description: String(match.2), old: parts[0], new: parts[1], caller: parts[2],
                isBreak: match.1 == "break")
        }
    }
}
