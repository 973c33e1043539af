import ModuleFixtures
import RuleFixtures
import Testing

@Suite("The rule denied-use")
struct DeniedUseTests {
    private static let log =
        "        .package(url: \"https://github.com/apple/swift-log\", from: \"1.0.0\"),\n"
    private static let noTests = "Code for tests does not belong in the modules of an app."

    /// The manifest of a package that uses swift-log.
    private static func logging(_ name: String) -> String {
        SmallTree.manifest(name).replacing("dependencies: [\n", with: "dependencies: [\n" + log)
    }

    private static let host: [Change] = [
        .write("Apps/Host/Package.swift", logging("Host")),
        .write("Apps/Host/Sources/Host/main.swift", "import Logging\n"),
    ]
    private static let testing: [Change] = [
        .edit(
            "Packages/Base/Mediator/Package.swift", "targets: [\n",
            "targets: [\n        .target(name: \"MediatorTesting\", dependencies: [\"Mediator\"]),\n"),
        .write(
            "Packages/Base/Mediator/Sources/MediatorTesting/Fake.swift", "import Mediator\nimport Testing\n"),
    ]
    private static let use = Change.write(
        File.beside(File.mediator, "Use.swift"), "\nimport MediatorTesting\n")

    static let cases = [
        Case(
            "third-party packages, but not in layers that allow them", "denied-use",
            finds: ["\(File.journeyManifest):8:9: Journey (Business) uses swift-log (third-party)"],
            [
                .edit(
                    File.journeyManifest, "dependencies: [\n",
                    "dependencies: [\n" + log
                        + ["ApiCenter", "Lifecycle", "ModuleCheck", "Routes"].map {
                            log.replacing("apple/swift-log", with: "o/\($0)")
                        }.joined()),
                .write("Packages/Adapters/Log/Package.swift", logging("Log")),
            ]),
        Case("third-party packages of an app that registers no pairs", "denied-use", host),
        Case(
            "what the layer of an app denies", "denied-use",
            finds: ["Host (Apps) uses Swift-Log (third-party)"],
            host + [
                .edit("Apps/Host/Package.swift", "apple/swift-log", "apple/Swift-Log"),
                .write(
                    File.configuration,
                    "layers: [{name: Apps, folders: [Apps], apps: true, deny: [{use: third-party, reason: none}]}]\n"
                ),
            ]),
        Case(
            "modules that support tests", "denied-use",
            finds: [":2:1: Mediator (Base) uses MediatorTesting (test-support)"], testing + [use]),
        Case("modules that support tests, in each other", "denied-use", testing),
        Case(
            "a denied module that another module exports again", "denied-use",
            finds: [
                "\(File.journey):2:1: Journey (Business) uses UIKit", ":1:1: ErrorCode (Common) uses UIKit",
            ],
            [
                .write(File.configuration, "deny: [{use: UIKit, reason: No screens.}]\n"),
                .write(File.errorCode, "@_exported import UIKit\n"),
            ]),
        Case(
            "modules with another name for test support", "denied-use",
            testing + [use, .write(File.configuration, "test-support: [Fakes]\n")]),
    ]

    @Test("The rule reports what a layer denies", arguments: cases)
    func reports(_ row: Case) throws { try row.run() }

    @Test(
        "A layer, a package or a module can be denied to all layers or to one",
        arguments: [
            ("deny: [{use: UIKit, reason: No screens.}]", "UIKit: No screens."),
            ("deny: [{use: Common, reason: It grows.}]", "ErrorCode (Common): It grows."),
            ("deny: [{use: ErrorCode, reason: It goes.}]", "ErrorCode: It goes."),
            ("deny: [{use: errorcode, reason: It goes.}]", nil),
            ("deny: [{use: Dispatch, reason: None.}]", nil), ("deny: []", nil),
            ("", "XCTest (test-support): " + noTests),
        ])
    func names(_ deny: String, _ wanted: String?) throws {
        let tree = try SmallTree.make()
        try tree.write(File.configuration, deny)
        let imports = "import RideApi\nimport " + (deny.isEmpty ? "XCTest" : "UIKit")
        try tree.edit(File.journey, "import RideApi", imports)
        let findings = try tree.findings("denied-use")
        #expect(
            findings.map { "\($0.what): \($0.why)" }
                == (wanted.map { ["Journey (Business) uses " + $0] } ?? []))
        #expect(findings.allSatisfy { $0.fix.contains("for Business in .modules.yml") })
    }
}
