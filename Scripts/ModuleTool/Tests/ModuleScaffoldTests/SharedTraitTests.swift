import Foundation
import Testing
import ToolFixtures

@Suite("Pairs that share a trait")
struct SharedTraitTests {
    private static let registrations = "Apps/Shell/Sources/AppModules/Registrations.swift"

    /// The sample tree, in which the pairs of Business share a trait, except PayType and its alternative.
    private func house() throws -> Tool {
        let tool = try Tool()
        try tool.tree.edit(
            ".modules.yml", "    packages: Packages\n", "    packages: Packages\n    trait: layer\n")
        let manifest = try tool.tree.read("Package.swift")
        try tool.tree.write(
            "Package.swift",
            manifest.replacing(/Pair\("Business\/(?!PayType)(\w+)"\)/) {
                "Pair(\"Business/\($0.output.1)\", trait: \"Business\")"
            })
        try #require(tool.run("registrations").status == 0)
        try tool.tree.commit("Shared")
        return tool
    }

    @Test(
        "Commands that add or remove a pair use the trait of the pair's layer, and the rules check that trait"
    )
    func commands() throws {
        let tool = try house()
        #expect(
            try tool.tree.read(Self.registrations).contains("#if Business || Ride\nimport Ride\n#endif\n"))
        #expect(try tool.tree.read(Self.registrations).contains("#if PayType\nimport PayType\n#endif\n"))
        try tool.expect("new-module Wallet --calls Ride")
        #expect(
            try tool.tree.read("Package.swift").contains(
                "    Pair(\"Business/Wallet\", trait: \"Business\"),\n"))
        #expect(
            try tool.tree.read(Self.registrations).contains(
                "#if Business || Wallet\n        WalletModule()\n"))
        try tool.expect("check")
        try tool.tree.edit(
            Self.registrations, "#if Business || Wallet\n        Wallet", "#if PayType\n        Wallet")
        try tool.expect("check app-list", 1, "WalletModule() is not inside #if Business")
        try tool.expect("registrations")
        try tool.tree.commit("Wallet")
        try tool.expect("remove Wallet")
        #expect(try tool.tree.git("diff", "HEAD~", "--stat") == "")
    }

    @Test("In a focus, a pair that shares a trait gets its own trait")
    func focus() throws {
        let tool = try house()
        try tool.expect("focus Ride")
        let focus = try tool.tree.read(".modules/in-focus/Package.swift")
        #expect(focus.contains("let traits: [SwiftSetting] = [\n    .define(\"Ride\"),\n]\n"))
        #expect(focus.contains("                \"Ride\",\n") || focus.contains("\"Ride\", "))
    }

    @Test("A pair that shares its trait cannot get an alternative, and the error states the reason")
    func alternative() throws {
        let tool = try house()
        try tool.expect(
            "new-module RideCashless --alternative-to Ride", 2,
            "a pair and its alternative cannot share their traits with others")
        #expect(try tool.tree.run("git", "status", "--porcelain") == "")
    }

    @Test(
        "The new-module command accepts the name of a layer's folder, and names the pair's trait after the folder"
    )
    func folders() throws {
        let tool = try house()
        let layers = """
            layers:
              - {name: Libraries, folders: [Packages/Base]}
              - {name: Pairs, folders: [Packages/Common, Packages/Business, Packages/Get-Money], pairs: optional}

            """
        try tool.tree.write(
            ".modules.yml", layers + "apps: [{registrations: \(Self.registrations), trait: folder}]\n")
        try tool.expect("new-module Wallet --layer get-money")
        #expect(
            try tool.tree.read("Package.swift").contains(
                "    Pair(\"Get-Money/Wallet\", trait: \"Get_Money\"),\n"))
        try tool.expect("new-module Purse --layer Mony", 2, "Mony")
    }
}
