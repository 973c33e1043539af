/// Changes of signatures, of values, of `#if` conditions and of availability.
extension ApiSurfaceTests {
    static let signatures = [
        Row("another parameter label", "public func a(b: Int) {}", "public func a(c: Int) {}", .major),
        Row(
            "another name inside the function", "public func a(b c: Int) {}", "public func a(b d: Int) {}",
            .patch),
        Row("another parameter type", "public func a(b: Int) {}", "public func a(b: Int8) {}", .major),
        Row("another result", "public func a() -> Int { 1 }", "public func a() -> Int? { 1 }", .major),
        Row("a new parameter", "public func a() {}", "public func a(b: Int) {}", .major),
        Row("a new parameter with a default", "public func a() {}", "public func a(b: Int = 1) {}", .major),
        Row(
            "the word any", "public protocol P {}\npublic func a(b: P) {}",
            "public protocol P {}\npublic func a(b: any P) {}", .patch),
        Row("Void and ()", "public func a() -> Void {}", "public func a() {}", .patch),
        Row(
            "the name of the Api's own module", "public struct A {}\npublic func a(b: A) {}",
            "public struct A {}\npublic func a(b: Module.A) {}", .patch),
        Row(
            "an alias of the same type", "public typealias A = Int\npublic func a(b: A) {}",
            "public typealias A = Int\npublic func a(b: Int) {}", .major,
            why: "the checker compares the spelling, because it compiles nothing"),
        Row(
            "async", "public protocol A { func a() }", "public protocol A { func a() async }", .major,
            why: noEffects),
        Row("no async", "public func a() async {}", "public func a() {}", .major, why: noEffects),
        Row("throws", "public protocol A { func a() }", "public protocol A { func a() throws }", .major),
        Row("no throws", "public func a() throws {}", "public func a() {}", .major, why: noEffects),
        Row(
            "throws with a type", "public struct E: Error {}\npublic protocol A { func a() throws }",
            "public struct E: Error {}\npublic protocol A { func a() throws(E) }", .major, why: noEffects),
        Row(
            "throws with another type",
            "public struct E: Error {}\npublic struct F: Error {}\npublic func a() throws(E) {}",
            "public struct E: Error {}\npublic struct F: Error {}\npublic func a() throws(F) {}", .major,
            why: noEffects),
        Row(
            "a getter that throws", "public protocol A { var a: Int { get } }",
            "public protocol A { var a: Int { get throws } }", .major, why: noEffects),
        Row(
            "a getter that is async", "public struct A { public var a: Int { 1 } }",
            "public struct A { public var a: Int { get async { 1 } } }", .major, why: noEffects),
        Row(
            "a @Sendable closure", "public func a(b: () -> Void) {}",
            "public func a(b: @Sendable () -> Void) {}", .major, why: noEffects),
        Row(
            "an escaping closure", "public func a(b: () -> Void) {}",
            "public func a(b: @escaping () -> Void) {}", .major, why: noEffects),
        Row("an inout parameter", "public func a(b: Int) {}", "public func a(b: inout Int) {}", .major),
        Row("a variadic parameter", "public func a(b: Int) {}", "public func a(b: Int...) {}", .major),
        Row("a new constraint", "public func a<T>(b: T) {}", "public func a<T: Sendable>(b: T) {}", .major),
        Row(
            "a removed constraint", "public func a<T: Sendable>(b: T) {}", "public func a<T>(b: T) {}", .major
        ),
        Row(
            "isolation of a function", "public func a() {}", "@MainActor public func a() {}", .major,
            why: noEffects),
        Row(
            "isolation of a requirement", "public protocol A { func a() }",
            "public protocol A { @MainActor func a() }", .major, why: noEffects),
        Row(
            "isolation of a type", "public protocol A {}", "@MainActor public protocol A {}", .major,
            why: noEffects),
        Row("no isolation", "@MainActor public struct A {}", "public struct A {}", .major),
        Row(
            "a nonisolated member", "@MainActor public struct A { public func a() {} }",
            "@MainActor public struct A { public nonisolated func a() {} }", .major),
    ]

    static let values = [
        Row(
            "another value of a constant", "public enum A { public static let a = \"a\" }",
            "public enum A { public static let a = \"b\" }", .major, why: noValues),
        Row(
            "another value of a computed constant", "public enum A { public static var a: String { \"a\" } }",
            "public enum A { public static var a: String { \"b\" } }", .major, why: noValues),
        Row(
            "another value at the top level", "public let a = [1, 2]", "public let a = [1, 3]", .major,
            why: noValues),
        Row(
            "another value in an extension", "extension String { public static let a = Self(\"a\") }",
            "extension String { public static let a = Self(\"b\") }", .major, why: noValues),
        Row(
            "an explicit type", "public let a = \"a\"", "public let a: String = // a\n  \"a\"",
            .patch),
        Row(
            "a constant that becomes computed", "public enum A { public static let a = 1 }",
            "public enum A { public static var a: Int { 1 } }", .patch),
        Row(
            "another raw value", "public enum A: String { case a = \"a\" }",
            "public enum A: String { case a = \"b\" }", .major, why: noValues),
        Row(
            "an implicit raw value of a String enum", "public enum A: String { case a }",
            "public enum A: String { case a = \"a\" }", .patch),
        Row(
            "implicit raw values of an Int enum", "public enum A: Int { case a = 1, b }",
            "public enum A: Int { case b = 2, a = 1 }", .patch),
        Row(
            "the order of an Int enum's cases", "public enum A: Int { case a, b }",
            "public enum A: Int { case b, a }", .major, why: noValues),
        Row("a new default argument", "public func a(b: Int) {}", "public func a(b: Int = 1) {}", .minor),
        Row("a removed default argument", "public func a(b: Int = 1) {}", "public func a(b: Int) {}", .major),
        Row(
            "a changed default argument", "public func a(b: Int = 1) {}", "public func a(b: Int = 2) {}",
            .major, why: noValues),
        Row(
            "a private value", "public enum A { static let a = 1 }", "public enum A { static let a = 2 }",
            .patch),
        Row(
            "a function's body", "public func a(b: Int = 1) { let b = 1; print(b) }",
            "public func a(b: Int = 1) { let b = 2; print(b) }", .patch),
    ]

