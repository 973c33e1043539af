import Foundation
import Testing

@testable import ModuleEdits

@Suite("remove")
struct RemoveModuleTests {
    @Test("refuses to remove what others use, and lists where")
    func used() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet", calls: ["ModuleA"]))
        let before = try copy.folder.files()
        let error = try #require(throws: EditError.self) { try copy.make(RemoveModule(name: "ModuleA")) }
        #expect(error.kind == .refused)
        for place in [
            "Packages/Business/Wallet/Sources/Wallet/WalletService.swift:2:1",
            "Packages/Business/Wallet/Tests/WalletTests/WalletTests.swift:2:1",
            "Packages/Business/Wallet/Package.swift:11:9",
        ] {
            #expect(error.what.contains("  " + place), "\(error.what)")
        }
        // Neither its own files nor what follows from the list of pairs.
        #expect(!error.what.contains("Packages/Business/ModuleA/"))
        #expect(!error.what.contains(RegistrationsFile.path))
        #expect(try copy.folder.files() == before)
    }

    @Test("sees a use that the root manifest writes out")
    func rootManifest() throws {
        let copy = try HouseCopy()
        try copy.make(NewModule(name: "Wallet"))
        let manifest = try copy.folder.text("Package.swift")
            .replacing("uses: [\"", with: "uses: [\"WalletApi\", \"", maxReplacements: 1)
        try copy.folder.write(manifest, to: "Package.swift")
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: "Wallet")) }
        #expect(error?.what.contains("Package.swift:") == true)
    }

    @Test("sees an import without a declared dependency, and one in a test")
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

    @Test("refuses to lose files that are in no commit and that new-module did not make")
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
        "refuses to lose work in the files that new-module made, also before the first commit and in a shallow clone",
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
        // A version that was raised is no work to lose.
        try copy.make(BumpModule(name: "Wallet", step: .minor, notes: ["More."]))
        try copy.make(RemoveModule(name: "Wallet"))
    }

    @Test("of what is no pair is refused", arguments: ["Nobody", "Lifecycle", "modulea", "ModuleAApi"])
    func unknown(name: String) throws {
        let copy = try HouseCopy()
        let error = #expect(throws: EditError.self) { try copy.make(RemoveModule(name: name)) }
        #expect(error?.kind == .usage)
        #expect(error?.mend.contains("ModuleA, ModuleB, ModuleC") == true)
    }
}
