import Foundation
import ModuleKit
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

/// An edit that damages the sample file, and the line of the resulting problem and a part of its text.
struct Damage: Sendable {
    let part: String
    let line: Int
    let replace: String
    let with: String

    init(_ part: String, _ line: Int, _ replace: String, _ with: String) {
        (self.part, self.line, self.replace, self.with) = (part, line, replace, with)
    }

    func applied(to text: String) throws -> String {
        let damaged = text.replacing(replace, with: with, maxReplacements: 1)
        try #require(damaged != text)
        return damaged
    }

    func causes(_ problem: Diagnostic) -> Bool {
        problem.description.contains(part) && problem.place.line == line
    }
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
        #expect(file.problems == [])
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
        let row = VersionsFile.Row(module: module, api: .own(Self.first), imp: Self.first)
        #expect(row.line == 0 && VersionsFile.Library(name: module, version: Self.first).line == 0)
        let file = VersionsFile(sample).with(row)
        #expect(file.rows.map(\.module) == (["PayType", "PayTypeCashless", "Ride", module]).sorted())
        #expect(file.libraries.count == 2 && file.problems == [])
        #expect(file.without(module).text == sample)
    }

    @Test("A row can be added to an empty table, even at the end of the file")
    func firstRow() {
        for end in ["", "\n", "\n\nMore.\n"] {
            let empty = "| Module | Api | IMP | Floor |\n|---|---|---|---|" + end
            let file = VersionsFile(empty).with(
                .init(module: "Ride", api: .own(Self.first), imp: Self.first))
            #expect(file.rows.count == 1 && file.problems == [])
            #expect(file.without("Ride").text == empty)
        }
    }

    @Test("Raising the version of a pair or a library changes one line")
    func raises() throws {
        var row = try #require(VersionsFile(sample).row(of: "PayTypeCashless"))
        row.imp = SemanticVersion(1, 10, 0)
        let file = VersionsFile(sample).with(row).with(
            VersionsFile.Library(name: "Mediator", version: SemanticVersion(11, 0, 0)))
        #expect(
            file.text
                == sample.replacing(
                    "| PayType | 1.0.0 | >= 1.0.0 |", with: "| PayType | 1.10.0 | >= 1.10.0 |"
                )
                .replacing("| Mediator | 1.0.0 |", with: "| Mediator | 11.0.0 |"))
    }

    private static let ride = "| Ride | 2.0.0 | 2.0.0 | >= 2.0.0 |"

    @Test(
        "A wrong line is reported with its number and the row that is expected there",
        arguments: [
            Damage("| Module | Api | IMP | Floor |", 5, "| Api | IMP ", "| API | IMP "),
            Damage("|---|---|---|---|", 6, "|---|---|---|---|", "|-|"),
            Damage(ride, 9, "| >= 2.0.0 |", "| >= 2.0.0 | extra |"),
            Damage("| Ride | 2.0.0 | 1.0.0 | >= 1.0.0 |", 9, ride, "| Ride | 2.0.0 |"),
            Damage("| Ride | 1.0.0 | 1.0.0 | >= 1.0.0 |", 9, ride, "| Ride |"),
            Damage("Remove the line.", 9, ride, "| Ride"),
            Damage(ride, 9, "| 2.0.0 | 2.0.0", "| 2.0.0 | 2.0"),
            Damage(ride, 9, "| Ride | 2.0.0", "| Ride | v2.0.0-01"),
            Damage("| Ride | 3.1.0 | 2.0.0 | >= 2.0.0 |", 9, "| Ride | 2.0.0", "| Ride | v3.1"),
            Damage("| 2.0.0 | 1.0.0 | >= 1.0.0 |", 9, "| Ride | 2.0.0 | 2.0.0", "| Ride | 2.0.0 | two"),
            Damage(ride, 9, ">= 2.0.0", ">= two"), Damage(ride, 9, ">= 2.0.0", "== 2.0.0"),
            Damage(ride, 9, ">= 2.0.0", "2.0.0"), Damage(ride, 9, ">= 2.0.0", ">= 1.9.0"),
            Damage("| Ride | 2.0.1 | 2.0.1 | >= 2.0.1 |", 9, "| 2.0.0 | >= 2.0.0 |", "| 2.0.1 | >= 2.0.1 |"),
            Damage("| PayTypeCashless | PayType | 1.0.0 | >= 1.0.0 |", 8, ">= 1.0.0", ">= 1.0.1"),
            Damage(
                "| PayTypeCashless | 1.0.0 | 1.0.0 | >= 1.0.0 |", 8, "| PayType | 1.0.0", "| Nobody | 1.0.0"),
            Damage("Remove the line.", 9, "| Ride ", "| PayType "),
            Damage("| Bike | 2.0.0 |", 7, "| Ride ", "| Bike "),
            Damage("Remove the line.", 11, "The libraries:", "<<<<<<< HEAD"),
            Damage("| ApiCenter | 1.1.0 |", 15, "| 1.1.0 |\n", "| 1.1.0 | x |\n"),
            Damage("| ApiCenter | 1.1.0 |", 15, "| 1.1.0 |\n", "| 1.1 |\n"),
            Damage("| ApiCenter | 1.0.0 |", 15, "| ApiCenter | 1.1.0 |", "| ApiCenter |"),
            Damage("|---|---|", 14, "|---|---|\n| A", "|---|\n| A"),
            Damage("Remove the line.", 16, "| Mediator ", "| ApiCenter "),
            Damage("Remove the line.", 16, "| Mediator | 1.0.0", "| Ride | 2.0.0"),
            Damage("| Aaa | 1.0.0 |", 15, "| Mediator ", "| Aaa "),
        ])
    func expectedRow(after broken: Damage) throws {
        let problems = VersionsFile(try broken.applied(to: sample)).problems
        #expect(problems.map(broken.causes) == [true], "\(problems)")
    }

    @Test("Several mistakes in a row are one problem, and a conflict shows the rows of both sides")
    func oneProblem() {
        let wrong = sample.replacing(Self.ride, with: "| Ride | 1.0.0 | 2.0 | 1.0.0 |")
        #expect(VersionsFile(wrong).problems.map(\.place.line) == [9])
        let sides = "<<<<<<< HEAD\n\(Self.ride)\n=======\n| Ride | 2.1.0 | 2.0.0 | >= 2.0.0 |\n>>>>>>> more"
        let file = VersionsFile(sample.replacing(Self.ride, with: sides))
        #expect(file.problems.map(\.place.line) == [9, 13])
    }

    @Test("Sorting moves the rows of each table, and nothing else")
    func sorts() {
        let mixed = sample.replacing("| PayType |", with: "| Zebra |").replacing("| Ride |", with: "| Bike |")
            .replacing("| ApiCenter |", with: "| Zone |")
        let sorted = VersionsFile(mixed).sorted
        #expect(sorted.rows.map(\.module) == ["Bike", "PayTypeCashless", "Zebra"])
        #expect(sorted.libraries.map(\.name) == ["Mediator", "Zone"] && sorted.problems == [])
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        #expect(lines(sorted.text).sorted() == lines(mixed).sorted())
        #expect(lines(sorted.text)[..<6] == lines(mixed)[..<6])
        #expect(lines(sorted.text)[9..<14] == lines(mixed)[9..<14])
    }

    @Test("Lines may end with a carriage return")
    func otherLineEnds() {
        let file = VersionsFile(sample.replacing("\n", with: "\r\n"))
        #expect(file.problems == [] && file.rows.count == 3 && file.libraries.count == 2)
    }

    @Test("A VERSIONS.md without a release table is malformed", arguments: ["", "\n", "# Versions\n"])
    func noTable(text: String) {
        #expect(
            VersionsFile(text).problems.map(\.fix) == ["Write in this line: | Module | Api | IMP | Floor |"])
    }

    @Test("A row that cannot be read counts as a row")
    func unread() {
        let file = VersionsFile(sample.replacing("| Ride | 2.0.0", with: "| Ride | 2.0"))
        #expect(file.row(of: "Ride") == nil && file.has("Ride") && !file.has("Rides"))
    }
}
