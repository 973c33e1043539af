import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleChecks

@Suite("Rules about pairs, layers and imports")
struct TreeRulesTests {
    @Test("A correct tree has no findings")
    func silent() throws {
        let tree = try SmallTree.make()
        try tree.commit("Good")
        #expect(try tree.findings() == [])
    }

    @Test("Each rule about what people write has an edit that breaks it, or tests with trees of its own")
    func everyRule() {
        let elsewhere = [
            "pair-halves", "api-reexports", "fakes-in-tests", "denied-use", "cycles", "shared-calls",
            "manifest-read", "shared-settings", "registration-missing", "registration-double",
            "registration-orphan", "registration-literal", "app-list", "events-in-order",
        ]
        let broken = Set(Break.all.map(\.rule))
        #expect(CheckRules.all.map(\.id).filter { !broken.contains($0) } == elsewhere)
    }

    @Test("Each rule reports a violation at its exact place", arguments: Break.all)
    func broken(_ edit: Break) throws {
        let tree = try SmallTree.make()
        try tree.edit(edit.file, edit.old, edit.new)
        let findings = try tree.findings(edit.rule)
        #expect(findings.map(\.place.description) == [edit.place])
        #expect(findings.allSatisfy { $0.rule == edit.rule && $0.isInForm && !$0.why.isEmpty })
    }

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
        Case("pairs of another layer that call each other", "shared-calls", [call]),
        Case(
            "pairs of a shared layer that call each other", "shared-calls",
            finds: ["Journey calls Ride, which calls Journey", "Ride calls Journey, which calls Ride"],
            [
                call,
                .write(
                    File.configuration,
                    """
                    layers:
                      - {name: Libraries, folders: [Packages/Core, Packages/Base, Packages/Common]}
                      - {name: Api, pairs: apis}
                      - {name: Business, folders: [Packages/Business], pairs: optional}
                      - {name: Apps, folders: [Apps], apps: true}
                    """),
            ]),
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

