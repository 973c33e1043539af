import Foundation
import Testing

@testable import ModuleTree

@Suite("Values of an Api's constants")
struct ConstantValuesTests {
    private func changes(_ old: String, _ new: String) -> [String] {
        ConstantValues(["A.swift": Data(old.utf8)]).changes(to: ConstantValues(["A.swift": Data(new.utf8)]))
    }

    @Test(
        "A changed value of a public constant is reported",
        arguments: [
            ("public enum R { public static let main = \"OLD\" }", "R.main"),
            ("public struct R { public static let main: String = \"OLD\" }", "R.main"),
            (
                "extension Notification.Name { public static let main = Self(\"OLD\") }",
                "Notification.Name.main"
            ),
            ("public extension String { static let main = \"OLD\" }", "String.main"),
            ("public let main = [\"OLD\"]", "main"),
            ("public enum R { public static var main: String { \"OLD\" } }", "R.main"),
            ("public enum R: String { case main = \"OLD\" }", "R.main"),
            ("public enum R { public enum S: String, Sendable { case main = \"OLD\" } }", "R.S.main"),
        ])
    func seen(_ source: String, _ path: String) {
        let changes = changes(source, source.replacing("OLD", with: "NEW"))
        #expect(changes.count == 1)
        #expect(changes.first?.hasPrefix("Constant \(path) has changed its value from ") == true)
        #expect(self.changes(source, source) == [])
    }

    @Test(
        "Private, reformatted, added and removed constants are not reported as changed",
        arguments: [
            ("enum R { static let main = \"OLD\" }", "enum R { static let main = \"NEW\" }"),
            ("public enum R { static let main = 1 }", "public enum R { static let main = 2 }"),
            ("public enum R: String { case main }", "public enum R: String { case main = \"main\" }"),
            ("public enum R: Int { case a = 1, b }", "public enum R: Int { case b = 2, a = 1 }"),
            ("public let a = [1, 2]", "public let a: [Int] = [\n    1,  // one\n    2\n]"),
            ("public let a = 1", ""), ("", "public let a = 1"),
            ("public func f(a: Int = 1) { let b = 1 }", "public func f(a: Int = 1) { let b = 2 }"),
        ])
    func same(_ old: String, _ new: String) { #expect(changes(old, new) == []) }

    @Test("Reordering the cases of an Int enum changes the implicit raw values")
    func integers() {
        #expect(
            changes("public enum R: Int { case a = 1, b }", "public enum R: Int { case b, a = 1 }") == [
                "Constant R.b has changed its value from 2 to 0"
            ])
    }

    @Test("A constant's values in all branches of an #if are compared together")
    func conditions() {
        let source = "#if os(Linux)\npublic let a = 1\n#else\npublic let a = 2\n#endif"
        #expect(changes(source, source) == [])
        #expect(changes(source, source.replacing("= 2", with: "= 3")).count == 1)
    }
}