    static let conditions = [
        Row(
            "a member under more conditions than can be compared",
            "#if C1 && !C2\npublic func a() {}\n#endif\n#if \((3...13).map { "C\($0)" }.joined(separator: "&&"))\npublic func a() {}\n#endif",
            "#if \((3...13).map { "C\($0)" }.joined(separator: "&&"))\npublic func a() {}\n#endif", .major,
            why: noBranches),
        Row(
            "a requirement under #if", "public protocol A {}",
            "public protocol A {\n#if os(iOS)\nfunc a()\n#endif\n}", .major, why: noBranches),
        Row(
            "a requirement and its default under #if", "public protocol A {}",
            "#if os(iOS)\npublic protocol A { func a() }\nextension A { public func a() {} }\n#else\npublic protocol A {}\n#endif",
            .minor, why: noBranches),
        Row(
            "a requirement with a default under another #if", "public protocol A {}",
            "public protocol A { func a() }\n#if os(iOS)\nextension A { public func a() {} }\n#endif", .major),
        Row(
            "a member under #if", "public struct A {}",
            "public struct A {\n#if os(iOS)\npublic func a() {}\n#endif\n}", .minor, why: noBranches),
        Row(
            "a member that moves under #if", "public struct A { public func a() {} }",
            "public struct A {\n#if !os(iOS)\npublic func a() {}\n#endif\n}", .major, why: noBranches),
        Row(
            "a member that moves out of #if", "public struct A {\n#if os(iOS)\npublic func a() {}\n#endif\n}",
            "public struct A { public func a() {} }", .minor),
        Row(
            "a member in every branch", "public func a() {}",
            "#if os(iOS)\npublic func a() {}\n#else\npublic func a() {}\n#endif", .patch),
        Row(
            "a member that changes in one branch", "public func a() {}",
            "#if os(iOS)\npublic func a(b: Int) {}\n#else\npublic func a() {}\n#endif", .major,
            why: noBranches),
        Row(
            "a wider condition", "#if os(iOS)\npublic func a() {}\n#endif",
            "#if os(iOS) || os(macOS)\npublic func a() {}\n#endif", .minor, why: noBranches),
        Row(
            "a narrower condition", "#if os(iOS) || os(macOS)\npublic func a() {}\n#endif",
            "#if os(iOS)\npublic func a() {}\n#endif", .major, why: noBranches),
        Row(
            "a value in one branch", "#if os(Linux)\npublic let a = 1\n#else\npublic let a = 2\n#endif",
            "#if os(Linux)\npublic let a = 1\n#else\npublic let a = 3\n#endif", .major, why: noValues),
        Row(
            "a type with members that moves under #if", "public struct A { public func a() {} }",
            "#if DEBUG\npublic struct A { public func a() {} }\n#endif", .major),
    ]

    static let availability = [
        Row(
            "a deprecation", "public func a() {}",
            "@available(*, deprecated, message: \"b\") public func a() {}", .minor),
        Row(
            "a withdrawn deprecation", "@available(*, deprecated) public func a() {}",
            "public func a() {}", .minor),
        Row(
            "another message", "@available(*, deprecated, message: \"b\") public func a() {}",
            "@available(*, deprecated, message: \"c\") public func a() {}", .patch),
        Row(
            "a later platform version", "public func a() {}", "@available(macOS 26, *) public func a() {}",
            .major, why: noAttributes),
        Row(
            "a raised platform version", "@available(macOS 9.3, *) public func a() {}",
            "@available(macOS 10.1, *) public func a() {}", .major, why: noAttributes),
        Row(
            "an earlier platform version", "@available(macOS, introduced: 26) public func a() {}",
            "@available(macOS 15, *) public func a() {}", .minor),
        Row(
            "an unavailable function", "public func a() {}", "@available(*, unavailable) public func a() {}",
            .major),
        Row(
            "a function that async code may not call", "public func a() {}",
            "@available(*, noasync) public func a() {}", .major, why: noAttributes),
        Row(
            "an obsoleted function", "public func a() {}",
            "@available(macOS, obsoleted: 20) public func a() {}", .major, why: noAttributes),
        Row(
            "availability of an extension", "public struct A {}\nextension A { public func a() {} }",
            "public struct A {}\n@available(macOS 26, *) extension A { public func a() {} }", .major,
            why: noAttributes),
    ]
}
