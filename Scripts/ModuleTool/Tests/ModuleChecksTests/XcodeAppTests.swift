import ModuleFixtures
import ModuleKit
import ModuleTree
import Testing

/// `.modules.yml` names the folder of the sources, because Xcode projects are not read.
@Suite("The sources of an Xcode app")
struct XcodeAppTests {
    private static let list = "Apps/Shell/Sources/Shell/Registrations.swift"

    /// The small tree, whose app is a project beside the package with the registrations. `Tram` is a pair that no app
    /// links.
    private func tree(_ source: String, sources: String = ", sources: iOS/Shop") throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.edit("Package.swift", ".executable", ".library")
        try tree.edit("Package.swift", ".libraryTarget", ".target")
        try tree.remove("Apps/Shell/Sources/Shell/Shell.swift")
        try tree.write("Packages/Business/TramApi/Package.swift", SmallTree.manifest("TramApi"))
        try tree.write(
            "Packages/Business/TramApi/Sources/TramApi/TramApi.swift", "public protocol TramApiProtocol {}\n")
        try tree.write("iOS/Shop/Package/Package.swift", SmallTree.manifest("Inner"))
        try tree.write("iOS/Shop/Package/Sources/Inner/Inner.swift", "import TramApi\n")
        try tree.write("iOS/Shop/Screens/Main.swift", source)
        try tree.write("iOS/ShopTests/Tests.swift", "import TramApi\n")
        try tree.write(".modules.yml", "apps: [{registrations: \(Self.list)\(sources)}]\n")
        return tree
    }

    @Test(
        "The rules about registrations and imports read the folder, but not what only the project knows",
        arguments: [
            ("import ApiCenter\nimport RideApi\n_ = ApiCenter().api(type: RideApiProtocol.self)\n", []),
            (
                "import ApiCenter\nimport TramApi\n_ = ApiCenter().api(type: TramApiProtocol.self)\n",
                [
                    "TramApi is imported, but the target Shop does not declare it",
                    "TramApi.TramApiProtocol is requested, but Shop with the default traits does not register it",
                ]
            ),
            (
                "import Journey\nlet modules = [JourneyModule()]\n",
                ["Shop creates JourneyModule() twice"]
            ),
            (
                "import ApiCenter\nlet key = String.self\n_ = ApiCenter().api(type: key)\n",
                [
                    "api(type: key) does not name its type"
                ]
            ),
            // The project may link libraries by itself, and its build decides which of the imports it compiles.
            ("import Mediator\nimport ThirdParty\nimport Ride\n", []),
        ])
    func source(text: String, findings: [String]) throws {
        #expect(
            try tree(text).findings("registration", "import-declared").map(\.what).filter {
                !$0.contains("Inner")
            }
            .sorted() == findings)
    }

    @Test("Without the key, nothing in the folder is checked")
    func unnamed() throws {
        let text = "import ApiCenter\nimport TramApi\n_ = ApiCenter().api(type: TramApiProtocol.self)\n"
        let found = try tree(text, sources: "").findings("registration", "import-declared")
        #expect(!found.contains { $0.place.path.hasPrefix("iOS/Shop/S") })
    }

    @Test("A package depends on what the app's sources import, and a missing folder is an error")
    func graph() throws {
        let tree = try tree("import Mediator\n")
        let read = try TreeReader(root: tree.root).read()
        let edge = PackageGraph(read).edges.first {
            read.packages[$0.to].name == "Mediator" && read.packages[$0.from].path.isEmpty
        }
        #expect(edge?.imports.map(\.path) == ["iOS/Shop/Screens/Main.swift"])
        try tree.run("mv", "iOS/Shop", "iOS/Other")
        #expect(throws: Diagnostic.self) { try TreeReader(root: tree.root).read() }
    }
}
