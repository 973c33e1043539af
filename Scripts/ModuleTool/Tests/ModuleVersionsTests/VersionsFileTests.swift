import Foundation
import ModuleTree
import ModuleVersions
import Testing

/// A release table and a table of libraries, in the format of this repository's VERSIONS.md.
private let sample = """
    # Versions

    What this is.

    | Module | Api | IMP | Floor |
    |---|---|---|---|
    | PayType | 1.4.0 | 1.1.0 | >= 1.1.0 |
    | PayTypeCashless | PayType | 1.0.0 | >= 1.0.0 |
    | Ride | 2.0.0 | 2.0.0 | >= 2.0.0 |

    The libraries:

    | Library | Version |
    |---|---|
    | ApiCenter | 1.1.0 |
    | Mediator | 1.0.0 |

    """

/// An edit that damages the sample file, and the line and part of the message of the resulting problem.
struct Damage: Sendable {
    let what: String
    let line: Int
    let replace: String
    let with: String

    init(_ what: String, _ line: Int, _ replace: String, _ with: String) {
        (self.what, self.line, self.replace, self.with) = (what, line, replace, with)
    }

    func applied(to text: String) throws -> String {
        let damaged = text.replacing(replace, with: with, maxReplacements: 1)
        try #require(damaged != text)
        return damaged
    }

    func causes(_ problem: Diagnostic) -> Bool { problem.what.contains(what) && problem.place.line == line }
}

@Suite("The file VERSIONS.md")
struct VersionsFileTests {
    private static let first = SemanticVersion(1, 0, 0)

    @Test("The rows of both tables are parsed, and printing the file reproduces its text")
    func reads() throws {
        let file = VersionsFile(sample)
        #expect(file.rows.map(\.module) == ["PayType", "PayTypeCashless", "Ride"])
        let row = try #require(file.row(of: "PayType"))
        #expect(row.api == .own(SemanticVersion(1, 4, 0)))
        #expect((row.imp, row.floor, row.line) == (SemanticVersion(1, 1, 0), SemanticVersion(1, 1, 0), 7))
        #expect(file.row(of: "PayTypeCashless")?.api == .of("PayType"))
        #expect(file.libraries.map(\.name) == ["ApiCenter", "Mediator"])
        #expect(file.library("Mediator") == .init(name: "Mediator", version: Self.first, line: 16))
        #expect(file.problems + file.inconsistencies == [])
        #expect(file.text == sample)
    }

    @Test("Padded cells are read, and a table of libraries is optional")
    func forms() {
        let padded = sample.replacing("| Ride | 2.0.0 |", with: "| Ride            | 2.0.0   |")
        #expect(VersionsFile(padded).row(of: "Ride")?.api.version == SemanticVersion(2, 0, 0))
        let short = VersionsFile(sample.replacing("| ApiCenter | 1.1.0 |\n| Mediator | 1.0.0 |\n", with: ""))
        #expect(short.libraries == [] && short.problems == [])
    }

    @Test("A new row is inserted in alphabetical order", arguments: ["Aaa", "Quite", "Zebra"])
    func adds(module: String) throws {
        let file = VersionsFile(sample).with(
            .init(module: module, api: .own(Self.first), imp: Self.first, floor: Self.first))
        #expect(file.rows.map(\.module) == (["PayType", "PayTypeCashless", "Ride", module]).sorted())
        #expect(file.libraries.count == 2 && file.problems == [])
        #expect(file.without(module).text == sample)
    }

    @Test("A row can be added to an empty table, even at the end of the file")
    func firstRow() {
        for end in ["", "\n", "\n\nMore.\n"] {
            let empty = "| Module | Api | IMP | Floor |\n|---|---|---|---|" + end
            let file = VersionsFile(empty).with(
                .init(module: "Ride", api: .own(Self.first), imp: Self.first, floor: Self.first))
            #expect(file.rows.count == 1 && file.problems == [])
            #expect(file.without("Ride").text == empty)
        }
    }

