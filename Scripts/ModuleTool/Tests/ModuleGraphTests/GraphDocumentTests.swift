import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("The graph as data")
struct GraphDocumentTests {
    private struct Document: Decodable {
        struct Package: Decodable {
            let name: String
            let pair: String?
            let version: String?
        }
        struct Dependency: Decodable {
            let from: End
            let to: End
            let declared: [String]
            let imported: [String]
        }
        struct End: Decodable, Equatable {
            var package: String?
            var target: String?
            var product: String?
        }
        let layers: [String]
        let packages: [Package]
        let pairs: [[String: String]]
        let dependencies: [Dependency]
    }

    private let tool: Tool
    private let tree: TemporaryTree

    init() throws {
        tree = try SmallTree.make()
        tool = try Tool(in: tree)
    }

    private func document(_ options: String = "") throws -> Document {
        let json = try tool.expect("graph --format json" + options)
        return try JSONDecoder().decode(Document.self, from: Data(json.utf8))
    }

    @Test("The text has a line for each package, the top layer first")
    func text() throws {
        let text = try tool.expect(
            "graph --format text", 0,
            "\nBusiness  imp      Ride         1.1.0  2 targets  Packages/Business/Ride\n",
            "\nCore      library  ApiCenter    1.0.0  1 target   Packages/Core/ApiCenter\n")
        #expect(text.hasPrefix("Apps      app      App          "))
    }

    @Test("The JSON document has the layers, packages, pairs, and each dependency with its places")
    func json() throws {
        let document = try document()
        #expect(document.layers.first == "Core")
        #expect(
            document.pairs.last
                == ["name": "Ride", "api": "1.2.0", "version": "1.1.0", "floor": "1.1.0"])
        let api = try #require(document.packages.first { $0.name == "RideApi" })
        #expect(api.pair == "Ride" && api.version == "1.2.0")
        let journey = "Packages/Business/Journey"
        let found = try #require(
            document.dependencies.first { $0.from.target == "Journey" && $0.to.target == "RideApi" })
        #expect(found.from == .init(package: journey, target: "Journey"))
        #expect(found.to == .init(package: "Packages/Business/RideApi", target: "RideApi"))
        #expect(found.declared.count == 1 && found.declared[0].hasPrefix(journey + "/Package.swift:"))
        #expect(found.imported == [journey + "/Sources/Journey/JourneyService.swift:4:1"])
    }

    @Test(
        "A dependency on a product of a remote package leads to the product; other ones outside the tree are left out"
    )
    func remote() throws {
        let manifest = "Packages/Common/ErrorCode/Package.swift"
        try tree.edit(
            manifest, "dependencies: [\n    ]",
            "dependencies: [.package(url: \"https://x.org/swift-log\", from: \"1.0.0\"), "
                + ".package(path: \"../../../../Outside\")]")
        try tree.edit(
            manifest, "dependencies: []",
            "dependencies: [.product(name: \"Logging\", package: \"swift-log\"), "
                + ".product(name: \"Outside\", package: \"Outside\")]")
        let found = try document().dependencies.filter { $0.to.product != nil }
        #expect(found.map(\.to) == [.init(package: "swift-log", product: "Logging")])
        #expect(found.map(\.from.target) == ["ErrorCode"])
    }

    @Test("A focus leaves a package with its callers and dependencies")
    func focus() throws {
        let document = try document(" --focus RideApi")
        let names = Set(document.packages.map(\.name))
        #expect(names.isSuperset(of: ["Journey", "Ride", "RideApi"]) && !names.contains("Mediator"))
        #expect(
            !document.dependencies.isEmpty
                && document.dependencies.allSatisfy {
                    [$0.from.target, $0.to.target].contains { $0?.hasPrefix("RideApi") == true }
                })
        #expect(document.pairs.compactMap { $0["name"] } == ["Journey", "Ride"])
        try tool.expect("graph --format json --focus RideApo", 2, "RideApo: is neither", "Choose RideApi.")
    }

    @Test("A focus on a target without dependencies and callers leaves its package")
    func alone() throws {
        try tree.edit(
            "Packages/Common/ErrorCode/Package.swift", "targets: [\n",
            "targets: [\n        .target(name: \"Alone\"),\n")
        try tree.write("Packages/Common/ErrorCode/Sources/Alone/Alone.swift", "")
        let document = try document(" --focus Alone")
        #expect(document.packages.map(\.name) == ["ErrorCode"] && document.dependencies.isEmpty)
    }
}
