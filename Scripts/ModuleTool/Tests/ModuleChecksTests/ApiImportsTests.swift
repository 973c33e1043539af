import ModuleFixtures
import ModuleKit
import RuleFixtures
import Testing

@testable import ModuleChecks

@Suite("The modules that Apis may import")
struct ApiImportsTests {
    private let tree: TemporaryTree

    init() throws { tree = try ModelsTree.make() }

    private func findings(_ rules: String...) throws -> [String] {
        try tree.findings(rules).map { "\($0.place): \($0.rule): \($0.what)" }
    }

    @Test("No rule reports an Api that imports a listed framework and a listed library in a layer below")
    func allowed() throws {
        try tree.release()
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
        try tree.write(ModelsTree.file, tree.read(ModelsTree.file) + "public final class Store {}\n")
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
        try tree.addRequirement("func items() -> [any Item]")
        try tree.insert(
            "public struct Stop: Item { public let name: String }\n", before: "public struct RideCode",
            in: File.rideApi)
        #expect(try findings("api-signature") == [])
        try tree.edit(File.rideApi, "func items() -> [any Item]", "func items() -> [Account]")
        #expect(try findings("api-signature").count == 1)
    }

    @Test("A listed library that re-exports a module is reported, another library is not")
    func reexports() throws {
        for file in [ModelsTree.file, File.mediator] {
            try tree.write(file, "@_exported import UIKit\n" + tree.read(file))
        }
        #expect(
            try findings("api-reexports") == [
                "\(ModelsTree.file):1:1: api-reexports: Models, which Apis may import, re-exports UIKit"
            ])
    }

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
}
