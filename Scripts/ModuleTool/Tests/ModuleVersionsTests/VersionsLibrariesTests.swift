import ModuleVersions
import Testing

@Suite("The libraries in VERSIONS.md")
struct VersionsLibrariesTests {
    static let text = """
        # Versions

        | Module | Api   | IMP   | Floor    |
        |--------|-------|-------|----------|
        | Ride   | 2.0.0 | 2.0.0 | >= 2.0.0 |

        The libraries:

        | Library   | Version |
        |-----------|---------|
        | ApiCenter | 1.1.0   |
        | Mediator  | 1.0.0   |

        More words.

        ## ApiCenter

        ### 1.1.0

        - More.

        ## Mediator

        ### 1.0.0

        - First.

        ## Ride

        ### 2.0.0

        - All new.

        """

    @Test("The table of libraries is read, and prints exactly as it was read")
    func reads() throws {
        let file = try VersionsFile(Self.text)
        #expect(file.libraries.map(\.name) == ["ApiCenter", "Mediator"])
        #expect(file.library("ApiCenter")?.version == SemanticVersion(1, 1, 0))
        #expect(file.library("Mediator")?.line == 12)
        #expect(file.rows.map(\.module) == ["Ride"])
        #expect(file.text == Self.text)
        #expect(file.inconsistencies == [])
    }

    @Test("The table of libraries is optional, and may end the file")
    func ends() throws {
        #expect(try VersionsFile(sample).libraries == [])
        let end = try #require(Self.text.range(of: "\nMore words."))
        let short = String(Self.text[..<end.lowerBound])
        var file = try VersionsFile(short)
        #expect(file.libraries.count == 2)
        #expect(file.text == short)
        file.note(SemanticVersion(1, 1, 0), of: "ApiCenter", bullets: ["More."])
        #expect(file.text == short + "\n## ApiCenter\n\n### 1.1.0\n\n- More.\n")
    }

    @Test("Raising a library changes its row in place")
    func raises() throws {
        var file = try VersionsFile(Self.text)
        file.replace(.init(name: "Mediator", version: SemanticVersion(1, 10, 0)))
        #expect(file.text.contains("| Mediator  | 1.10.0  |\n"))
    }

    @Test(
        "An unreadable table of libraries is reported with the line of the problem",
        arguments: [
            Damage(.malformedRow, 11, "| 1.1.0   |", "| 1.1.0 | x |"),
            Damage(.malformedRow, 10, "|-----------|---------|\n", ""),
            Damage(.invalidVersion, 11, "1.1.0   |", "1.1     |"),
            Damage(.duplicate, 12, "| Mediator ", "| ApiCenter"),
        ])
    func isUnreadable(after broken: Damage) throws {
        let text = Self.text.replacing(broken.replace, with: broken.with, maxReplacements: 1)
        try #require(text != Self.text)
        let problems = VersionsFile.read(text).problems
        #expect(problems.contains { $0.kind == broken.kind && $0.line == broken.line }, "\(problems)")
    }

    @Test(
        "An inconsistent table of libraries is reported with the line of the problem",
        arguments: [
            Damage(.duplicate, 12, "| Mediator  | 1.0.0", "| Ride      | 2.0.0"),
            Damage(.missingNote, 11, "### 1.1.0", "### 1.0.0"),
            Damage(.missingNote, 11, "- More.", ""),
            Damage(.noteOrder, 18, "### 1.1.0", "### 1.2.0\n\n- Next.\n\n### 1.1.0"),
            Damage(.orphanSection, 16, "## ApiCenter", "## Nothing"),
        ])
    func isInconsistent(after broken: Damage) throws {
        let text = Self.text.replacing(broken.replace, with: broken.with, maxReplacements: 1)
        try #require(text != Self.text)
        let problems = try VersionsFile(text).inconsistencies
        #expect(problems.contains { $0.kind == broken.kind && $0.line == broken.line }, "\(problems)")
    }
}
