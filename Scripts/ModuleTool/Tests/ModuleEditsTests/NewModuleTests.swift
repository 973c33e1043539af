import Foundation
import ModuleRules
import ModuleTree
import ModuleVersions
import Testing

@testable import ModuleEdits

@Suite("The new-module command")
struct NewModuleTests {
    @Test(
        "new-module creates both packages and adds them to all lists, without breaking a rule",
        arguments: [
            NewModule(name: "Wallet"), NewModule(name: "Aaa", calls: ["ModuleA"]),
            NewModule(name: "ModuleAb", calls: ["ModuleC", "ModuleA", "ModuleC"]),
            NewModule(name: "Passenger", layer: .common),
            NewModule(name: "Passenger", layer: .common, calls: ["ModuleB"]),
            NewModule(name: "ModuleBOther", alternativeTo: "ModuleB"),
            NewModule(name: "ModuleBOther", calls: ["ModuleC", "ModuleA"], alternativeTo: "ModuleB"),
            NewModule(name: "ModuleBLocal", layer: .common, alternativeTo: "ModuleB"),
            NewModule(name: "ModuleBLocal", layer: .common, calls: ["ModuleA"], alternativeTo: "ModuleB"),
        ])
    func adds(edit: NewModule) throws {
        let copy = try HouseCopy()
        try copy.make(edit)
        let pairs = try copy.root.pairList().pairs
        #expect(pairs.map(\.path) == pairs.map(\.path).sorted())
        #expect(pairs.contains { $0.path == "\(edit.layer.rawValue)/\(edit.name)" })
        let versions = try copy.root.versionsFile()
        #expect(versions.inconsistencies == [])
        #expect(
            versions.row(of: edit.name)?.api == edit.base.map { .of($0) } ?? .own(SemanticVersion(1, 0, 0)))
        let rules = try RuleBook.rules(named: [])
        let findings = try RuleBook.findings(of: rules, in: RuleContext(copy.root.tree()))
        #expect(findings.isEmpty, "\(findings.map { "\($0.place) \($0.rule) \($0.what)" })")
        try MakeRegistrations().check(copy.root)
    }

    @Test("new-module writes formatted code, for short and long names")
    func format() throws {
        let copy = try HouseCopy()
        let lengths = [2, 9, 10, 15, 16, 22, 23, ModuleName.longest]
        let names = lengths.map { "N" + String(repeating: "x", count: $0 - 1) }
        var calls: [(api: ApiProtocol, path: String)] = []
        for name in names + ["Last"] {
            let template = PairTemplate(name: name, folder: "New/\(name)", calls: calls)
            for case .write(let path, let contents) in template.changes {
                try copy.folder.write(contents, to: path)
                guard path.hasSuffix("ApiProtocol.swift") else { continue }
                let api = try ApiProtocol(module: name, path: path, source: contents)
                calls.append((try #require(api), "../\(name)Api"))
                // An Api protocol without requirements, so that there is nothing to call.
                let mute = "protocol \(name)MApiProtocol {}"
                if let api = try ApiProtocol(module: name + "M", path: path, source: mute), name.count < 30 {
                    calls.append((api, "../\(name)MApi"))
                }
            }
        }
        let alternatives = calls.flatMap { api, path in
            ["Alt", "Ask"].map { prefix in
                AlternativeTemplate(
                    name: prefix + api.module, folder: "New/\(prefix)\(api.module)", api: (api, path),
                    calls: prefix == "Alt" ? [] : calls.filter { $0.api.module != api.module })
            }
        }
        for case .write(let path, let contents) in alternatives.flatMap(\.changes)
        where !path.contains("Altxx") {
            try copy.folder.write(contents, to: path)
        }
        try copy.run(["swift", "format", "lint", "--strict", "--recursive", "New"])
    }

    @Test("new-module reports that a pair already exists, and changes nothing")
    func twice() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet"))
        let files = try copy.folder.files()
        let plan = try copy.make(NewModule(name: "Wallet"))
        #expect(plan.changes == [])
        #expect(plan.summary.contains("exists already"))
        #expect(try copy.folder.files() == files)
    }

    @Test("new-module rejects an existing pair with different options, and changes nothing")
    func twiceOtherwise() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet", calls: ["ModuleA", "ModuleB"]))
        let files = try copy.folder.files()
        for (edit, expected) in [
            (NewModule(name: "Wallet", calls: ["ModuleB", "ModuleC"]), ": it does not call ModuleC."),
            (
                NewModule(name: "Wallet", alternativeTo: "ModuleC"),
                ": it has an Api of its own."
            ),
            (NewModule(name: "Wallet", layer: .common), "Wallet exists"),
        ] {
            let error = #expect(throws: EditError.self) { try copy.make(edit) }
            #expect(error?.what.contains(expected) == true, "\(error?.description ?? "")")
        }
        // The existing module may call more modules than the options name.
        for calls in [[], ["ModuleB"]] {
            #expect(try copy.make(NewModule(name: "Wallet", calls: calls)).changes == [])
        }
        #expect(try copy.folder.files() == files)
    }

    @Test(
        "Removing a new module restores the tree",
        arguments: [
            NewModule(name: "Wallet", calls: ["ModuleA"]), NewModule(name: "Aaa"),
            NewModule(name: "ModuleBz"),
            NewModule(name: "AnOddlyLongNameForAModule"), NewModule(name: "Passenger", layer: .common),
            NewModule(name: "ModuleBOther", alternativeTo: "ModuleB"),
            NewModule(name: "ModuleBOther", layer: .common, calls: ["ModuleA"], alternativeTo: "ModuleB"),
        ])
    func addAndRemove(edit: NewModule) throws {
        let copy = try HouseCopy()
        let before = try copy.folder.files()
        try copy.make(edit)
        #expect(try copy.git("status", "--porcelain") != "")
        // Build products inside the packages are removed as well.
        try copy.folder.write("x", to: "Packages/\(edit.layer.rawValue)/\(edit.name)/.build/debug/x.o")
        try copy.make(RemoveModule(name: edit.name))
        #expect(try copy.folder.files() == before)
        #expect(try copy.git("status", "--porcelain") == "")
    }

    @Test(
        "new-module rejects invalid module names",
        arguments: [
            ("", "empty"), ("class", "keyword"), ("Self", "keyword"), ("Type", "keyword"),
            ("wallet", "lower-case letter"),
            ("1Wallet", "begins with a digit"), ("Wal-let", "'-'"), ("Wal let", "' '"), ("Wal_let", "'_'"),
            ("Größe", "'ö'"), ("../Wallet", "'.'"), ("Foundation", "standard module"),
            ("Swift", "standard module"),
            ("testing", "lower-case letter"), ("TESTING", "standard module"), ("SwiftUI", "standard module"),
            ("String", "standard type"), ("Shell", "the Shell"), ("Default", "the Shell"),
            ("WalletApi", "ends in 'Api'"),
            ("Api", "ends in 'Api'"), (String(repeating: "A", count: 31), "31 characters"),
        ])
    func badNames(name: String, reason: String) throws {
        let error = #expect(throws: EditError.self) { try ModuleName.validate(name) }
        #expect(error?.kind == .usage)
        #expect(error?.what.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.why.isEmpty == false && error?.fix.isEmpty == false)
    }

    @Test(
        "new-module accepts ordinary names",
        arguments: ["Wallet", "X", "PayType", "Module3D", "Tests", "URLs", "Class"])
    func goodNames(name: String) throws {
        try ModuleName.validate(name)
    }

    @Test(
        "new-module rejects names that exist or would clash, and changes nothing",
        arguments: [
            (NewModule(name: "MODULEA"), "ModuleA exists"),
            (NewModule(name: "ModuleA", layer: .common), "ModuleA exists"),
            (NewModule(name: "Lifecycle"), "Lifecycle exists"),
            (NewModule(name: "Apicenter"), "ApiCenter exists"),
            (NewModule(name: "ModuleATests"), "target ModuleATests exists"),
            (NewModule(name: "ModuleAModule"), "ModuleA is a pair"),
            (NewModule(name: "ShellTests"), "target ShellTests exists"),
            (NewModule(name: "Wallet", calls: ["Nobody"]), "no such pair"),
            (NewModule(name: "Wallet", calls: ["Wallet"]), "no such pair"),
            (NewModule(name: "Wallet", calls: ["Lifecycle"]), "no such pair"),
            (NewModule(name: "Wallet", alternativeTo: "Nobody"), "no such pair"),
            (
                NewModule(name: "Wallet", calls: ["ModuleB"], alternativeTo: "ModuleB"),
                "cannot call ModuleB and be an alternative to it"
            ),
        ])
    func taken(edit: NewModule, reason: String) throws {
        let copy = try HouseCopy()
        let error = #expect(throws: EditError.self) { try copy.make(edit) }
        #expect(error?.what.contains(reason) == true, "\(error?.description ?? "")")
        #expect(try copy.git("status", "--porcelain") == "")
    }

    @Test("A pair with an alternative IMP cannot be removed; the IMP cannot be called or have alternatives")
    func alternative() throws {
        let copy = try HouseCopy()
        let plan = try copy.make(NewModule(name: "ModuleBOther", alternativeTo: "ModuleB"))
        #expect(plan.next.last?.contains(",ModuleA,ModuleBOther,ModuleC,") == true)
        for edit in [
            NewModule(name: "Wallet", calls: ["ModuleBOther"]),
            NewModule(name: "Wallet", alternativeTo: "ModuleBOther"),
        ] {
            let error = #expect(throws: EditError.self) { try copy.make(edit) }
            #expect(error?.what.contains("alternative IMP of ModuleBApi") == true)
        }
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: "ModuleB")) }
        #expect(error?.what.contains("ModuleBOther is an alternative to ModuleB") == true)
    }

    @Test("new-module rejects a name that a leftover folder or row still uses")
    func rests() throws {
        let copy = try HouseCopy()
        try copy.folder.write("x", to: "Packages/Common/wallet/notes.txt")
        #expect(throws: EditError.self) { try copy.make(NewModule(name: "Wallet")) }
        let first = SemanticVersion(1, 0, 0)
        let versions = try copy.root.versionsFile().with(
            .init(module: "Zebra", api: .own(first), imp: first, floor: first))
        try copy.folder.write(versions.text, to: "VERSIONS.md")
        let error = #expect(throws: EditError.self) { try copy.make(NewModule(name: "Zebra")) }
        #expect(error?.place?.hasPrefix("VERSIONS.md:") == true)
    }

    @Test("new-module rejects a tree whose manifest or release table it cannot parse")
    func damaged() throws {
        let copy = try HouseCopy()
        let versions = try copy.folder.text("VERSIONS.md")
        try copy.folder.write(versions.replacing("| >= ", with: "| == "), to: "VERSIONS.md")
        #expect(throws: EditError.self) { try copy.make(NewModule(name: "Wallet")) }
        try copy.folder.write(versions, to: "VERSIONS.md")
        let manifest = try copy.folder.text("Package.swift")
        try copy.folder.write(manifest.replacing("let pairs", with: "let modules"), to: "Package.swift")
        #expect(throws: EditError.self) { try copy.make(NewModule(name: "Wallet")) }
    }
}

extension NewModule: CustomTestStringConvertible {
    /// The arguments, as shown in the names of test cases.
    public var testDescription: String { "\(layer.rawValue)/\(name) calling \(calls)" }
}
