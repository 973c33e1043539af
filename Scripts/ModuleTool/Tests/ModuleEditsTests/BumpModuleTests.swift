import Foundation
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleEdits

@Suite("The bump command")
struct BumpModuleTests {
    private static let notes = "Packages/Business/ModuleBApi/CHANGELOG.md"

    let copy: HouseCopy

    /// Resets ModuleB to version 1.0.0, so that the tests do not depend on its current version.
    init() throws {
        copy = try HouseCopy()
        let first = SemanticVersion(1, 0, 0)
        let versions = try copy.root.versionsFile().with(
            .init(module: "ModuleB", api: .own(first), imp: first, floor: first))
        try copy.folder.write("VERSIONS.md", versions.text)
        try copy.folder.write(Self.notes, "# Changelog\n\n## 1.0.0\n\n- First.\n")
        let file = "Packages/Business/ModuleB/Sources/ModuleB/ModuleBModule.swift"
        let edit = try #require(ModuleVersionEdit(copy.folder.read(file), type: "ModuleBModule"))
        try copy.folder.write(file, edit.replaced(by: "1.0.0"))
        try copy.folder.commit("Reset")
    }

    private func row(_ name: String) throws -> String {
        let row = try #require(try copy.root.versionsFile().row(of: name))
        return "\(row.api) \(row.imp) \(row.floor)"
    }

    @Test(
        "The bump command raises the versions of the Api and the IMP, the floor and the version in the code, and writes the change notes",
        arguments: [
            (VersionStep.major, "2.0.0 2.0.0 2.0.0"), (.minor, "1.1.0 1.1.0 1.1.0"),
            (.patch, "1.0.1 1.0.1 1.0.1"),
        ])
    func raises(step: VersionStep, expected: String) throws {
        try copy.make(BumpModule(name: "ModuleB", step: step, notes: ["First  thing.", "Second\nthing."]))
        #expect(try row("ModuleB") == expected)
        #expect(try copy.root.versionsFile().inconsistencies == [])
        let notes = Changelog(try copy.folder.read(Self.notes)).notes
        #expect(notes.map(\.text) == ["- First thing.\n- Second thing.", "- First."])
        let module = try copy.folder.read("Packages/Business/ModuleB/Sources/ModuleB/ModuleBModule.swift")
        #expect(module.contains("public let version = \"\(expected.prefix { $0 != " " })\""))
        #expect(try copy.folder.git("status", "--porcelain").split(separator: "\n").count == 3)
    }

    @Test("With --api-only, the bump command leaves the IMP and the floor unchanged")
    func apiOnly() throws {
        try copy.make(BumpModule(name: "ModuleB", step: .minor, notes: ["x"], isApiOnly: true))
        #expect(try row("ModuleB") == "1.1.0 1.0.0 1.0.0")
        #expect(try copy.folder.git("status", "--porcelain") == " M \(Self.notes)\n M VERSIONS.md")
        // If the Api and the IMP have different versions, each is raised from its own version.
        try copy.make(BumpModule(name: "ModuleB", step: .patch, notes: ["y"]))
        #expect(try row("ModuleB") == "1.1.1 1.0.1 1.0.1")
        try copy.make(BumpModule(name: "ModuleB", step: .minor, notes: ["z"]))
        #expect(try row("ModuleB") == "1.2.0 1.1.0 1.1.0")
        #expect(try copy.root.versionsFile().inconsistencies == [])
    }

