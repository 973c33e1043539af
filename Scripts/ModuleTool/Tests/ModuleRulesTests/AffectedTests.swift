import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("What a change reaches")
struct AffectedTests {
    private func affected(_ path: String) throws -> [String] {
        let small = try SmallTree.make()
        let affected = Affected(try TreeReader(root: small.root).read(), changed: [path])
        return affected.packages.map(\.name) + affected.tests
    }

    @Test(
        "goes through Apis to callers, and from an IMP to the app and its own tests alone",
        arguments: [
            ("Packages/Business/Ride/Sources/Ride/Gone.swift", ["App", "Ride", "RideTests"]),
            ("Packages/Business/Ride/Tests/RideTests/RideTests.swift", ["Ride", "RideTests"]),
            (
                "Packages/Business/RideApi/Sources/RideApi/New.swift",
                ["App", "Journey", "Ride", "RideApi", "RideTests"]
            ),
            ("Packages/Common/ErrorCode/Package.swift", ["App", "Journey", "ErrorCode"]),
            ("Packages/Base/Mediator/Sources/Mediator/data.json", ["Mediator", "RideActions"]),
            ("VERSIONS.md", []), ("Packages/Business/Ride/README.md", []), ("Package.swift", ["App"]),
        ])
    func reach(_ path: String, _ expected: [String]) throws {
        #expect(try affected(path) == expected)
    }
}
