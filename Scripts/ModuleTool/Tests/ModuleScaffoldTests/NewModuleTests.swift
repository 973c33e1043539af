import Foundation
import ModuleKit
import ModuleRules
import ModuleVersions
import RuleFixtures
import Testing

@testable import ModuleEdits
@testable import ModuleScaffold

@Suite("The new-module command")
struct NewModuleTests {
    @Test(
        "The new-module command adds a pair to all lists without breaking a rule, and remove restores the tree",
        arguments: [
            NewModule(name: "AnOddlyLongNameForAModule"), NewModule(name: "Aaa", calls: ["ModuleA"]),
            NewModule(name: "ModuleAb", calls: ["ModuleC", "ModuleA", "ModuleC"]),
            NewModule(name: "Passenger", layer: "Common", calls: ["ModuleB"]),
            NewModule(name: "PayTypeOther", alternativeTo: "PayType"),
            NewModule(name: "Tracker", alternativeTo: "Logger"),
        ])
    func addAndRemove(edit: NewModule) throws {
        let copy = try EditedTree()
        let before = try copy.folder.files()
        try copy.make(edit)
        let pairs = try copy.root.pairLists().pairs
        #expect(pairs.map(\.path) == pairs.map(\.path).sorted())
        let layer = edit.layer ?? (edit.base == "Logger" ? "Common" : "Business")
        #expect(pairs.contains { $0.path == "\(layer)/\(edit.name)" })
        let api = try copy.root.versionsFile().row(of: edit.name)?.api
        #expect(api == edit.base.map { .of($0) } ?? .own(SemanticVersion(0, 1, 0)))
        let findings = try RuleBook.tree.findings(of: RuleBook.tree.rules, in: RuleContext(copy.root.tree()))
        #expect(findings.isEmpty, "\(findings.map { "\($0.place) \($0.rule) \($0.what)" })")
        #expect(try MakeRegistrations().stale(in: copy.root).isEmpty)
        try copy.folder.commit("A new module")
        // Build products inside the packages are removed as well.
        try copy.folder.write("Packages/\(layer)/\(edit.name)/.build/debug/x.o", "x")
        try copy.make(RemoveModule(name: edit.name))
        #expect(try copy.folder.files() == before)
    }

    @Test("The new-module command writes formatted code for both short and long names")
    func format() throws {
        let copy = try EditedTree()
        for name in ["Zz", "N" + String(repeating: "x", count: ModuleName.longest - 2)] {
            let calls = Array(try copy.root.pairLists().pairs.filter { $0.alternativeTo == nil }.prefix(4))
            try copy.make(NewModule(name: name, calls: calls.map(\.name) + ["ModuleA", "Logger"]))
            try copy.make(NewModule(name: name + "2", alternativeTo: "PayType"))
        }
        try copy.folder.git("add", "--all")
        let changed = try copy.folder.git("diff", "--cached", "--name-only", "--", "*.swift")
            .split(separator: "\n").map(String.init)
        #expect(changed.count > 20)
        _ = try copy.folder.run(["swift", "format", "lint", "--strict"] + changed)
    }

