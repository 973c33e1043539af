import ModuleVersions
import Testing

@Suite("The file CHANGELOG.md")
struct ChangelogTests {
    private static let sample = """
        # Changelog

        About these notes.

        ## Unreleased

        - Not yet.

        ## 1.4.0

        - Longer than a line, so that it has
          two.

        ## 1.1.0

        ```markdown
        ## Not a version
        ```

        """

    private static let current = SemanticVersion(1, 4, 0)

    @Test("The notes are parsed, and printing the file reproduces its text")
    func reads() {
        let changelog = Changelog(Self.sample)
        #expect(changelog.notes.map(\.version?.description) == ["1.4.0", "1.1.0"])
        #expect(changelog.notes.map(\.line) == [9, 14])
        #expect(changelog.notes[0].text == "- Longer than a line, so that it has\n  two.")
        #expect(changelog.unreleased == "- Not yet.")
        #expect(changelog.problems(of: "RideApi", current: Self.current) == [])
        #expect(changelog.text == Self.sample)
    }

    @Test("A release's note includes the unreleased changes")
    func releases() throws {
        var changelog = Changelog(Self.sample)
        changelog.release(SemanticVersion(1, 5, 0), bullets: ["Longer.", "Short."])
        #expect(changelog.unreleased == "")
        let note = "\n\n## 1.5.0\n\n- Not yet.\n- Longer.\n- Short.\n\n## 1.4.0\n\n- Longer"
        #expect(changelog.text.contains(note) && !changelog.text.contains("\n\n\n"))
    }

    @Test("An added change stands below those that await a release")
    func adds() {
        var changelog = Changelog()
        for change in ["Faster.", "Safer."] { changelog.add(change) }
        #expect(changelog.text == "# Changelog\n\n## Unreleased\n\n- Faster.\n- Safer.\n")
        changelog = Changelog("# Changelog\n\n## 1.0.0\n\n- Rides.\n")
        changelog.add("Faster.")
        #expect(changelog.text == "# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 1.0.0\n\n- Rides.\n")
    }

    @Test("The first release of a package creates the changelog")
    func starts() {
        var changelog = Changelog()
        changelog.release(SemanticVersion(1, 0, 0), bullets: ["First release."])
        #expect(changelog.text == "# Changelog\n\n## 1.0.0\n\n- First release.\n")
    }

    @Test("A heading can have a date, and a first release adds the unreleased changes to its note")
    func dates() {
        var changelog = Changelog(
            "# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 1.0.0 - 2026-11-25\n\n- Rides.\n")
        #expect(changelog.notes.map(\.version) == [SemanticVersion(1, 0, 0)])
        #expect(changelog.problems(of: "RideApi", current: SemanticVersion(1, 0, 0)) == [])
        changelog.release(SemanticVersion(1, 0, 0), on: "2026-12-01", bullets: ["Safer."])
        let first = "## 1.0.0 - 2026-12-01\n\n- Rides.\n- Faster.\n- Safer.\n"
        #expect(changelog.text == "# Changelog\n\n" + first)
        changelog.release(SemanticVersion(1, 1, 0), on: "2026-12-02", bullets: ["More."])
        #expect(changelog.text == "# Changelog\n\n## 1.1.0 - 2026-12-02\n\n- More.\n\n" + first)
        for heading in [
            "1.0.0 - yesterday", "1.0.0 2026-11-25", "1.0.0 - 2026-11-25, late", "1.0 - 2026-11-25",
        ] {
            #expect(Changelog("## \(heading)\n\n- Rides.\n").notes.isEmpty, "\(heading)")
        }
    }

    @Test(
        "An invalid note is reported with its line",
        arguments: [
            Damage("no change note", 1, "## 1.4.0", "## 1.3.0"),
            Damage("no change note", 1, "- Longer than a line, so that it has\n  two.\n", ""),
            Damage("VERSIONS.md says", 9, "## 1.4.0", "## 1.5.0\n\n- Next.\n\n## 1.4.0"),
            Damage("is below the note", 14, "## 1.1.0", "## 1.4.1"),
            Damage("is below the note", 14, "## 1.1.0", "## 1.4.0"),
            Damage("is not a version", 14, "## 1.1.0", "## Unreleased"),
            Damage("is not a version", 14, "## 1.1.0", "## 1.1"),
        ])
    func isWrong(after broken: Damage) throws {
        let changelog = Changelog(try broken.applied(to: Self.sample))
        let problems = changelog.problems(of: "RideApi", current: Self.current)
        #expect(problems.contains(where: broken.causes), "\(problems)")
    }
}
