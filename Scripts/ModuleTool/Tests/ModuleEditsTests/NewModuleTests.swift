import Foundation
import ModuleRules
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleEdits

@Suite("new-module")
struct NewModuleTests {
    @Test(
        "makes both packages and enters them everywhere, and no rule is broken",
        arguments: [
            NewModule(name: "Wallet"), NewModule(name: "Aaa", calls: ["ModuleA"]),
            NewModule(name: "ModuleAb", calls: ["ModuleC", "ModuleA", "ModuleC"]),
            NewModule(name: "User", layer: .common),
            NewModule(name: "User", layer: .common, calls: ["ModuleB"]),
        ])
    func adds(edit: NewModule) throws {
        let copy = try HouseCopy()
        try copy.make(edit)
        let pairs = try copy.root.pairList().pairs
        #expect(pairs.map(\.path) == pairs.map(\.path).sorted())
        #expect(pairs.contains { $0.path == "\(edit.layer.rawValue)/\(edit.name)" })
        let versions = try copy.root.versionsFile()
        #expect(versions.inconsistencies == [])
        #expect(versions.row(of: edit.name)?.api == .own(SemanticVersion(1, 0, 0)))
        let rules = try RuleBook.rules(named: [])
        let findings = try RuleBook.findings(of: rules, in: Subject(copy.root.tree()))
        #expect(findings.isEmpty, "\(findings.map { "\($0.place) \($0.rule) \($0.what)" })")
        // The same text as the script's, which the CI checks.
        try copy.run(["Scripts/registrations", "--check"])
    }

    @Test("writes what swift format would write, for short names and long ones")
    func format() throws {
        let copy = try HouseCopy()
        let long = String(repeating: "Long", count: ModuleName.longest / 4)
        let names = ["Xy", "Fifteen15Letters", "TwentyTwoLettersInName", long]
        for (index, name) in names.enumerated() {
            try copy.make(NewModule(name: name, calls: Array(names[..<index]) + ["ModuleA", "ModuleB"]))
            try copy.make(NewModule(name: "C" + name.dropFirst(), layer: .common))
        }
        try copy.make(NewModule(name: "Caller", calls: names + names.map { "C" + $0.dropFirst() }))
        // The house's lists of registrations are left undocumented in all pairs.
        let rules = try String(contentsOf: copy.folder.url.appending(path: ".swift-format"), encoding: .utf8)
            .replacing(
                "\"AllPublicDeclarationsHaveDocumentation\": true", with: "\"UseShorthandTypeNames\": true")
        try copy.folder.write(rules, to: ".swift-format")
        let new = try copy.git("ls-files", "--others", "--exclude-standard").split(separator: "\n").map(
            String.init)
        #expect(new.count == 6 * 9)
        try copy.run(
            ["swift", "format", "lint", "--strict"] + new + ["Package.swift", RegistrationsFile.path])
    }

