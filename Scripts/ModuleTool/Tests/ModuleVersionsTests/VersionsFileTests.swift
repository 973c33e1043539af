import Foundation
import ModuleVersions
import Testing

/// A release table with sections and notes, in the form of this repository's VERSIONS.md.
let sample = """
    # Versions

    What this is.

    | Module          | Api     | IMP   | Floor    |
    |-----------------|---------|-------|----------|
    | PayType         | 1.4.0   | 1.1.0 | >= 1.1.0 |
    | PayTypeCashless | PayType | 1.0.0 | >= 1.0.0 |
    | Ride            | 2.0.0   | 2.0.0 | >= 2.0.0 |

    Text between.

    ## PayType

    About its notes.

    ### 1.4.0

    - Longer than a line, so that it has
      two.

    ### 1.1.0

    ```markdown
    ## Not a section
    | nor | a | row |
    ```

    ## Ride

    ### 2.0.0

    - All new.

    """

@Suite("The file VERSIONS.md")
struct VersionsFileTests {
    @Test("The rows, sections and notes of a release table are read")
    func reads() throws {
        let file = try VersionsFile(sample)
        #expect(file.rows.map(\.module) == ["PayType", "PayTypeCashless", "Ride"])
        let row = try #require(file.row(of: "PayType"))
        #expect(row.api == .own(SemanticVersion(1, 4, 0)))
        #expect((row.imp, row.floor) == (SemanticVersion(1, 1, 0), SemanticVersion(1, 1, 0)))
        #expect(row.line == 7)
        #expect(file.row(of: "PayTypeCashless")?.api == .of("PayType"))
        #expect(file.implementations(ofApi: "PayType").map(\.module) == ["PayType", "PayTypeCashless"])
        let section = try #require(file.section(of: "PayType"))
        #expect(section.line == 13)
        #expect(section.notes.map(\.version.description) == ["1.4.0", "1.1.0"])
        #expect(section.notes.map(\.line) == [17, 22])
        #expect(section.notes[0].text == "- Longer than a line, so that it has\n  two.")
        #expect(file.sections.count == 2)
        #expect(file.inconsistencies == [])
    }

    @Test("A release table prints exactly as it was read")
    func roundTrip() throws {
        #expect(try VersionsFile(sample).text == sample)
    }

    @Test("This repository's VERSIONS.md prints exactly as it was read, and is consistent")
    func ours() throws {
        let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "VERSIONS.md"), encoding: .utf8)
        let file = try VersionsFile(text)
        #expect(file.text == text)
        #expect(file.inconsistencies == [])
        #expect(!file.rows.isEmpty)
    }

    @Test(
        "A new module's row and section are inserted into the release table in alphabetical order",
        arguments: ["Aaa", "Quite", "Zebra"])
    func adds(module: String) throws {
        var file = try VersionsFile(sample)
        let first = SemanticVersion(1, 0, 0)
        file.add(
            .init(module: module, api: .own(first), imp: first, floor: first), note: "First release: `x()`.")
        let read = try VersionsFile(file.text)
        #expect(read.rows.map(\.module) == (["PayType", "PayTypeCashless", "Ride", module]).sorted())
        #expect(read.sections.map(\.module) == ["PayType", "Ride", module].sorted())
        #expect(read.section(of: module)?.notes.first?.text == "- First release: `x()`.")
        #expect(read.inconsistencies == [])
        #expect(!file.text.contains("\n\n\n") && file.text.hasSuffix(".\n"))
        #expect(file.text.contains("\n\n## \(module)\n\n### 1.0.0\n\n- First release: `x()`.\n"))
        file.remove(module)
        #expect(file.text == sample)
    }

    @Test("The columns of the release table adapt to the longest module name")
    func alignment() throws {
        var file = try VersionsFile(sample)
        let first = SemanticVersion(1, 0, 0)
        file.add(.init(module: "APairWithALongName", api: .own(first), imp: first, floor: first), note: "x")
        let table = file.text.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.contains("nor") }
        #expect(Set(table.map(\.count)).count == 1)
        file.remove("APairWithALongName")
        #expect(file.text == sample)
    }

    @Test("A new alternative IMP gets a row in the release table, but no section")
    func alternative() throws {
        var file = try VersionsFile(sample)
        let first = SemanticVersion(1, 0, 0)
        file.add(.init(module: "RideElectric", api: .of("Ride"), imp: first, floor: first), note: "unused")
        #expect(file.section(of: "RideElectric") == nil)
        #expect(try VersionsFile(file.text).inconsistencies == [])
    }

    @Test("The first module can be added to an empty release table")
    func firstSection() throws {
        let empty = "| Module | Api | IMP | Floor |\n|--------|-----|-----|-------|\n"
        var file = try VersionsFile(empty)
        let first = SemanticVersion(1, 0, 0)
        file.add(.init(module: "Ride", api: .own(first), imp: first, floor: first), note: "New.")
        #expect(try VersionsFile(file.text).inconsistencies == [])
        #expect(file.text.hasSuffix("|\n\n## Ride\n\n### 1.0.0\n\n- New.\n"))
        file.remove("Ride")
        #expect(file.text == empty)
    }

    @Test("A new change note is wrapped and inserted above the older notes")
    func note() throws {
        var file = try VersionsFile(sample)
        let long = Array(repeating: "word", count: 60).joined(separator: " ") + " 1. # end"
        file.note(SemanticVersion(2, 1, 0), of: "Ride", bullets: [long, "Short."])
        let note = try #require(try VersionsFile(file.text).section(of: "Ride")?.notes.first)
        #expect(note.version == SemanticVersion(2, 1, 0))
        let lines = note.text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 116 })
        #expect(lines[1].hasPrefix("  word") && lines[3] == "- Short.")
        #expect(file.text.contains("\n- Short.\n\n### 2.0.0\n\n- All new.\n"))
    }

    @Test("A change note for a module without a section creates the section", arguments: ["Aaa", "Zebra"])
    func noteWithoutSection(module: String) throws {
        var file = try VersionsFile(sample)
        file.note(SemanticVersion(1, 0, 1), of: module, bullets: ["Fixed."])
        #expect(file.text.contains("\n\n## \(module)\n\n### 1.0.1\n\n- Fixed.\n"))
        #expect(!file.text.contains("\n\n\n") && !file.text.hasSuffix("\n\n"))
    }
}
