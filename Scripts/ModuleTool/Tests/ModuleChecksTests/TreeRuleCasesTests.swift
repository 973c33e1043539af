import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleChecks

@Suite("Rules about pairs, layers and imports, case by case")
struct TreeRuleCasesTests {
    private static let code = "public struct RideCode"
    private static let initializer = "    public init() {}"
    private static let links = "    public func links(in center: ApiCenter) -> [Link] { [] }\n"
    private static let fakes: [Change] = [
        .insert(
            ".target(name: \"RideApiFakes\", dependencies: [\"RideApi\"]), ",
            before: ".target(name: \"RideApi\"",
            in: File.rideApiManifest),
        .write(
            "Packages/Business/RideApi/Sources/RideApiFakes/FakeRide.swift",
            "import RideApi\nimport Synchronization\npublic final class FakeRide {}\n"),
    ]
    private static let previews: [Change] = [
        .insert(
            ".target(name: \"JourneyPreviews\", dependencies: [\"RideApiFakes\"], path: \"Tests/JourneyPreviews\"), ",
            before: ".target(name: \"Journey\"", in: File.journeyManifest),
        .write("Packages/Business/Journey/Tests/JourneyPreviews/Previews.swift", "import RideApiFakes\n"),
    ]
    private static let previewProduct = Change.insert(
        ".library(name: \"JourneyPreviews\", targets: [\"JourneyPreviews\"]), ",
        before: ".library(name: \"Journey\"", in: File.journeyManifest)
    private static let computed = Change.edit(
        File.journeyManifest, "\"ErrorCode\", ", "\"ErrorCode\"].map { .byName(name: $0) } + [")
    private static let otherName = Change.edit(
        File.errorCodeManifest, "name: \"ErrorCode\",\n", "name: \"Errors\",\n")
    private static let call = Change.edit(File.ride, "import RideApi", "import JourneyApi\nimport RideApi")
    private static let shared = Change.write(
        File.configuration,
        """
        layers:
          - {name: Libraries, folders: [Packages/Core, Packages/Base, Packages/Common]}
          - {name: Api, pairs: apis}
          - {name: Business, folders: [Packages/Business], pairs: optional}
          - {name: Apps, folders: [Apps], apps: true}
        """)

