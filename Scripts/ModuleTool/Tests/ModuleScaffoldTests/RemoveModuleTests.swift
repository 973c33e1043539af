import Foundation
import ModuleKit
import Testing

@testable import ModuleScaffold

@Suite("The remove command")
struct RemoveModuleTests {
    @Test("The remove command refuses to remove a module that other packages use, and lists the uses")
    func used() throws {
        let copy = try EditedTree()
        try copy.make(NewModule(name: "Wallet", calls: ["ModuleA"]))
        let before = try copy.folder.files()
        func refusal(_ name: String) throws -> String {
            let error = try #require(throws: Diagnostic.self) { try copy.make(RemoveModule(name: name)) }
            #expect(error.kind == .refused)
            return error.what
        }
        let uses = try refusal("ModuleA")
        let wallet = "\n  Packages/Business/Wallet/"
        #expect(uses.contains(wallet + "Sources/Wallet/WalletService.swift:2:1"), "\(uses)")
        #expect(uses.contains(wallet + "Package.swift:11:9"), "\(uses)")
        // Neither the module's own files nor the generated registrations are listed.
        #expect(!uses.contains("Packages/Business/ModuleA/") && !uses.contains("Registrations.swift"))
        #expect(try copy.folder.files() == before)
        // A mention in the root manifest outside the list of pairs counts as a use, and so does an import without a
        // dependency.
        let manifest = try copy.folder.read("Package.swift")
        try copy.folder.write(
            "Package.swift",
            manifest.replacing(
                "product(\"ApiCenter\")", with: "product(\"WalletApi\"), product(\"ApiCenter\")"))
        #expect(try refusal("Wallet").contains("  Package.swift:"))
        try copy.folder.write("Package.swift", manifest)
        let file = "Packages/Base/Lifecycle/Tests/LifecycleTests/Support.swift"
        try copy.folder.write(file, "@testable import struct Wallet.X; import Foundation\n")
        #expect(try refusal("Wallet").contains("  \(file):1:"))
        try copy.folder.write(file, "// import Wallet\nlet text = \"import WalletApi\"\n")
        try copy.folder.commit("Wallet")
        try copy.make(RemoveModule(name: "Wallet"))
    }

    @Test(
        "The remove command refuses to delete uncommitted work, even without a full git history",
        arguments: [
            ":", "rm -rf .git", "rm -rf .git && git init --quiet", "git rev-parse HEAD >.git/shallow",
        ])
    func uncommitted(history: String) throws {
        let copy = try EditedTree()
        try copy.make(NewModule(name: "Wallet"))
        try copy.folder.commit("Wallet")
        try copy.folder.run("sh", "-c", history)
        let service = "Packages/Business/Wallet/Sources/Wallet/WalletService.swift"
        try copy.folder.write(service, copy.folder.read(service) + "// A day's work.\n")
        let error = #expect(throws: Diagnostic.self) { try copy.make(RemoveModule(name: "Wallet")) }
        let lost = history == "rm -rf .git" ? "Packages/Business/Wallet" : service
        #expect(error?.kind == .refused && error?.what.contains("\n  \(lost)") == true)
        #expect(copy.root.exists(service))
        try copy.folder.commit("Work")
        try copy.make(RemoveModule(name: "Wallet"))
    }
}
