import ExportFixtures
import Foundation
import ModuleFixtures
import Testing

/// Builds applications that use the exported packages, with a separate package cache and from another folder.
@Suite("Applications that depend on an exported Api", .serialized)
struct OutsiderDeepTests {
    let fixture: ExportFixture

    /// A string in every binary that links JourneyModule. The string has more than 15 bytes, because Swift stores
    /// shorter strings inline, not as text in the binary.
    private static let mark = "JourneyModule is linked into this"

    init() throws {
        fixture = try ExportFixture()
        try fixture.tree.edit(
            "Packages/Business/Journey/Sources/Journey/JourneyModule.swift", "public init() {}",
            "public let mark = \"\(Self.mark)\"\n    public init() {}")
        try fixture.tree.commit("Mark")
        try fixture.export()
    }

    /// Writes an application that requires JourneyApi and the packages in `more`. If `withImp` is true,
    /// the application prints the IMP's version.
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

    @Test(
        "An app resolves an IMP at or above the floor, updates to a new major version, and can pin a version")
    func versions() throws {
        // The first resolution.
        _ = try app("from: \"1.0.0\"")
        #expect(try run() == "IMP 1.0.0")

        // The major update from 1.0.0 to 2.0.0 (seed 1). An app that requires 1.x keeps 1.0.0.
        try fixture.raise("Journey", from: "1.0.0", to: "2.0.0")
        try fixture.export()
        #expect(try fixture.swift("package", "update").status == 0)
        #expect(try run() == "IMP 1.0.0")
        _ = try app("from: \"2.0.0\"")
        #expect(try run() == "IMP 2.0.0")

        // A later minor version needs only an update.
        try fixture.raise("Journey", from: "2.0.0", to: "2.1.0")
        try fixture.export()
        #expect(try fixture.swift("package", "update").status == 0)
        #expect(try run() == "IMP 2.1.0")

        // The app pins the IMP. SwiftPM chooses the newest Api that accepts this version.
        let forced = try app("\"1.0.0\"..<\"3.0.0\"", and: ".package(url: \"../Journey\", exact: \"2.0.0\")")
        #expect(try run() == "IMP 2.0.0")
        #expect(try pins(forced).matches(of: /"version" : "2\.0\.0"/).count == 2)
    }

    @Test("An app cannot pin an IMP below the floor, and SwiftPM's error names both packages")
    func belowTheFloor() throws {
        try fixture.raise("Journey", from: "1.0.0", to: "2.0.0")
        try fixture.export()
        for pin in ["exact: \"1.0.0\"", ".upToNextMajor(from: \"1.0.0\")"] {
            _ = try app("from: \"2.0.0\"", and: ".package(url: \"../Journey\", \(pin))")
            let output = try fixture.swift("package", "resolve")
            #expect(output.status != 0)
            #expect(output.standardError.contains("'journeyapi'"), "\(output.standardError)")
            #expect(output.standardError.contains("'journey' 2.0.0..<10000.0.0"), "\(output.standardError)")
        }
        // Pinning an IMP that needs a newer Api than the pinned Api fails as well.
        _ = try app("exact: \"1.0.0\"", and: ".package(url: \"../Journey\", exact: \"2.0.0\")")
        let output = try fixture.swift("package", "resolve")
        #expect(output.status != 0)
        #expect(output.standardError.contains("'journey' 2.0.0"), "\(output.standardError)")
        #expect(output.standardError.contains("'journeyapi'"), "\(output.standardError)")
    }

    @Test("An optimised app that uses only the protocols links no IMP")
    func protocolsAlone() throws {
        for withImp in [true, false] {
            let folder = try app("from: \"1.0.0\"", withImp: withImp)
            let output = try fixture.swift("build", "--quiet", "-c", "release")
            try #require(output.status == 0, "\(output.text)\(output.standardError)")
            let binary = try Data(contentsOf: URL(filePath: folder + "/.build/release/App"))
            #expect((binary.range(of: Data(Self.mark.utf8)) != nil) == withImp)
        }
    }
}
