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

    static let rows = [ApiSurfaceRows.ofDeclarations, ApiSurfaceRows.ofValues].flatMap { table in
        table.replacing("\n    =>", with: " =>").split(separator: "\n")
    }.compactMap { line in
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