    @Test("Raising the version of a pair or a library changes one line")
    func raises() throws {
        var row = try #require(VersionsFile(sample).row(of: "PayTypeCashless"))
        (row.imp, row.floor) = (SemanticVersion(1, 10, 0), SemanticVersion(1, 10, 0))
        let file = VersionsFile(sample).with(row).with(
            VersionsFile.Library(name: "Mediator", version: SemanticVersion(11, 0, 0)))
        #expect(
            file.text
                == sample.replacing(
                    "| PayType | 1.0.0 | >= 1.0.0 |", with: "| PayType | 1.10.0 | >= 1.10.0 |"
                )
                .replacing("| Mediator | 1.0.0 |", with: "| Mediator | 11.0.0 |"))
    }

    @Test(
        "A line that cannot be parsed is reported with its number",
        arguments: [
            Damage("does not have the cells Module, Api, IMP, Floor", 5, "| Api | IMP ", "| API | IMP "),
            Damage("does not have the", 6, "|---|---|---|---|", "| PayType |"),
            Damage("does not have the", 9, "| Ride | 2.0.0 |", "| Ride | 2.0.0 "),
            Damage("does not have the", 9, "| >= 2.0.0 |", "| >= 2.0.0 | extra |"),
            Damage("not a version", 9, "| 2.0.0 | 2.0.0", "| 2.0.0 | 2.0"),
            Damage("not a version", 9, "| Ride | 2.0.0", "| Ride | v2.0.0-01"),
            Damage("not a version", 9, ">= 2.0.0", ">= two"),
            Damage("without '>='", 9, ">= 2.0.0", "== 2.0.0"),
            Damage("without '>='", 9, ">= 2.0.0", "2.0.0"),
            Damage("already has a row", 9, "| Ride ", "| PayType "),
            Damage("below the row", 9, "| Ride ", "| Bike "),
            Damage("carriage return", 11, "The libraries:", "The libraries:\r"),
            Damage("conflict marker", 11, "The libraries:", "<<<<<<< HEAD"),
            Damage("the cells Library, Version", 15, "| 1.1.0 |\n", "| 1.1.0 | x |\n"),
            Damage("does not have the", 14, "|---|---|\n| A", "| A"),
            Damage("not a version", 15, "| 1.1.0 |\n", "| 1.1 |\n"),
            Damage("already has a row", 16, "| Mediator ", "| ApiCenter "),
            Damage("below the row", 16, "| Mediator ", "| Aaa "),
        ])
    func isUnreadable(after broken: Damage) throws {
        let problems = VersionsFile(try broken.applied(to: sample)).problems
        #expect(problems.contains(where: broken.causes), "\(problems)")
    }

    @Test("Windows line endings in VERSIONS.md are reported once for the whole file")
    func otherLineEnds() {
        let problems = VersionsFile(sample.replacing("\n", with: "\r\n")).problems
        #expect(problems.count == 1 && problems.first?.place.line == 1, "\(problems)")
    }

    @Test("A VERSIONS.md without a release table is malformed", arguments: ["", "\n", "# Versions\n"])
    func noTable(text: String) {
        #expect(VersionsFile(text).problems.map(\.what) == ["the table of versions is missing."])
    }

    @Test(
        "An inconsistent row is reported with the line of the problem",
        arguments: [
            Damage("but its IMP is", 9, ">= 2.0.0", ">= 1.9.0"),
            Damage("but its IMP is", 8, ">= 1.0.0", ">= 1.0.1"),
            Damage("below its IMP", 9, "| 2.0.0 | >= 2.0.0 |", "| 2.0.1 | >= 2.0.1 |"),
            Damage("no Api of its own", 8, "| PayType | 1.0.0", "| Nobody | 1.0.0"),
            Damage("already has a row", 16, "| Mediator | 1.0.0", "| Ride | 2.0.0"),
        ])
    func isInconsistent(after broken: Damage) throws {
        let file = VersionsFile(try broken.applied(to: sample))
        #expect(file.inconsistencies.map(broken.causes) == [true])
        let row = file.rows.first { $0.line == broken.line }
        #expect(row.map { file.inconsistencies(of: $0).count == 1 } ?? true)
    }
}
