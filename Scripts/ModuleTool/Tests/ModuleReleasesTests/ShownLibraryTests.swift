import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("Versions of Apis that show the types of libraries")
struct ShownLibraryTests {
    private static let comment = "    // modules:allow version-step: nobody outside reads it\n"
    private let tree: TemporaryTree

    init() throws { tree = try ModelsTree.make() }

    /// The releases that are due, each with its step.
    private func due() throws -> [String] {
        try tree.context().neededRaises().map { "\($0.name) \($0.step?.rawValue ?? "")" }
    }

    @Test("A break in a listed library is a break of the Apis that import it, and an addition is none")
    func breaks() throws {
        try tree.release()
        try tree.edit(
            ModelsTree.file, "public protocol", "public struct Added: Sendable {}\n\npublic protocol")
        #expect(try tree.findings("version-step") == [])
        try tree.edit(ModelsTree.file, "name: String", "name: Substring")
        let findings = try tree.findings("version-step", "version-raised")
        #expect(findings.map(\.rule) == ["version-raised", "version-step"])
        let step = try #require(findings.last)
        #expect(step.place.description == "\(ModelsTree.file):2:5")
        #expect(
            step.what.contains(
                "RideApi changed since 1.2.0, but its version is 1.2.0: in Models, which RideApi shows, Account.name has changed"
            ))
        #expect(step.fix.hasSuffix("Scripts/modules bump Ride major --note \"what changed for callers\""))
        #expect(try due() == ["Ride major", "Models major"])
        try tree.raiseRide("2.0.0", "1.1.0")
        try tree.raise("Models", "2.0.0")
        try tree.expect()
    }

    @Test("A comment in the library accepts the break for the Api")
    func accepted() throws {
        try tree.release()
        try tree.edit(
            ModelsTree.file, "    public let name: String",
            Self.comment + "    public let name: Substring")
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
        try tree.edit(ModelsTree.file, Self.comment, "")
        try tree.expect()
    }

    @Test(
        "The removal of an undeprecated type of the library is one finding, with the library as the place to fix",
        arguments: [false, true])
    func removal(_ isShared: Bool) throws {
        if isShared { try showInJourney() }
        try tree.release()
        try tree.edit(ModelsTree.file, "\n\npublic protocol Item: Sendable {}", "")
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
            try tree.addLibrary(name, "public struct \(name) {\n    public let name: String\n}\n")
        }
        let manifest = "Packages/Base/Models/Package.swift"
        try tree.write(
            manifest,
            SmallTree.manifest("Models", packages: ["../Hidden", "../Parts"], uses: ["Hidden", "Parts"]))
        try tree.write(
            ModelsTree.file,
            "import Hidden\nimport Parts\n\n" + tree.read(ModelsTree.file)
                + "public func all() -> [Parts] { [] }\nfunc some() -> [Hidden] { [] }\n")
        try tree.release()
        try tree.edit("Packages/Base/Hidden/Sources/Hidden/Hidden.swift", "String", "Substring")
        #expect(try tree.findings("version-step") == [])
        try tree.edit("Packages/Base/Parts/Sources/Parts/Parts.swift", "String", "Substring")
        #expect(
            try tree.findings("version-step").map(\.place.path) == [
                "Packages/Base/Parts/Sources/Parts/Parts.swift"
            ])
    }

    @Test("A break in a library counts for an Api whose own break a comment accepts")
    func both() throws {
        try tree.release()
        try tree.edit(File.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try tree.insert(Self.comment, before: "    public static let main", in: File.rideApi)
        #expect(try due() == ["Ride minor"])
        try tree.edit(ModelsTree.file, "name: String", "name: Substring")
        #expect(try due() == ["Ride major", "Models major"])
        #expect(try tree.findings("version-step").map(\.place.path) == [ModelsTree.file])
    }

    /// Makes another Api import the library.
    private func showInJourney() throws {
        let manifest = "Packages/Business/JourneyApi/Package.swift"
        try tree.write(
            manifest, SmallTree.manifest("JourneyApi", packages: ["../../Base/Models"], uses: ["Models"]))
        try tree.write(File.journeyApi, "import Models\n\n" + tree.read(File.journeyApi))
    }

    @Test(
        "A breaking library counts against an Api that already imported it, not against one that begins to import it",
        arguments: [false, true])
    func begins(_ isShared: Bool) throws {
        if isShared { try showInJourney() }
        let new = [File.rideApi, File.rideApiManifest]
        let texts = try new.map(tree.read)
        try tree.write(File.rideApiManifest, SmallTree.manifest("RideApi"))
        try tree.edit(File.rideApi, "import Models\n", "")
        try tree.release()
        for (file, text) in zip(new, texts) { try tree.write(file, text) }
        try tree.edit(ModelsTree.file, "name: String", "name: Substring")
        let breaks = try tree.findings("version-step").filter { $0.what.contains("in Models") }
        #expect(breaks.map { $0.what.hasPrefix("JourneyApi") } == (isShared ? [true] : []))
        #expect(breaks.allSatisfy { !$0.notes.map(\.text).contains("RideApi shows it too") })
    }

    @Test("A library that is newer than the Api's release hides no change of another package")
    func isNewer() throws {
        try tree.release()
        try tree.addLibrary("Parts", "public struct Parts {}\n")
        try tree.edit(File.configuration, "Models, ", "Models, Parts, ")
        try tree.edit(File.rideApiManifest, "[\"Models\"]", "[\"Models\", \"Parts\"]")
        try tree.insert(
            "        .package(path: \"../../Base/Parts\"),\n", before: "        .package",
            in: File.rideApiManifest)
        try tree.edit(File.rideApi, "import Models\n", "import Models\nimport Parts\n")
        try tree.edit(File.errorCode, "= 1", "= 2")
        let found = try tree.findings("version-raised").map(\.what)
        #expect(
            found.count == 2 && found[0].hasPrefix("RideApi's") && found[1].hasPrefix("ErrorCode's"),
            "\(found)")
    }
}