    @Test("a second time says that the pair exists and changes nothing")
    func twice() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet"))
        let files = try copy.folder.files()
        let plan = try copy.make(NewModule(name: "Wallet"))
        #expect(plan.changes == [])
        #expect(plan.summary.contains("exists already"))
        #expect(try copy.folder.files() == files)
    }

    @Test(
        "then remove leaves no difference",
        arguments: [
            NewModule(name: "Wallet", calls: ["ModuleA"]), NewModule(name: "Aaa"),
            NewModule(name: "ModuleBz"),
            NewModule(name: "AnOddlyLongNameForAModule"), NewModule(name: "User", layer: .common),
        ])
    func addAndRemove(edit: NewModule) throws {
        let copy = try HouseCopy()
        let before = try copy.folder.files()
        try copy.make(edit)
        #expect(try copy.git("status", "--porcelain") != "")
        // What building leaves in the packages goes with them.
        try copy.folder.write("x", to: "Packages/\(edit.layer.rawValue)/\(edit.name)/.build/debug/x.o")
        try copy.make(RemoveModule(name: edit.name))
        #expect(try copy.folder.files() == before)
        #expect(try copy.git("status", "--porcelain") == "")
    }

    @Test(
        "refuses names that no tree could take",
        arguments: [
            ("", "empty"), ("class", "keyword"), ("Self", "keyword"), ("Type", "keyword"),
            ("wallet", "small letter"),
            ("1Wallet", "begins with a digit"), ("Wal-let", "'-'"), ("Wal let", "' '"), ("Wal_let", "'_'"),
            ("Größe", "'ö'"), ("../Wallet", "'.'"), ("Foundation", "standard module"),
            ("Swift", "standard module"),
            ("testing", "small letter"), ("TESTING", "standard module"), ("SwiftUI", "standard module"),
            ("String", "standard type"), ("Shell", "the Shell"), ("Default", "the Shell"),
            ("WalletApi", "ends in 'Api'"),
            ("Api", "ends in 'Api'"), (String(repeating: "A", count: 33), "33 letters"),
        ])
    func badNames(name: String, reason: String) throws {
        let error = #expect(throws: EditError.self) { try ModuleName.validate(name) }
        #expect(error?.kind == .usage)
        #expect(error?.what.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.why.isEmpty == false && error?.mend.isEmpty == false)
    }

    @Test(
        "takes ordinary names", arguments: ["Wallet", "X", "PayType", "Module3D", "Tests", "URLs", "Class"])
    func goodNames(name: String) throws {
        try ModuleName.validate(name)
    }

    @Test(
        "refuses names that are taken or would clash, and changes nothing",
        arguments: [
            (NewModule(name: "MODULEA"), "ModuleA exists"),
            (NewModule(name: "ModuleA", layer: .common), "ModuleA exists"),
            (NewModule(name: "Lifecycle"), "Lifecycle exists"),
            (NewModule(name: "Apicenter"), "ApiCenter exists"),
            (NewModule(name: "ModuleATests"), "target is called ModuleATests"),
            (NewModule(name: "ModuleAModule"), "ModuleA is a pair"),
            (NewModule(name: "ShellTests"), "target is called ShellTests"),
            (NewModule(name: "Wallet", calls: ["Nobody"]), "no such pair"),
            (NewModule(name: "Wallet", calls: ["Wallet"]), "no such pair"),
            (NewModule(name: "Wallet", calls: ["Lifecycle"]), "no such pair"),
        ])
    func taken(edit: NewModule, reason: String) throws {
        let copy = try HouseCopy()
        let error = #expect(throws: EditError.self) { try copy.make(edit) }
        #expect(error?.what.contains(reason) == true, "\(error?.description ?? "")")
        #expect(try copy.git("status", "--porcelain") == "")
    }

    @Test("refuses a name whose rests are still there")
    func rests() throws {
        let copy = try HouseCopy()
        try copy.folder.write("x", to: "Packages/Common/wallet/notes.txt")
        #expect(throws: EditError.self) { try copy.make(NewModule(name: "Wallet")) }
        let row = "| Zebra   | 1.0.0 | 1.0.0 | >= 1.0.0 |\n"
        let versions = try copy.folder.text("VERSIONS.md").replacing(
            "\n\n## ModuleA", with: "\n\(row)\n## ModuleA")
        try copy.folder.write(versions, to: "VERSIONS.md")
        let error = #expect(throws: EditError.self) { try copy.make(NewModule(name: "Zebra")) }
        #expect(error?.place?.hasPrefix("VERSIONS.md:") == true)
    }

    @Test("refuses a tree whose files it would damage")
    func damaged() throws {
        let copy = try HouseCopy()
        let versions = try copy.folder.text("VERSIONS.md")
        try copy.folder.write(versions.replacing(">= 2.0.0", with: "== 2.0.0"), to: "VERSIONS.md")
        #expect(throws: EditError.self) { try copy.make(NewModule(name: "Wallet")) }
        try copy.folder.write(versions, to: "VERSIONS.md")
        let manifest = try copy.folder.text("Package.swift")
        try copy.folder.write(manifest.replacing("let pairs", with: "let modules"), to: "Package.swift")
        #expect(throws: EditError.self) { try copy.make(NewModule(name: "Wallet")) }
    }
}

extension NewModule: CustomTestStringConvertible {
    public var testDescription: String { "\(layer.rawValue)/\(name) calling \(calls)" }
}
