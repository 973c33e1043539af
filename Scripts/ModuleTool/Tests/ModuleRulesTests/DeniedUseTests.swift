import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("The rule denied-use")
struct DeniedUseTests {
    private static let journey = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
    private static let manifest = "Packages/Business/Journey/Package.swift"

    /// Writes `deny` as the configuration, imports the modules in Journey's service, and returns the rule's findings.
    private func findings(_ deny: String, imports: String...) throws -> [String] {
        let tree = try SmallTree.make()
        try tree.write(".modules.yml", deny)
        for module in imports {
            try tree.edit(Self.journey, "import RideApi", "import RideApi\nimport \(module)")
        }
        return try tree.findings("denied-use").map { "\($0.place): \($0.what): \($0.why)" }
    }

    @Test("A third-party package may be used only by a layer that allows it")
    func thirdParty() throws {
        let tree = try SmallTree.make()
        let log = ".package(url: \"https://github.com/apple/swift-log\", from: \"1.0.0\"),"
        let own = ["ApiCenter", "Lifecycle", "ModuleCheck"].map {
            "        .package(url: \"https://github.com/acme/\($0)\", from: \"1.0.0\"),\n"
        }.joined()
        try tree.edit(Self.manifest, "dependencies: [\n", "dependencies: [\n        \(log)\n\(own)")
        try tree.write(
            "Packages/Adapters/Log/Package.swift",
            SmallTree.manifest("Log").replacing(
                "dependencies: [\n", with: "dependencies: [\n        \(log)\n"))
        let findings = try tree.findings("denied-use")
        #expect(findings.map(\.what) == ["Journey (Business) uses swift-log (third-party)"])
        #expect(findings.map(\.place.description) == ["\(Self.manifest):8:9"])
        #expect(findings.map(\.why) == ["apps use the toolchain alone, so they build without a download"])
        #expect(findings[0].fix.contains("allow third-party for Business in .modules.yml"))
    }

    @Test(
        "An app that registers no pairs may use third-party packages and adapters, but not what its layer denies"
    )
    func otherApp() throws {
        let tree = try SmallTree.make()
        let log = ".package(url: \"https://github.com/apple/swift-log\", from: \"1.0.0\"),"
        try tree.write(
            "Apps/Host/Package.swift",
            SmallTree.manifest("Host").replacing(
                "dependencies: [\n", with: "dependencies: [\n        \(log)\n"))
        try tree.write("Apps/Host/Sources/Host/main.swift", "import Logging\n")
        #expect(try tree.findings("denied-use").map(\.what) == [])
        try tree.write(
            ".modules.yml",
            """
            layers:
              - name: Apps
                folders: [Apps]
                apps: true
                deny: [{use: third-party, reason: none}]
            """)
        #expect(try tree.findings("denied-use").map(\.what) == ["Host (Apps) uses swift-log (third-party)"])
    }

    @Test("Test-support modules may be used only by tests and by other test-support modules")
    func testSupport() throws {
        let why = "code for tests does not belong in the modules of an app"
        #expect(
            try findings("", imports: "XCTest") == [
                "\(Self.journey):5:1: Journey (Business) uses XCTest (test-support): \(why)"
            ])
        let tree = try SmallTree.make()
        try tree.edit(
            "Packages/Base/Mediator/Package.swift", "targets: [\n",
            "targets: [\n        .target(name: \"MediatorTesting\", dependencies: [\"Mediator\"]),\n")
        try tree.write(
            "Packages/Base/Mediator/Sources/MediatorTesting/Fake.swift", "import Mediator\nimport Testing\n")
        #expect(try tree.findings("denied-use") == [])
        try tree.write("Packages/Base/Mediator/Sources/Mediator/Use.swift", "\nimport MediatorTesting\n")
        #expect(
            try tree.findings("denied-use").map(\.place.description) == [
                "Packages/Base/Mediator/Sources/Mediator/Use.swift:2:1"
            ])
        try tree.write(".modules.yml", "test-support: [Fakes]\n")
        #expect(try tree.findings("denied-use") == [])
    }

    @Test(
        "A layer, a package or a module can be denied to all layers or to one",
        arguments: [
            ("deny: [{use: UIKit, reason: No screens.}]", "Journey (Business) uses UIKit: No screens."),
            (
                "deny: [{use: Common, reason: It grows.}]",
                "Journey (Business) uses ErrorCode (Common): It grows."
            ),
            ("deny: [{use: ErrorCode, reason: It goes.}]", "Journey (Business) uses ErrorCode: It goes."),
            ("deny: [{use: errorcode, reason: It goes.}]", nil),
            ("deny: [{use: Dispatch, reason: None.}]", nil),
            ("deny: []", nil),
        ])
    func names(_ deny: String, _ wanted: String?) throws {
        let found = try findings(deny, imports: "UIKit").map { $0.drop { $0 != " " }.dropFirst() }
        #expect(found == (wanted.map { [$0[...]] } ?? []))
    }
}
