import Foundation
import Testing

@testable import ModuleEdits

@Suite("The remove command")
struct RemoveModuleTests {
    @Test("remove refuses a module that other packages use, and lists the uses")
    func used() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet", calls: ["ModuleA"]))
        let before = try copy.folder.files()
        let error = try #require(throws: EditError.self) { try copy.make(RemoveModule(name: "ModuleA")) }
        #expect(error.kind == .refused)
        for place in [
            "Packages/Business/Wallet/Sources/Wallet/WalletService.swift:2:1",
            "Packages/Business/Wallet/Package.swift:11:9",
        ] {
            #expect(error.what.contains("  " + place), "\(error.what)")
        }
        // The module's own files and the generated registrations are not listed.
        #expect(!error.what.contains("Packages/Business/ModuleA/"))
        #expect(!error.what.contains(RegistrationsFile.path))
        #expect(try copy.folder.files() == before)
    }

    @Test("remove refuses a module that the root manifest names outside of the list of pairs")
    func rootManifest() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet"))
        let manifest = try copy.folder.text("Package.swift")
            .replacing("uses: [\"", with: "uses: [\"WalletApi\", \"", maxReplacements: 1)
        try copy.folder.write(manifest, to: "Package.swift")
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: "Wallet")) }
        #expect(error?.what.contains("Package.swift:") == true)
    }

    @Test("remove refuses a module that a test imports without declaring the dependency")
    func undeclared() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet"))
        let file = "Packages/Base/Lifecycle/Tests/LifecycleTests/Support.swift"
        try copy.folder.write("@testable import struct Wallet.X; import Foundation\n", to: file)
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: "Wallet")) }
        #expect(error?.what.contains(file) == true)
        try copy.folder.write("// import Wallet\nlet text = \"import WalletApi\"\n", to: file)
        try copy.make(RemoveModule(name: "Wallet"))
    }

    @Test("remove refuses to delete uncommitted files that new-module did not create")
    func uncommitted() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet"))
        let notes = "Packages/Business/Wallet/notes.txt"
        try copy.folder.write("mine", to: notes)
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: "Wallet")) }
        #expect(error?.kind == .refused)
        #expect(error?.what.hasSuffix("\n  \(notes)") == true)
        #expect(try copy.folder.text(notes) == "mine")
        _ = try copy.git("add", "--all")
        _ = try copy.git(
            "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "Wallet")
        try copy.make(RemoveModule(name: "Wallet"))
    }

    @Test(
        "remove refuses to delete uncommitted edits of generated files, even without a full history",
        arguments: ["", "rm -rf .git && git init --quiet", "git rev-parse HEAD >.git/shallow"])
    func edited(history: String) throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet", calls: ["ModuleB", "ModuleA"]))
        try copy.run(["sh", "-c", history])
        let service = "Packages/Business/Wallet/Sources/Wallet/WalletService.swift"
        let made = try copy.folder.text(service)
        try copy.folder.write(made + "// A day's work.\n", to: service)
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: "Wallet")) }
        #expect(error?.what.hasSuffix("\n  \(service)") == true, "\(error?.what ?? "")")
        try copy.folder.write(made, to: service)
        // A raised version does not count as an edit.
        try copy.make(BumpModule(name: "Wallet", step: .minor, notes: ["More."]))
        try copy.make(RemoveModule(name: "Wallet"))
    }

    @Test(
        "remove rejects a name that is not a pair",
        arguments: ["Nobody", "Lifecycle", "modulea", "ModuleAApi"])
    func unknown(name: String) throws {
        let copy = try HouseCopy()
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: name)) }
        #expect(error?.kind == .usage)
        #expect(error?.fix.contains("ModuleA, ModuleB, ModuleC") == true)
    }
}