    static let cases = [
        Case(
            "a public type inside a module type, but not its members", "imp-public module-members",
            finds: ["struct Inner of RideModule is not part of", "enum A of RideModule is not part of"],
            [
                .insert(
                    "    public struct Inner { public enum Innermost { public static let b = 1 } }\n",
                    before: initializer, in: File.ride),
                .insert(
                    "extension RideModule { public enum A { public static let b = 1 } }\n",
                    before: "struct RideService", in: File.ride),
            ]),
        Case(
            "what a standard protocol asks of a module type", "module-members",
            [
                .edit(File.ride, "RideModule: Module {", "RideModule: Module, CustomStringConvertible {"),
                .insert(
                    "    public var description: String { \"Ride\" }\n", before: initializer, in: File.ride),
            ]),
        Case(
            "the payload of a notification", "api-signature",
            [
                .insert(
                    "public struct RideEnded { public static let name = Notification.Name(\"ended\"); public let a: Int }\n",
                    before: code, in: File.rideApi)
            ]),
        Case(
            "a dependency of an Api on another platform", "api-alone",
            finds: ["RideApi depends on a package under #if"],
            [
                .edit(
                    File.rideApiManifest, "let package",
                    "#if os(macOS)\nlet more: [Package.Dependency] = [.package(path: \"../Ride\")]\n#else\n"
                        + "let more: [Package.Dependency] = []\n#endif\nlet package"),
                .edit(File.rideApiManifest, "dependencies: [\n    ]", "dependencies: more"),
            ]),
        Case(
            "links without LinkAnswering", "module-members", finds: [":7:17: RideModule has links"],
            [.insert(links, before: initializer, in: File.ride)]),
        Case(
            "an Api's own extensions, and constants of other types", "api-content",
            [
                .insert(
                    """
                    extension RideCode: Hashable {}
                    extension RideApi.RideCode { public func copy() -> RideCode { self } }
                    extension RideApiProtocol { public func rides() -> [RideCode] { self.rides(limit: 9) } }
                    extension String { public static let ride = "ride" }

                    """, before: code, in: File.rideApi)
            ]),
        Case(
            "types of an Api that no signature names, and the types that only these name", "api-signature",
            finds: ["RideSettings", "RideStore", "RideRecord", "RideLine"].map {
                "no protocol of RideApi has \($0) in a signature"
            },
            [
                .insert(
                    """
                    public struct RideSettings: Sendable { public let store: (any RideStore)? }
                    public protocol RideStore { func save(_ record: RideRecord) }
                    public struct RideRecord: Sendable { public let line: RideLine }
                    public struct RideLine: Sendable { public let text: String }
                    public enum RideNames { public static let main = "ride" }
                    public enum RideError: Error { case late(RideDelay) }
                    public struct RideDelay { public let seconds: Int }
                    public protocol RideStop { var place: RidePlace { get } }
                    public struct RidePlace { public let name: String }
                    public struct RideEnd: RideStop { public let place: RidePlace }

                    """, before: code, in: File.rideApi),
                .insert("func line() -> [any RideStop]\n    ", before: "func rides(", in: File.rideApi),
            ]),
        Case(
            "links into an IMP from another package's sources, but not from its documents", "imp-hidden",
            finds: ["Journey/All:", "More.swift", "data.json"],
            [
                .link(File.beside(File.journey, "More.swift"), to: File.ride),
                .link(File.beside(File.journey, "data.json"), to: File.ride),
                .link(File.beside(File.journey, "All"), to: "Packages/Business/Ride/Sources/Ride"),
                .link("Packages/Business/Journey/More.swift", to: File.ride),
            ]),
        Case(
            "an extension of a foreign type that has the name of a function", "api-content",
            finds: ["an Api package extends Calendar, a type of another module"],
            [
                .insert(
                    "public func Calendar() -> Int { 1 }\nextension Calendar { var a: Int { 1 } }\n",
                    before: "public enum RideRoute", in: File.rideApi)
            ]),
        Case("pairs of another layer that call each other", "shared-calls", [call]),
        Case(
            "pairs of a shared layer that call each other", "shared-calls",
            finds: ["Journey calls Ride, which calls Journey", "Ride calls Journey, which calls Ride"],
            [call, shared]),
        Case("a pair of a shared layer that calls another one", "shared-calls", [shared]),
        Case("the fakes of an Api", "pairs", fakes),
        Case(
            "fakes outside tests", "fakes-in-tests",
            finds: ["\(File.journey):5:1: Journey uses RideApiFakes, and is not a test"],
            fakes + [.edit(File.journey, "import RideApi", "import RideApi\nimport RideApiFakes")]),
        Case("fakes in previews", "pairs", fakes + previews),
        Case("previews in a product of their own", "pairs", fakes + previews + [previewProduct]),
        Case(
            "a product of previews with another name, and an import of previews in another package",
            "fakes-in-tests",
            finds: [
                "the product Screens contains JourneyPreviews, which stands with the tests",
                "\(File.ride):4:1: Ride uses JourneyPreviews, which stands with the tests",
            ],
            fakes + previews + [
                previewProduct,
                .edit(
                    File.journeyManifest, "name: \"JourneyPreviews\", targets", "name: \"Screens\", targets"),
                .edit(File.ride, "import RideApi", "import RideApi\nimport JourneyPreviews"),
            ]),
        Case(
            "previews in a product, and in a target that an app links", "fakes-in-tests",
            finds: [
                "the product Journey contains JourneyPreviews, which stands with the tests",
                "\(File.journey):5:1: Journey uses JourneyPreviews, which stands with the tests",
            ],
            fakes + previews + [
                .edit(
                    File.journeyManifest, "targets: [\"Journey\"]",
                    "targets: [\"Journey\", \"JourneyPreviews\"]"),
                .edit(File.journey, "import RideApi", "import RideApi\nimport JourneyPreviews"),
            ]),
        Case(
            "routes with the constants of the Api, and other functions named route", "route-constant",
            [
                .insert(
                    """
                        let links: [Link] = [
                            .route(RideRoute.main) { _ in nil }, Links.Link.route(RideApi.`RideRoute`.main) { _ in nil },
                        ]
                        let others = [map.route("a") { 1 }, .route("b"), .route(to: "c") { 1 }, route("d") { 1 }]

                    """, before: initializer, in: File.ride)
            ]),
        Case("a computed list of dependencies", "dependency-used", [computed]),
        Case(
            "an unused dependency in a computed list", "dependency-used",
            finds: ["\(File.journeyManifest):15:62:"],
            [computed, .edit(File.journey, "import ErrorCode\n", "")]),
        Case(
            "an Api without an IMP", "pair-halves", finds: ["RideApi has no IMP named Ride"],
            [.remove("Packages/Business/Ride")]),
        Case(
            "an IMP without an Api", "pair-halves", finds: ["Ride has no Api package named RideApi"],
            [.remove("Packages/Business/RideApi")]),
        Case(
            "folders whose names differ only in case", "pair-names",
            finds: ["two packages have a folder named"],
            [.write("Packages/Common/ride/Package.swift", SmallTree.manifest("ride"))]),
        Case(
            "a library that is not named like its folder", "pair-names",
            finds: ["the package in Packages/Common/ErrorCode is named Errors"], [otherName]),
        Case(
            "names of libraries without a table of libraries", "pair-names version-libraries",
            [otherName, .edit(File.versions, "| Library", "Library")]),
    ]

    @Test("A rule reports what breaks it, and nothing else", arguments: cases)
    func reports(_ row: Case) throws { try row.run() }

    @Test(
        "A module may conform to LinkAnswering in its declaration, in an extension, or in a composition",
        arguments: ["LinkAnswering", "Links.LinkAnswering", "Module & LinkAnswering"], [true, false])
    func linkAnswering(_ conformance: String, isExtension: Bool) throws {
        let tree = try SmallTree.make()
        try tree.insert(Self.links, before: Self.initializer, in: File.ride)
        if isExtension {
            try tree.insert(
                "extension RideModule: \(conformance) {}\n", before: "struct RideService", in: File.ride)
        } else {
            try tree.edit(File.ride, "RideModule: Module", "RideModule: Module, \(conformance)")
        }
        #expect(try tree.findings("module-members") == [])
    }
}