    @Test(
        "A new alternative IMP is a copy of the IMP that it replaces, under its own name, with exact copies of resources"
    )
    func copies() throws {
        let copy = try EditedTree()
        let bytes = Data([0x89, 0x50, 0x0D, 0x0A, 0xFF, 0x00, 0xC3]) + Data("PayTypeModule\r\n".utf8)
        func url(_ path: String) -> URL { copy.folder.url.appending(path: "Packages/Business/" + path) }
        try copy.folder.write(
            "Packages/Business/PayType/Sources/PayType/Deep/PayTypeTests+More.swift",
            "import PayType\nimport PayTypeApi\n\n// PayTypeService, PayTypeServices, PayTypeApi\nlet a = PayTypeModule.self\n"
        )
        try copy.folder.write("Packages/Business/PayType/Sources/PayType/Wallet.swift", "struct Wallet {}\n")
        try bytes.write(to: url("PayType/Sources/PayType/PayType.png"))
        try copy.make(NewModule(name: "Purse", alternativeTo: "PayType"))
        #expect(
            try copy.folder.read("Packages/Business/Purse/Sources/Purse/Deep/PurseTests+More.swift")
                == "import PayTypeApi\nimport Purse\n\n// PurseService, PayTypeServices, PayTypeApi\nlet a = PurseModule.self\n"
        )
        #expect(try Data(contentsOf: url("Purse/Sources/Purse/PayType.png")) == bytes)
        #expect(
            try Data(contentsOf: url("Purse/Sources/Purse/Wallet.swift"))
                == Data(contentsOf: url("PayType/Sources/PayType/Wallet.swift")))
    }

    @Test(
        "A module's name is an unused word that begins with a capital letter",
        arguments: [
            ("", "not a word"), ("wallet", "not a word"), ("1Wallet", "not a word"),
            ("Wal-let", "not a word"),
            ("Wal let", "not a word"), ("Wal_let", "not a word"), ("Größe", "not a word"),
            ("../Wallet", "not a word"), ("Self", "keyword"), ("Foundation", "standard module"),
            ("TESTING", "standard module"), ("SwiftUI", "standard module"), ("String", "standard type"),
            ("Default", "generated code"), ("WalletApi", "ends in 'Api'"), ("Api", "ends in 'Api'"),
            (String(repeating: "A", count: 31), "31 characters"), ("Wallet", nil), ("X", nil),
            ("PayType", nil),
            ("Module3D", nil), ("Tests", nil), ("URLs", nil), ("Class", nil),
        ])
    func names(name: String, reason: String?) throws {
        guard let reason else { return try ModuleName.validate(name) }
        let error = #expect(throws: Diagnostic.self) { try ModuleName.validate(name) }
        #expect(error?.kind == .configuration && error?.what.contains(reason) == true, "\(error as Any)")
    }

    @Test("The new-module and remove commands reject unsuitable names with a hint, and change nothing")
    func refused() throws {
        let copy = try EditedTree()
        let plan = try copy.make(NewModule(name: "ModuleBOther", alternativeTo: "ModuleB"))
        #expect(plan.next.last?.contains(",ModuleA,ModuleBOther,ModuleC,") == true)
        let target = "        .executableTarget(\n"
        let test = "        .testTarget(name: \"ShellTests\", path: \"Apps/Shell/Tests\"),\n"
        try copy.folder.edit("Package.swift", target, test + target)
        try copy.folder.write("Apps/Shell/Tests/Tests.swift", "import Testing\n")
        // What a removal by hand left.
        try copy.folder.write("Packages/Business/WalletApi/notes.txt", "x")
        let versions = try copy.folder.read("VERSIONS.md")
        try copy.folder.write(
            "VERSIONS.md",
            versions + "| Zebra | 1.0.0 | 1.0.0 | >= 1.0.0 |\n")
        let before = try copy.folder.files()
        let edits: [(any Edit, String)] = [
            (NewModule(name: "MODULEA"), "ModuleA exists"),
            (NewModule(name: "ModuleA", layer: "Common"), "ModuleA exists"),
            (NewModule(name: "Apicenter"), "ApiCenter exists"),
            (NewModule(name: "ModuleATests"), "ModuleATests exists"),
            (NewModule(name: "ModuleAModule"), "ModuleAModule exists"),
            (NewModule(name: "ShellTests"), "ShellTests exists"), (NewModule(name: "Shell"), "Shell exists"),
            (NewModule(name: "Wallet"), "Packages/Business/WalletApi: "),
            (NewModule(name: "ZEBRA"), "VERSIONS.md:"),
            (NewModule(name: "Purse", layer: "Bizness"), "Choose Business."),
            (NewModule(name: "Purse", layer: "Core"), "not a layer with pairs"),
            (NewModule(name: "Purse", calls: ["Nobody"]), "Choose one of: "),
            (NewModule(name: "Purse", calls: ["Lifecycle"]), "no such pair"),
            (NewModule(name: "Purse", calls: ["PayTipe"]), "Choose PayType."),
            (NewModule(name: "Purse", calls: ["ModuleBOther"]), "alternative IMP of ModuleB's Api"),
            (NewModule(name: "Purse", alternativeTo: "ModuleBOther"), "alternative IMP of ModuleB's Api"),
            (NewModule(name: "Purse", alternativeTo: "Nobody"), "no such pair"),
            (NewModule(name: "Purse", calls: ["ModuleB"], alternativeTo: "ModuleB"), "cannot be combined"),
            (NewModule(name: "Purse", layer: "Common", alternativeTo: "ModuleB"), "cannot be combined"),
            (RemoveModule(name: "ModuleB"), "ModuleBOther is an alternative to ModuleB"),
            (RemoveModule(name: "Nobody"), "Choose one of: "),
            (RemoveModule(name: "Lifecycle"), "Lifecycle is still used"),
            (RemoveModule(name: "modulea"), "Choose ModuleA."),
            (RemoveModule(name: "PayTypeApi"), "PayType."),
        ]
        for (edit, message) in edits {
            let error = try #require(throws: Diagnostic.self, "\(message)") { try copy.make(edit) }
            #expect(error.description.contains(message), "\(error)")
        }
        #expect(try copy.folder.files() == before)
    }

    @Test(
        "The new-module command rejects a tree whose manifest or release table it cannot parse",
        arguments: [("VERSIONS.md", "| >= ", "| == "), ("Package.swift", "let pairs", "let modules")])
    func damaged(file: String, old: String, new: String) throws {
        let copy = try EditedTree()
        try copy.folder.edit(file, old, new)
        let error = #expect(throws: Diagnostic.self) { try copy.make(NewModule(name: "Wallet")) }
        #expect(error?.place.path == file)
    }
}

extension NewModule: CustomTestStringConvertible {
    /// The arguments, as shown in the names of test cases.
    public var testDescription: String { "\(name) in \(layer ?? "") calling \(calls)" }
}
