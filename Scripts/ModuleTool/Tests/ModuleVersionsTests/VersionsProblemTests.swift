import ModuleVersions
import Testing

/// An edit of the sample file, and the kind and line of the problem that it causes.
struct Damage: Sendable, CustomTestStringConvertible {
    let kind: VersionsProblem.Kind
    let line: Int
    let replace: String
    let with: String

    init(_ kind: VersionsProblem.Kind, _ line: Int, _ replace: String, _ with: String) {
        (self.kind, self.line, self.replace, self.with) = (kind, line, replace, with)
    }

    var testDescription: String { "\(kind.rawValue): \(with)" }
}

@Suite("Problems in VERSIONS.md")
struct VersionsProblemTests {
    static let unreadable: [Damage] = [
        Damage(.malformedTable, 5, "| Api     | IMP ", "| API     | IMP "),
        Damage(.malformedTable, 6, "|---------|-------|----------|", "| PayType |"),
        Damage(.malformedRow, 9, "| Ride            | 2.0.0   |", "| Ride            | 2.0.0    "),
        Damage(.malformedRow, 9, "| >= 2.0.0 |\n\nText", "| >= 2.0.0 | extra |\n\nText"),
        Damage(.invalidVersion, 9, "| 2.0.0   | 2.0.0", "| 2.0.0   | 2.0"),
        Damage(.invalidVersion, 9, "| Ride            | 2.0.0", "| Ride            | v2.0.0-01"),
        Damage(.invalidVersion, 9, ">= 2.0.0", ">= two"),
        Damage(.invalidVersion, 31, "### 2.0.0", "### Unreleased"),
        Damage(.closedFloor, 9, ">= 2.0.0", "== 2.0.0"),
        Damage(.closedFloor, 9, ">= 2.0.0", "^2.0.0  "),
        Damage(.closedFloor, 9, ">= 2.0.0", "2.0.0   "),
        Damage(.duplicate, 9, "| Ride   ", "| PayType"),
        Damage(.duplicate, 29, "## Ride", "## PayType"),
        Damage(.duplicate, 22, "### 1.1.0", "### 1.4.0"),
        Damage(.damagedText, 11, "Text between.", "Text between.\r"),
        Damage(.damagedText, 11, "Text between.", "<<<<<<< HEAD"),
    ]

    static let inconsistent: [Damage] = [
        Damage(.floorDiffers, 9, ">= 2.0.0", ">= 1.9.0"),
        Damage(.floorDiffers, 8, ">= 1.0.0", ">= 1.0.1"),
        Damage(.apiBelowImp, 9, "| 2.0.0 | >= 2.0.0 |", "| 2.0.1 | >= 2.0.1 |"),
        Damage(.unknownApi, 8, "| PayType | 1.0.0", "| Nobody  | 1.0.0"),
        Damage(.missingNote, 9, "### 2.0.0", "### 1.9.0"),
        Damage(.missingNote, 9, "- All new.", ""),
        Damage(.noteOrder, 31, "### 2.0.0", "### 2.1.0\n\n- Next.\n\n### 2.0.0"),
        Damage(.noteOrder, 26, "### 1.1.0", "### 1.4.0-rc.1\n\n- x\n\n### 1.4.0-rc.2"),
        Damage(.orphanSection, 29, "## Ride", "## Ghost"),
    ]

    @Test("An unreadable release table is reported with the line of the problem", arguments: unreadable)
    func isUnreadable(after broken: Damage) throws {
        let text = sample.replacing(broken.replace, with: broken.with, maxReplacements: 1)
        try #require(text != sample)
        let problems = VersionsFile.read(text).problems
        #expect(problems.contains { $0.kind == broken.kind && $0.line == broken.line }, "\(problems)")
        #expect(throws: VersionsFileError.self) { try VersionsFile(text) }
    }

    @Test("Windows line endings in VERSIONS.md are reported once for the whole file")
    func otherLineEnds() {
        let problems = VersionsFile.read(sample.replacing("\n", with: "\r\n")).problems
        #expect(problems.map(\.kind) == [.damagedText] && problems.first?.line == 1, "\(problems)")
    }

    @Test("An inconsistent release table is reported with the line of the problem", arguments: inconsistent)
    func isInconsistent(after broken: Damage) throws {
        let text = sample.replacing(broken.replace, with: broken.with, maxReplacements: 1)
        try #require(text != sample)
        let problems = try VersionsFile(text).inconsistencies
        #expect(problems.contains { $0.kind == broken.kind && $0.line == broken.line }, "\(problems)")
        #expect(
            problems.allSatisfy {
                !$0.what.isEmpty && !$0.why.isEmpty && !$0.fix.isEmpty && $0.module != nil
            })
    }

    @Test(
        "A VERSIONS.md without a release table is malformed",
        arguments: ["", "\n", "# Versions\n", "```\n| Module |\n"])
    func noTable(text: String) {
        #expect(VersionsFile.read(text).problems.map(\.kind) == [.malformedTable])
    }

    @Test("Inconsistencies can be looked up for a single row of the release table")
    func oneRow() throws {
        let file = try VersionsFile(sample.replacing(">= 2.0.0", with: ">= 1.9.0"))
        #expect(file.inconsistencies(ofRow: "Ride").map(\.kind) == [.floorDiffers])
        #expect(file.inconsistencies(ofRow: "PayType") == [])
    }
}
