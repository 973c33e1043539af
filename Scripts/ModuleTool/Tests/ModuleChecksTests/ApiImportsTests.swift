import ModuleFixtures
import ModuleKit
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleChecks

@Suite("The modules that Apis may import")
struct ApiImportsTests {
    private static let models = "Packages/Base/Models/Sources/Models/Models.swift"
    private static let account = "public struct Account: Codable, Sendable {"
    private let tree: TemporaryTree

    /// The small tree with a library Models, which may be imported and whose types RideApi shows.
    init() throws {
        tree = try SmallTree.make()
        try tree.write(File.configuration, "api-imports: [Models, SwiftUI]\n")
        try library(
            "Models", "\(Self.account)\n    public let name: String\n}\n\npublic protocol Item: Sendable {}\n"
        )
        try tree.edit(
            File.rideApiManifest, "dependencies: [\n    ]",
            "dependencies: [\n        .package(path: \"../../Base/Models\")\n    ]")
        try tree.edit(File.rideApiManifest, "dependencies: []", "dependencies: [\"Models\"]")
        try tree.edit(
            File.rideApi, "/// What other modules may ask of Ride.",
            "import Models\nimport SwiftUI\n\n/// What other modules may ask of Ride.")
        try requirement("func account() -> Account")
        try tree.edit(File.shell, "import ApiCenter\n", "import ApiCenter\nimport SwiftUI\n")
    }