    @Test("Bumping an alternative IMP also raises the version of the Api that it implements")
    func alternative() throws {
        let manifest = try copy.folder.read("Package.swift")
        try copy.folder.write(
            "Package.swift",
            manifest.replacing(
                "    Pair(\"Business/ModuleC\"),",
                with:
                    "    Pair(\"Business/ModuleBOther\", alternativeTo: \"ModuleB\"),\n    Pair(\"Business/ModuleC\"),"
            ))
        let first = SemanticVersion(1, 0, 0)
        let versions = try copy.root.versionsFile().with(
            .init(module: "ModuleBOther", api: .of("ModuleB"), imp: first, floor: first))
        try copy.folder.write("VERSIONS.md", versions.text)
        let file = "Packages/Business/ModuleBOther/Sources/ModuleBOther/Entry.swift"
        try copy.folder.write(file, "struct ModuleBOtherModule { var version: String { \"1.0.0\" } }\n")
        try copy.make(BumpModule(name: "ModuleBOther", step: .minor, notes: ["x"]))
        #expect(try row("ModuleBOther") == "ModuleB 1.1.0 1.1.0")
        #expect(try row("ModuleB") == "1.1.0 1.0.0 1.0.0")
        #expect(
            try copy.folder.read(file) == "struct ModuleBOtherModule { var version: String { \"1.1.0\" } }\n")
        #expect(throws: Diagnostic.self) {
            try copy.make(BumpModule(name: "ModuleBOther", step: .minor, notes: ["x"], isApiOnly: true))
        }
    }

    @Test("The bump command is refused without a note, or if the module's row in VERSIONS.md is inconsistent")
    func refused() throws {
        let before = try copy.folder.read("VERSIONS.md")
        let row = try #require(before.split(separator: "\n").first { $0.hasPrefix("| ModuleB ") })
        for (new, notes) in [
            ("| ModuleB | 1.0.0 | 1.0.0 | >= 0.9.0 |", ["x"]),
            ("| ModuleB | 1.0.0 | 1.0.1 | >= 1.0.1 |", ["x"]),
            ("| ModuleB | 1.1.0 | 1.1.0 | >= 1.1.0 |", ["x"]), ("| ModuleB | 1.0.0 | 1.0.0 | 1.0.0 |", ["x"]),
            ("", ["x"]), (String(row), []), (String(row), ["fine", " \n"]),
        ] {
            let text = before.replacing(row, with: new)
            try copy.folder.write("VERSIONS.md", text)
            let error = #expect(throws: Diagnostic.self) {
                try copy.make(BumpModule(name: "ModuleB", step: .patch, notes: notes))
            }
            #expect(error?.kind == .configuration, "\(new) \(notes)")
            #expect(try copy.folder.read("VERSIONS.md") == text)
        }
    }

    @Test("Bumping a library raises its version and writes the change note")
    func library() throws {
        let before = try #require(try copy.root.versionsFile().library("Locking")).version
        let raised = before.raised(by: .minor)
        let plan = try copy.make(BumpModule(name: "Locking", step: .minor, notes: ["Faster."]))
        #expect(plan.summary == "Raised Locking \(before) -> \(raised).")
        #expect(try copy.root.versionsFile().library("Locking")?.version == raised)
        let notes = "Packages/Base/Locking/CHANGELOG.md"
        #expect(Changelog(try copy.folder.read(notes)).notes.first?.text == "- Faster.")
        #expect(try copy.folder.git("status", "--porcelain") == " M \(notes)\n M VERSIONS.md")
        #expect(throws: Diagnostic.self) {
            try copy.make(BumpModule(name: "Locking", step: .minor, notes: ["x"], isApiOnly: true))
        }
    }

    @Test("For an unknown name, the bump command suggests a similar name, or lists all names")
    func hints() throws {
        for (name, hint) in [
            ("ModuleBApi", "bump ModuleB minor, with --api-only"), ("moduleb", "bump ModuleB minor"),
            ("locking", "bump Locking minor"), ("Nobody", "Choose one of: "),
        ] {
            let error = #expect(throws: Diagnostic.self) {
                try copy.make(BumpModule(name: name, step: .minor, notes: ["x"]))
            }
            #expect(error?.fix.contains(hint) == true, "\(error?.description ?? "")")
        }
    }

    @Test(
        "The bump command rejects a changelog with a note for a later version, and includes unreleased changes"
    )
    func notes() throws {
        let before = try copy.folder.read(Self.notes)
        try copy.folder.write(
            Self.notes, before.replacing("## 1.0.0", with: "## 1.5.0\n\n- Later.\n\n## 1.0.0"))
        let error = #expect(throws: Diagnostic.self) {
            try copy.make(BumpModule(name: "ModuleB", step: .patch, notes: ["x"]))
        }
        #expect(error?.place.description == Self.notes)
        try copy.folder.write(
            Self.notes, before.replacing("## 1.0.0", with: "## Unreleased\n\n- Faster.\n\n## 1.0.0"))
        try copy.make(BumpModule(name: "ModuleB", step: .patch, notes: []))
        let day = Date.now.formatted(.iso8601.year().month().day())
        #expect(
            try copy.folder.read(Self.notes)
                == "# Changelog\n\n## 1.0.1 - \(day)\n\n- Faster.\n\n## 1.0.0\n\n- First.\n")
    }

    @Test("The release command bumps all changed packages, or lists the packages that lack a change note")
    func release() throws {
        let needed = [
            VersionRaise(name: "ModuleB", step: .minor, imps: ["ModuleB"], reasons: ["more is offered"]),
            VersionRaise(name: "Locking", step: .patch, imps: []),
        ]
        let error = #expect(throws: Diagnostic.self) { try copy.make(ReleaseModules(notes: []) { needed }) }
        #expect(error?.what.contains(Self.notes) == true && error?.what.contains("Locking") == true)
        #expect(try copy.folder.git("status", "--porcelain") == "")
        let plan = try copy.make(ReleaseModules(notes: ["Both."]) { needed })
        #expect(plan.summary.contains("floor >= 1.1.0.\n  minor, because more is offered\nRaised Locking"))
        #expect(try row("ModuleB") == "1.1.0 1.1.0 1.1.0")
        #expect(try copy.folder.git("status", "--porcelain").split(separator: "\n").count == 4)
        #expect(try copy.make(ReleaseModules(notes: []) { [] }).changes == [])
    }

    @Test("The first release of a pair keeps its version, and moves the unreleased changes into its note")
    func first() throws {
        let notes = try copy.folder.read(Self.notes)
        try copy.folder.write(
            Self.notes, notes.replacing("## 1.0.0", with: "## Unreleased\n\n- Faster.\n\n## 1.0.0"))
        let before = try copy.folder.read("VERSIONS.md")
        let needed = [VersionRaise(name: "ModuleB", step: nil, imps: [])]
        let plan = try copy.make(ReleaseModules(notes: []) { needed })
        #expect(plan.summary.hasPrefix("ModuleBApi 1.0.0 awaits its first release: commit, and tag"))
        #expect(Changelog(try copy.folder.read(Self.notes)).notes.map(\.text) == ["- First.\n- Faster."])
        #expect(try copy.folder.read("VERSIONS.md") == before)
        let error = #expect(throws: Diagnostic.self) {
            try copy.make(BumpModule(name: "ModuleB", step: nil, notes: ["x"]) { needed })
        }
        #expect(error?.what.contains("was never released") == true)
    }

    @Test(
        "Without a step, the bump command takes the smallest sufficient step, and is refused if nothing has changed"
    )
    func smallest() throws {
        let needed = VersionRaise(
            name: "ModuleB", step: .major, imps: [], reasons: ["rides() has been removed"])
        let plan = try copy.make(BumpModule(name: "ModuleB", step: nil, notes: ["x"]) { [needed] })
        #expect(plan.summary.hasSuffix("1.0.0 -> 2.0.0.\n  major, because rides() has been removed"))
        #expect(try row("ModuleB") == "2.0.0 1.0.0 1.0.0")
        let error = #expect(throws: Diagnostic.self) {
            try copy.make(BumpModule(name: "ModuleA", step: nil, notes: ["x"]) { [needed] })
        }
        #expect(error?.kind == .refused && error?.fix.contains("bump ModuleA patch") == true)
    }
}