    @Test("A local dependency may be outside the tree, but not in a hidden folder")
    func hiddenPackages() throws {
        let manifest = SmallTree.manifest(
            "Kit", packages: ["../Outside", "Inner/.hidden/Secret", "./Inner/Open/"])
        let whole = try TemporaryTree([
            "Kit/Package.swift": manifest, "Outside/Package.swift": SmallTree.manifest("Outside"),
            "Kit/Inner/.hidden/Secret/Package.swift": SmallTree.manifest("Secret"),
            "Kit/Inner/Open/Package.swift": SmallTree.manifest("Open"),
        ])
        let tree = try TreeReader(root: whole.root + "/Kit").read()
        #expect(
            try Rule.packageFound.findings(in: RuleContext(tree)).map(\.what) == [
                "the package Inner/.hidden/Secret is in a hidden folder, which no rule checks"
            ])
    }

    @Test("Settings that differ from the root manifest's are reported at the first line that differs")
    func sharedSettings() throws {
        let settings =
            "// The shared settings.\nfor target in package.targets { target.swiftSettings = [] }\n"
        let files = [
            "": settings, "Same/": settings, "Windows/": settings.replacing("\n", with: "\r\n"),
            "Other/": settings.replacing("[]", with: "nil"), "More/": settings + "// More.\n", "Without/": "",
        ].map { folder, end in
            let start =
                "// swift-tools-version: 6.3\nimport PackageDescription\nlet package = Package(name: \"Kit\")"
            return (folder + "Package.swift", start + "\n" + end)
        }
        let tree = try TemporaryTree(Dictionary(uniqueKeysWithValues: files))
        #expect(
            try tree.findings("shared-settings").map(\.place.description) == [
                "More/Package.swift:6:1", "Other/Package.swift:5:1", "Without/Package.swift:4:1",
            ])
        try tree.edit("Package.swift", "// The shared", "// Some")
        #expect(try tree.findings("shared-settings") == [])
    }

    @Test("A dependency cycle is reported with its shortest path and the file that closes it")
    func cycle() throws {
        let common = "Packages/Common"
        let tree = try SmallTree.make()
        for (name, next) in [("One", "Two"), ("Two", "Three"), ("Three", "One")] {
            try tree.write(
                "\(common)/\(name)/Package.swift",
                SmallTree.manifest(name, packages: ["../\(next)"], uses: [next]))
            try tree.write("\(common)/\(name)/Sources/\(name)/File.swift", "import \(next)\n")
        }
        let long = try #require(try tree.findings("cycles").first)
        #expect(long.what.hasSuffix("One -> Two -> Three -> One") && long.notes.count == 2)
        #expect(long.place.description == "\(common)/Three/Sources/Three/File.swift:1:1")
        // A shorter cycle is preferred, even if only an import closes it.
        try tree.write("\(common)/Two/Sources/Two/Extra.swift", "// nothing\nimport One\n")
        let short = try tree.findings("cycles")
        #expect(short.map { $0.what.hasSuffix(": One -> Two -> One") } == [true])
        #expect(short.map(\.place.description) == ["\(common)/Two/Sources/Two/Extra.swift:2:1"])
    }

    @Test("Each finding about a helper in a layer of pairs says that it may belong into a lower layer")
    func helper() throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/Money/Package.swift", SmallTree.manifest("Money"))
        try tree.write("Packages/Business/Money/Sources/Money/Money.swift", "public struct Money {}\n")
        try tree.edit(
            File.journeyManifest, "        .package(path: \"../RideApi\"),",
            "        .package(path: \"../Money\"),\n        .package(path: \"../RideApi\"),")
        try tree.edit(File.journeyManifest, "\"Lifecycle\", ", "\"Lifecycle\", \"Money\", ")
        try tree.edit(File.journey, "import RideApi", "import Money\nimport RideApi")
        try tree.commit("A helper")
        let found = try tree.findings()
        #expect(found.map(\.rule).sorted() == ["imp-hidden", "pair-halves"], "\(found)")
        for finding in found {
            #expect(finding.fix.contains("move it to a lower layer, such as Packages/Common"), "\(finding)")
        }
        try tree.git("mv", "Packages/Business/Money", "Packages/Common/Money")
        try tree.edit(File.journeyManifest, "../Money", "../../Common/Money")
        #expect(try tree.findings("pairs", "layers", "imports") == [])
    }

    @Test("Checking part of a tree reports no dependencies on packages outside that part")
    func outside() throws {
        let tree = try SmallTree.make()
        let part = try TreeReader(root: tree.root + "/Packages/Base").read()
        let rules = try RuleBook.rules(named: ["cycles", "imports"])
        #expect(try RuleBook.tree.findings(of: rules, in: RuleContext(part)) == [])
        // An unused dependency is reported, even if its package lies outside the part.
        try tree.edit(
            "Packages/Base/Lifecycle/Sources/Lifecycle/Module.swift", "import ApiCenter", "// none")
        #expect(
            try RuleBook.tree.findings(of: rules, in: RuleContext(TreeReader(root: part.root).read())).count
                == 1)
    }

    @Test(
        "The import of a conditional dependency needs an #if that leaves it out where the dependency is missing",
        arguments: [
            ("traits: [\"Codes\"]", "Codes", true), ("traits: [\"Codes\"]", "DEBUG && Codes", true),
            ("traits: [\"Codes\"]", "canImport(ErrorCode)", true),
            // A focus gives each pair a trait of its own.
            ("traits: [\"Codes\"]", "Codes || ErrorCode", true), ("traits: [\"Codes\"]", "os(Linux)", false),
            ("traits: [\"Codes\"]", "DEBUG || Codes", false), ("traits: [\"Codes\"]", "!Codes", false),
            ("traits: [\"A\", \"B\"]", "A || B", true), ("traits: [\"A\"]", "A || B", false),
            ("platforms: [.linux]", "os(Linux)", true), ("platforms: [.linux]", "canImport(Glibc)", true),
            ("platforms: [.linux]", "DEBUG", false), ("platforms: [.linux], traits: [\"A\"]", "A", false),
            ("platforms: [.linux], traits: [\"A\"]", "A && os(Linux)", true),
            ("platforms: [.linux], traits: [\"A\"]", "canImport(ErrorCode)", true),
            ("platforms: [.linux], traits: [\"A\"]", "os(Linux)", false),
        ])
    func conditionalImports(_ dependency: String, _ condition: String, isCovered: Bool) throws {
        let tree = try SmallTree.make()
        try tree.edit(
            File.journeyManifest, "\"ErrorCode\", \"JourneyApi\"",
            ".byName(name: \"ErrorCode\", condition: .when(\(dependency))), \"JourneyApi\"")
        try tree.edit(File.journey, "import ErrorCode", "#if \(condition)\nimport ErrorCode\n#endif")
        #expect(try tree.findings("import-declared").isEmpty == isCovered)
    }
}
