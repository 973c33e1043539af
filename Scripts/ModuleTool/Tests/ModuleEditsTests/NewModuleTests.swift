import Foundation
import ModuleRules
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleEdits

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
        let copy = try HouseCopy()
        let before = try copy.folder.files()
        try copy.make(edit)
        let pairs = try copy.root.pairLists().pairs
        #expect(pairs.map(\.path) == pairs.map(\.path).sorted())
        let layer = edit.layer ?? (edit.base == "Logger" ? "Common" : "Business")
        #expect(pairs.contains { $0.path == "\(layer)/\(edit.name)" })
        let api = try copy.root.versionsFile().row(of: edit.name)?.api
        #expect(api == edit.base.map { .of($0) } ?? .own(SemanticVersion(0, 1, 0)))
        let findings = try RuleBook.findings(of: RuleBook.rules, in: RuleContext(copy.root.tree()))
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
        let copy = try HouseCopy()
        for name in ["Zz", "N" + String(repeating: "x", count: ModuleName.longest - 2)] {
            let calls = Array(try copy.root.pairLists().pairs.filter { $0.alternativeTo == nil }.prefix(4))
            try copy.make(NewModule(name: name, calls: calls.map(\.name) + ["ModuleA", "SDKManager"]))
            try copy.make(NewModule(name: name + "2", alternativeTo: "PayType"))
        }
        try copy.folder.git("add", "--all")
        let changed = try copy.folder.git("diff", "--cached", "--name-only", "--", "*.swift")
            .split(separator: "\n").map(String.init)
        #expect(changed.count > 20)
        _ = try copy.folder.run(["swift", "format", "lint", "--strict"] + changed)
    }

    @Test("A new alternative IMP is a copy of the IMP that it replaces, under its own name")
    func copies() throws {
        let copy = try HouseCopy()
        let source = "Packages/Business/PayType/Sources/PayType/"
        try copy.folder.write(
            source + "Deep/PayTypeTests+More.swift",
            "import PayType\nimport PayTypeApi\n\n// PayTypeService, PayTypeServices, PayTypeApi\nlet a = PayTypeModule.self\n"
        )
        try copy.make(NewModule(name: "Purse", alternativeTo: "PayType"))
        #expect(
            try copy.folder.read("Packages/Business/Purse/Sources/Purse/Deep/PurseTests+More.swift")
                == "import PayTypeApi\nimport Purse\n\n// PurseService, PayTypeServices, PayTypeApi\nlet a = PurseModule.self\n"
        )
        let wallet = "Packages/Business/Purse/Sources/Purse/Wallet.swift"
        #expect(try copy.folder.read(wallet) == copy.folder.read(source + "Wallet.swift"))
    }

    @Test(
        "An alternative gets exact copies of the IMP's resources, and cannot be removed if a copy has been edited"
    )
    func resources() throws {
        let copy = try HouseCopy()
        func url(_ pair: String) -> URL {
            let folder = "Packages/Business/\(pair)/Sources/\(pair)/Resources"
            return copy.folder.url.appending(path: folder + "/PayType.png")
        }
        let bytes = Data([0x89, 0x50, 0x0D, 0x0A, 0xFF, 0x00, 0xC3]) + Data("PayTypeModule\r\n".utf8)
        let folder = url("PayType").deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: url("PayType"))
        try copy.folder.commit("A logo")
        let before = try copy.folder.files()
        try copy.make(NewModule(name: "Purse", alternativeTo: "PayType"))
        #expect(try Data(contentsOf: url("Purse")) == bytes)
        try copy.folder.commit("Purse")
        try copy.make(RemoveModule(name: "Purse"))
        #expect(try copy.folder.files() == before)
    }

    @Test(
        "The new-module command rejects invalid module names",
        arguments: [
            ("", "empty"), ("Self", "keyword"), ("Type", "keyword"), ("wallet", "lower-case letter"),
            ("1Wallet", "begins with a digit"), ("Wal-let", "ASCII"), ("Wal let", "ASCII"),
            ("Wal_let", "ASCII"), ("Größe", "ASCII"), ("../Wallet", "ASCII"),
            ("Foundation", "standard module"), ("TESTING", "standard module"), ("SwiftUI", "standard module"),
            ("String", "standard type"), ("Default", "generated code"),
            ("WalletApi", "ends in 'Api'"),
            ("Api", "ends in 'Api'"), (String(repeating: "A", count: 31), "31 characters"),
        ])
    func badNames(name: String, reason: String) throws {
        let error = #expect(throws: Diagnostic.self) { try ModuleName.validate(name) }
        #expect(error?.kind == .configuration)
        #expect(error?.what.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.why.isEmpty == false && error?.fix.isEmpty == false)
    }

    @Test(
        "The new-module command accepts ordinary names",
        arguments: ["Wallet", "X", "PayType", "Module3D", "Tests", "URLs", "Class"])
    func goodNames(name: String) throws {
        try ModuleName.validate(name)
    }

    @Test("The new-module and remove commands reject unsuitable names with a hint, and change nothing")
    func taken() throws {
        let copy = try HouseCopy()
        let edits: [(any Edit, String)] = [
            (NewModule(name: "MODULEA"), "ModuleA exists"),
            (NewModule(name: "ModuleA", layer: "Common"), "ModuleA exists"),
            (NewModule(name: "Apicenter"), "ApiCenter exists"),
            (NewModule(name: "ModuleATests"), "target ModuleATests exists"),
            (NewModule(name: "ModuleAModule"), "ModuleA is a pair"),
            (NewModule(name: "ShellTests"), "target ShellTests exists"),
            (NewModule(name: "Shell"), "target Shell exists"),
            (NewModule(name: "Wallet", layer: "Bizness"), "Choose Business."),
            (NewModule(name: "Wallet", layer: "Core"), "not a layer with pairs"),
            (NewModule(name: "Wallet", calls: ["Nobody"]), "Choose one of: "),
            (NewModule(name: "Wallet", calls: ["Lifecycle"]), "no such pair"),
            (NewModule(name: "Wallet", calls: ["PayTipe"]), "Choose PayType."),
            (NewModule(name: "Wallet", alternativeTo: "Nobody"), "no such pair"),
            (NewModule(name: "Wallet", calls: ["ModuleB"], alternativeTo: "ModuleB"), "cannot be combined"),
            (NewModule(name: "Wallet", layer: "Common", alternativeTo: "ModuleB"), "cannot be combined"),
            (RemoveModule(name: "Nobody"), "Choose one of: "), (RemoveModule(name: "Lifecycle"), "no pair"),
            (RemoveModule(name: "modulea"), "Choose ModuleA."),
            (RemoveModule(name: "PayTypeApi"), "PayType."),
        ]
        for (edit, message) in edits {
            let error = try #require(throws: Diagnostic.self) { try copy.make(edit) }
            #expect(error.kind == .configuration && error.description.contains(message), "\(error)")
        }
        #expect(try copy.folder.git("status", "--porcelain") == "")
    }

    @Test(
        "A pair with an alternative IMP cannot be removed, and other pairs can neither call nor replace the alternative"
    )
    func alternative() throws {
        let copy = try HouseCopy()
        let plan = try copy.make(NewModule(name: "ModuleBOther", alternativeTo: "ModuleB"))
        #expect(plan.next.last?.contains(",ModuleA,ModuleBOther,ModuleC,") == true)
        for edit in [
            NewModule(name: "Wallet", calls: ["ModuleBOther"]),
            NewModule(name: "Wallet", alternativeTo: "ModuleBOther"),
        ] {
            let error = #expect(throws: Diagnostic.self) { try copy.make(edit) }
            #expect(error?.what.contains("alternative IMP of ModuleB's Api") == true)
        }
        let error = #expect(throws: Diagnostic.self) { try copy.make(RemoveModule(name: "ModuleB")) }
        #expect(error?.what.contains("ModuleBOther is an alternative to ModuleB") == true)
    }

    @Test("The new-module command rejects a name that a leftover folder or table row still uses")
    func rests() throws {
        let copy = try HouseCopy()
        try copy.folder.write("Packages/Common/wallet/notes.txt", "x")
        #expect(throws: Diagnostic.self) { try copy.make(NewModule(name: "Wallet")) }
        let first = SemanticVersion(1, 0, 0)
        let versions = try copy.root.versionsFile().with(
            .init(module: "Zebra", api: .own(first), imp: first, floor: first))
        try copy.folder.write("VERSIONS.md", versions.text)
        let error = #expect(throws: Diagnostic.self) { try copy.make(NewModule(name: "Zebra")) }
        #expect(error?.place.description.hasPrefix("VERSIONS.md:") == true)
    }

    @Test("The new-module command rejects a tree whose manifest or release table it cannot parse")
    func damaged() throws {
        let copy = try HouseCopy()
        let versions = try copy.folder.read("VERSIONS.md")
        try copy.folder.write("VERSIONS.md", versions.replacing("| >= ", with: "| == "))
        #expect(throws: Diagnostic.self) { try copy.make(NewModule(name: "Wallet")) }
        try copy.folder.write("VERSIONS.md", versions)
        let manifest = try copy.folder.read("Package.swift")
        try copy.folder.write("Package.swift", manifest.replacing("let pairs", with: "let modules"))
        #expect(throws: Diagnostic.self) { try copy.make(NewModule(name: "Wallet")) }
    }
}

extension NewModule: CustomTestStringConvertible {
    /// The arguments, as shown in the names of test cases.
    public var testDescription: String { "\(name) in \(layer ?? "") calling \(calls)" }
}