    private func library(_ name: String, _ code: String) throws {
        let folder = "Packages/Base/\(name)"
        try tree.write("\(folder)/Package.swift", SmallTree.manifest(name))
        try tree.write("\(folder)/Sources/\(name)/\(name).swift", code)
        try tree.write("\(folder)/CHANGELOG.md", "# Changelog\n\n## 1.0.0\n\n- First release.\n")
        let rows = try tree.read(File.versions)
        let next = try #require(
            rows.split(separator: "\n").first { $0 > "| \(name)" && $0.hasSuffix(".0 |") && $0.count < 26 })
        try tree.edit(File.versions, String(next), "| \(name) | 1.0.0 |\n\(next)")
    }

    /// Adds a requirement to RideApiProtocol.
    private func requirement(_ code: String) throws {
        try tree.insert("    \(code)\n", before: "    func rides(", in: File.rideApi)
    }

    /// Commits a release of all versions.
    private func release() throws {
        let versions = try tree.read(File.versions)
        try tree.write(File.versions, versions.replacing(/\d+\.\d+\.\d+/, with: "0.0.1"))
        try tree.commit("Before the first release")
        try tree.write(File.versions, versions)
        try tree.commit("First state")
    }

    private func findings(_ rules: String...) throws -> [String] {
        try tree.findings(rules).map { "\($0.place): \($0.rule): \($0.what)" }
    }

    // MARK: Imports

    @Test("No rule reports an Api that imports a listed framework and a listed library in a layer below")
    func allowed() throws {
        try release()
        #expect(try findings() == [])
    }

    @Test("Without the key, the dependency and the import of the framework are reported")
    func forbidden() throws {
        try tree.write(File.configuration, "")
        #expect(
            try findings("api-alone") == [
                "\(File.rideApiManifest):8:9: api-alone: RideApi depends on Models",
                "\(File.rideApi):2:1: api-alone: RideApi imports SwiftUI",
            ])
    }

    @Test("What the key does not list stays forbidden, of the same library too")
    func unlisted() throws {
        try tree.edit(
            File.rideApi, "import Models", "import Mediator\nimport Models\nimport ModelsMore\nimport UIKit")
        try tree.edit(
            File.rideApiManifest, ".package(path: \"../../Base/Models\")",
            ".package(path: \"../../Base/Mediator\"),\n        .package(path: \"../../Base/Models\")")
        let manifest = "Packages/Base/Models/Package.swift"
        try tree.edit(manifest, "targets: [\n", "targets: [\n        .target(name: \"ModelsMore\"),\n")
        try tree.write("Packages/Base/Models/Sources/ModelsMore/More.swift", "public struct More {}\n")
        #expect(
            try findings("api-alone") == [
                "\(File.rideApiManifest):8:9: api-alone: RideApi depends on Mediator",
                "\(File.rideApi):3:1: api-alone: RideApi imports ModelsMore",
                "\(File.rideApi):4:1: api-alone: RideApi imports UIKit",
            ])
    }

    @Test(
        "A value in an Api may name the plain types of a listed library, but no class and no framework's type"
    )
    func content() throws {
        try tree.write(Self.models, tree.read(Self.models) + "public final class Store {}\n")
        try tree.insert(
            """
            public struct RideStyle: Sendable {
                public let account: Account
                public init(account: Account = Account(name: ""), tint: Color = .red) {}
                public func a(_ tint: Color = Color.red, _ store: Store = Store()) {}
            }

            """, before: "public struct RideCode", in: File.rideApi)
        #expect(
            try findings("api-content").map { $0.split(separator: " ").last } == ["Color", "Store"])
    }

    @Test("A signature with a protocol of a listed library leads to the types of the Api that conform to it")
    func signature() throws {
        try requirement("func items() -> [any Item]")
        try tree.insert(
            "public struct Stop: Item { public let name: String }\n", before: "public struct RideCode",
            in: File.rideApi)
        #expect(try findings("api-signature") == [])
        try tree.edit(File.rideApi, "func items() -> [any Item]", "func items() -> [Account]")
        #expect(try findings("api-signature").count == 1)
    }

    @Test("A listed library that re-exports a module is reported, another library is not")
    func reexports() throws {
        for file in [Self.models, File.mediator] {
            try tree.write(file, "@_exported import UIKit\n" + tree.read(file))
        }
        #expect(
            try findings("api-reexports") == [
                "\(Self.models):1:1: api-reexports: Models, which Apis may import, re-exports UIKit"
            ])
    }

    // MARK: Wrong values

    @Test(
        "A module that Apis cannot import is an error at its place",
        arguments: [
            ("Ride", "Ride belongs to the IMP Ride"),
            ("JourneyApi", "JourneyApi belongs to the Api JourneyApi"),
            ("ErrorCode", "ErrorCode is in the layer Common, which is not below the Apis"),
            ("Shell", "Shell belongs to the app"),
            ("Tools", "Tools belongs to Scripts/Tools, which is in no layer"),
            ("Charts", "Charts is a third-party module"),
            ("ModelsTests", "ModelsTests is no library of Models"),
            ("Mediater", "no package declares the module Mediater, and no source imports it"),
        ])
    func wrong(module: String, what: String) throws {
        try tree.write("Scripts/Tools/Package.swift", SmallTree.manifest("Tools"))
        try tree.write("Scripts/Tools/Sources/Tools/Tools.swift", "")
        try tree.edit(
            "Packages/Base/Models/Package.swift", "targets: [\n",
            "targets: [\n        .testTarget(name: \"ModelsTests\", dependencies: [.product(name: \"Charts\", package: \"charts\")]),\n"
        )
        try tree.write("Packages/Base/Models/Tests/ModelsTests/ModelsTests.swift", "import Charts\n")
        try tree.write(File.configuration, "api-imports:\n  - Models\n  - \(module)\n")
        let error = #expect(throws: Diagnostic.self) { try findings("api-alone") }
        #expect(error?.place.description == ".modules.yml:3:5" && error?.kind == .configuration)
        #expect(error?.what.hasPrefix(what) == true && error?.why.isEmpty == false, "\(error as Any)")
        #expect(error?.isInForm == true)
        if module == "Mediater" {
            #expect(error?.fix.hasPrefix("Write Mediator, or remove the entry") == true)
        }
        if module == "ErrorCode" { #expect(error?.fix == "Move Packages/Common/ErrorCode to Packages/Base.") }
    }

    // MARK: Versions

    @Test("A break in a listed library is a break of the Apis that import it, and an addition is none")
    func breaks() throws {
        try release()
        try tree.edit(Self.models, "public protocol", "public struct Added: Sendable {}\n\npublic protocol")
        #expect(try tree.findings("version-step") == [])
        try tree.edit(Self.models, "name: String", "name: Substring")
        let findings = try tree.findings("version-step", "version-raised")
        #expect(findings.map(\.rule) == ["version-raised", "version-step"])
        let step = try #require(findings.last)
        #expect(step.place.description == "\(Self.models):2:5")
        #expect(
            step.what.contains(
                "RideApi changed since 1.2.0, but its version is 1.2.0: in Models, which RideApi shows, Account.name has changed"
            ))
        #expect(step.fix.hasSuffix("Scripts/modules bump Ride major --note \"what changed for callers\""))
        let context = RuleContext(try TreeReader(root: tree.root, caching: .file(HouseFiles.facts)).read())
        #expect(
            try context.neededRaises().map { "\($0.name) \($0.step?.rawValue ?? "")" } == [
                "Ride major", "Models major",
            ])
        try tree.raiseRide("2.0.0", "1.1.0")
        try tree.raise("Models", "2.0.0")
        try tree.expect()
    }

    @Test("A comment in the library accepts the break for the Api")
    func accepted() throws {
        try release()
        try tree.edit(
            Self.models, "    public let name: String",
            "    // modules:allow version-step: nobody outside reads it\n    public let name: Substring")
        #expect(
            try tree.findings("version-raised").map(\.what) == [
                "Models's sources changed, but its version is still 1.0.0",
                "Models, which RideApi shows, changed, but the version of RideApi is still 1.2.0",
            ])
        #expect(try tree.rules() == ["version-raised", "version-raised"])
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.raise("Models", "1.1.0")
        #expect(try tree.rules() == [])
        try tree.commit("Accepted")
        #expect(try tree.rules() == ["allow-unneeded"])
        try tree.edit(Self.models, "    // modules:allow version-step: nobody outside reads it\n", "")
        try tree.expect()
    }

    @Test(
        "The removal of an undeprecated type of the library is one finding, with the library as the place to fix",
        arguments: [false, true])
    func removal(_ isShared: Bool) throws {
        if isShared {
            let manifest = "Packages/Business/JourneyApi/Package.swift"
            try tree.write(
                manifest, SmallTree.manifest("JourneyApi", packages: ["../../Base/Models"], uses: ["Models"]))
            let file = "Packages/Business/JourneyApi/Sources/JourneyApi/JourneyApiProtocol.swift"
            try tree.write(file, "import Models\n\n" + tree.read(file))
        }
        try release()
        try tree.edit(Self.models, "\n\npublic protocol Item: Sendable {}", "")
        let findings = try tree.findings("version-deprecation")
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        let api = isShared ? "JourneyApi" : "RideApi"
        #expect(finding.what.hasPrefix("\(api): in Models, which \(api) shows, Item has been removed"))
        #expect(finding.fix.hasPrefix("Restore it in Packages/Base/Models"))
        #expect(finding.notes.dropFirst().map(\.text) == (isShared ? ["RideApi shows it too"] : []))
        #expect(try tree.findings("version-deprecation", "version-step").count == 1)
    }

    @Test(
        "A break in a library that a listed library shows is a break of the Api, in one that it hides is none"
    )
    func indirect() throws {
        for name in ["Hidden", "Parts"] {
            try library(name, "public struct \(name) {\n    public let name: String\n}\n")
        }
        let manifest = "Packages/Base/Models/Package.swift"
        try tree.write(
            manifest,
            SmallTree.manifest("Models", packages: ["../Hidden", "../Parts"], uses: ["Hidden", "Parts"]))
        try tree.write(
            Self.models,
            "import Hidden\nimport Parts\n\n" + tree.read(Self.models)
                + "public func all() -> [Parts] { [] }\nfunc some() -> [Hidden] { [] }\n")
        try release()
        try tree.edit("Packages/Base/Hidden/Sources/Hidden/Hidden.swift", "String", "Substring")
        #expect(try tree.findings("version-step") == [])
        try tree.edit("Packages/Base/Parts/Sources/Parts/Parts.swift", "String", "Substring")
        #expect(
            try tree.findings("version-step").map(\.place.path) == [
                "Packages/Base/Parts/Sources/Parts/Parts.swift"
            ])
    }

    @Test("A library that breaks while an Api begins to import it is no break of the Api")
    func begins() throws {
        let new = [File.rideApi, File.rideApiManifest]
        let texts = try new.map(tree.read)
        try tree.write(File.rideApiManifest, SmallTree.manifest("RideApi"))
        try tree.edit(File.rideApi, "import Models\n", "")
        try release()
        for (file, text) in zip(new, texts) { try tree.write(file, text) }
        try tree.edit(Self.models, "name: String", "name: Substring")
        #expect(try tree.findings("version-step").allSatisfy { !$0.what.contains("in Models") })
    }
}
