import Foundation
import ModuleTree
import Testing

@testable import ModuleExport

/// Real builds of an application outside, on a package cache of its own, started from another folder.
@Suite("An application that depends on an exported Api alone", .serialized)
struct OutsiderTests {
    let fixture: ExportFixture

    /// Longer than what Swift keeps inside of a string's own bytes, so that a binary which links it has it.
    private static let mark = "JourneyModule is linked into this"

    init() throws {
        fixture = try ExportFixture()
        try fixture.tree.edit(
            "Packages/Business/Journey/Sources/Journey/JourneyModule.swift", "public init() {}",
            "public let mark = \"\(Self.mark)\"\n    public init() {}")
        try fixture.tree.commit("Mark")
        try fixture.export()
    }

    /// An application that asks for JourneyApi and for more, which says what version of the IMP it got.
    private func app(_ requirement: String, and more: String = "", withImp: Bool = true) throws -> String {
        try fixture.app(
            ".package(url: \"../JourneyApi\", \(requirement))" + (more.isEmpty ? "" : ", " + more),
            products: ".product(name: \"JourneyApi\(withImp ? "WithImp" : "")\", package: \"JourneyApi\")",
            main: withImp
                ? "import JourneyApi\nimport JourneyApiWithImp\n\nprint(\"IMP\", JourneyModule().version)\nprint(JourneyModule().mark)\n"
                : "import JourneyApi\n\nprint((any JourneyApiProtocol).self)\n")
    }

    private func run() throws -> String {
        let output = try fixture.swift("run", "--quiet", "App")
        #expect(output.status == 0, "\(output.standardError)")
        return output.text.split(separator: "\n").first.map(String.init) ?? ""
    }

    private func pins(_ app: String) throws -> String {
        try String(contentsOfFile: app + "/Package.resolved", encoding: .utf8)
    }

    @Test("gets the IMP, at or above the floor; goes on to a new major version; and can force one for all")
    func versions() throws {
        // A fresh resolve.
        _ = try app("from: \"1.0.0\"")
        #expect(try run() == "IMP 1.0.0")

        // 1.0.0 to 2.0.0, as the seed has it. Who asked for 1 stays there.
        try fixture.raiseJourney(from: "1.0.0", to: "2.0.0")
        try fixture.export()
        #expect(try fixture.swift("package", "update").status == 0)
        #expect(try run() == "IMP 1.0.0")
        _ = try app("from: \"2.0.0\"")
        #expect(try run() == "IMP 2.0.0")

        // A later version comes by an update alone.
        try fixture.raiseJourney(from: "2.0.0", to: "2.1.0")
        try fixture.export()
        #expect(try fixture.swift("package", "update").status == 0)
        #expect(try run() == "IMP 2.1.0")

        // The app forces one version of the IMP for everybody in it: the newest Api that takes it comes along.
        let forced = try app("\"1.0.0\"..<\"3.0.0\"", and: ".package(url: \"../Journey\", exact: \"2.0.0\")")
        #expect(try run() == "IMP 2.0.0")
        #expect(try pins(forced).matches(of: /"version" : "2\.0\.0"/).count == 2)
    }

    @Test("is refused an IMP below the floor, with a message that names both")
    func belowTheFloor() throws {
        try fixture.raiseJourney(from: "1.0.0", to: "2.0.0")
        try fixture.export()
        for pin in ["exact: \"1.0.0\"", ".upToNextMajor(from: \"1.0.0\")"] {
            _ = try app("from: \"2.0.0\"", and: ".package(url: \"../Journey\", \(pin))")
            let output = try fixture.swift("package", "resolve")
            #expect(output.status != 0)
            #expect(output.standardError.contains("'journeyapi'"), "\(output.standardError)")
            #expect(output.standardError.contains("'journey' 2.0.0..<10000.0.0"), "\(output.standardError)")
        }
        // And one that is too new for the Api it is pinned against.
        _ = try app("exact: \"1.0.0\"", and: ".package(url: \"../Journey\", exact: \"2.0.0\")")
        let output = try fixture.swift("package", "resolve")
        #expect(output.status != 0)
        #expect(output.standardError.contains("'journey' 2.0.0"), "\(output.standardError)")
        #expect(output.standardError.contains("'journeyapi'"), "\(output.standardError)")
    }

    @Test("links no IMP when it takes the protocols alone, optimised")
    func protocolsAlone() throws {
        for withImp in [true, false] {
            let folder = try app("from: \"1.0.0\"", withImp: withImp)
            let output = try fixture.swift("build", "--quiet", "-c", "release")
            try #require(output.status == 0, "\(output.text)\(output.standardError)")
            let binary = try Data(contentsOf: URL(filePath: folder + "/.build/release/App"))
            #expect((binary.range(of: Data(Self.mark.utf8)) != nil) == withImp)
        }
    }

    @Test("is not needed: an exported pair builds and tests itself, moved to another place")
    func alone() throws {
        let moved = fixture.folder.deletingLastPathComponent().appending(path: "moved")
        try FileManager.default.moveItem(at: fixture.folder, to: moved)
        let test = """
            import Testing
            @testable import Ride

            @Test func version() { #expect(RideModule().version == "1.1.0") }

            """
        try Data(test.utf8).write(to: moved.appending(path: "Ride/Tests/RideTests/RideTests.swift"))
        let cache = moved.appending(path: "cache").path
        func swift(_ arguments: String...) throws -> Command.Output {
            try Command.run(["swift"] + arguments + ["--cache-path", cache], in: fixture.tree.root)
        }
        let tests = try swift("test", "-c", "release", "--package-path", moved.appending(path: "Ride").path)
        #expect(tests.status == 0 && tests.text.contains("1 test"), "\(tests.text)\(tests.standardError)")
        let api = try swift("build", "--package-path", moved.appending(path: "RideApi").path)
        #expect(api.status == 0, "\(api.text)\(api.standardError)")
    }
}
