import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("Rules about pairs, layers and imports")
struct TreeRulesTests {
    @Test("A public type inside a module type is reported by its own name, not by its members' names")
    func nestedTypes() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            Self.ride, "    public init() {}",
            "    public init() {}\n    public struct Inner { public enum Innermost { public static let b = 1 } }"
        )
        try tree.edit(
            Self.ride, "struct RideService",
            "extension RideModule { public enum A { public static let b = 1 } }\nstruct RideService")
        #expect(
            try tree.findings("imp-public", "module-members").map(\.what) == [
                "struct Inner of RideModule is not part of Module",
                "enum A of RideModule is not part of Module",
            ])
    }

    @Test(
        "A module may conform to LinkAnswering in its declaration, in an extension, or in a composition",
        arguments: ["LinkAnswering", "Links.LinkAnswering", "Module & LinkAnswering"])
    func linkAnswering(_ conformance: String) throws {
        let tree = try SmallTree.make()
        let links = "    public func links(in center: ApiCenter) -> [Link] { [] }\n"
        try tree.edit(Self.ride, "    public init() {}", "\(links)    public init() {}")
        #expect(try tree.findings("module-members").map(\.place.line) == [7])
        try tree.edit(
            Self.ride, "struct RideService", "extension RideModule: \(conformance) {}\nstruct RideService")
        #expect(try tree.findings("module-members") == [])
        try tree.edit(Self.ride, "extension RideModule: \(conformance) {}\n", "")
        try tree.edit(Self.ride, "RideModule: Module", "RideModule: Module, \(conformance)")
        #expect(try tree.findings("module-members") == [])
    }

    @Test("An Api may extend its own types, and add constants to the types of other modules")
    func extensions() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            Self.rideApi, "public struct RideCode",
            """
            extension RideCode: Hashable {}
            extension RideApi.RideCode { public func copy() -> RideCode { self } }
            extension RideApiProtocol { public func rides() -> [RideCode] { self.rides(limit: 9) } }
            extension String { public static let ride = "ride" }
            public struct RideCode
            """)
        #expect(try tree.findings("api-content") == [])
    }

    @Test("A type of an Api that no signature names is reported, with the protocols that only it names")
    func signatures() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            Self.rideApi, "public struct RideCode",
            """
            public struct RideSettings: Sendable { public let store: (any RideStore)? }
            public protocol RideStore { func save(_ record: RideRecord) }
            public struct RideRecord: Sendable { public let line: RideLine }
            public struct RideLine: Sendable { public let text: String }
            public enum RideNames { public static let main = "ride" }
            public enum RideError: Error { case late(RideDelay) }
            public struct RideDelay { public let seconds: Int }
            public struct RideCode
            """)
        try tree.edit(
            Self.rideApi, "func rides(limit: Int)",
            "func line() -> [any RideStop]\n    func rides(limit: Int)")
        try tree.edit(
            Self.rideApi, "public struct RideCode",
            """
            public protocol RideStop { var place: RidePlace { get } }
            public struct RidePlace { public let name: String }
            public struct RideEnd: RideStop { public let place: RidePlace }
            public struct RideCode
            """)
        #expect(
            try tree.findings("api-signature").map(\.what)
                == [
                    "RideSettings", "RideStore", "RideRecord", "RideLine",
                ].map { "no protocol of RideApi has \($0) in a signature" })
    }

    @Test("A link into an IMP from another package's sources is reported, and one from a document is not")
    func links() throws {
        let tree = try SmallTree.make()
        let ride = tree.root + "/Packages/Business/Ride/Sources/Ride"
        for link in [
            "Journey/Sources/Journey/More.swift", "Journey/Sources/Journey/data.json", "Journey/More.swift",
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(tree.root)/Packages/Business/\(link)",
                withDestinationPath: ride + "/RideModule.swift")
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(tree.root)/Packages/Business/Journey/Sources/Journey/All", withDestinationPath: ride)
        #expect(
            try tree.findings("imp-hidden").map { $0.place.path.split(separator: "/").last } == [
                "All", "More.swift", "data.json",
            ])
    }

    @Test("Pairs of a shared layer must not call each other in a circle, and those of another layer may")
    func sharedCalls() throws {
        let tree = try SmallTree.make()
        try tree.edit(Self.ride, "import RideApi", "import JourneyApi\nimport RideApi")
        #expect(try tree.findings("shared-calls") == [])
        try tree.write(
            ".modules.yml",
            """
            layers:
              - {name: Core, folders: [Packages/Core]}
              - {name: Base, folders: [Packages/Base]}
              - {name: Api, pairs: apis}
              - {name: Common, folders: [Packages/Common]}
              - {name: Business, folders: [Packages/Business], pairs: optional}
              - {name: Apps, folders: [Apps], apps: true}
            """)
        #expect(
            try tree.findings("shared-calls").map(\.what).sorted() == [
                "Journey calls Ride, which calls Journey, directly or through others",
                "Ride calls Journey, which calls Ride, directly or through others",
            ])
    }

    @Test("Only tests use the fakes of an Api, and the fakes are not part of the Api")
    func fakes() throws {
        let tree = try SmallTree.make()
        let manifest = "Packages/Business/RideApi/Package.swift"
        try tree.edit(
            manifest, ".target(name: \"RideApi\", dependencies: []),",
            ".target(name: \"RideApi\", dependencies: []), .target(name: \"RideApiFakes\", dependencies: [\"RideApi\"]),"
        )
        try tree.write(
            "Packages/Business/RideApi/Sources/RideApiFakes/FakeRide.swift",
            "import RideApi\nimport Synchronization\npublic final class FakeRide {}\n")
        #expect(try tree.findings("pairs") == [])
        try tree.edit(Self.journey, "import RideApi", "import RideApi\nimport RideApiFakes")
        let findings = try tree.findings("fakes-in-tests")
        #expect(findings.map(\.what) == ["Journey uses RideApiFakes, and is not a test"])
        #expect(findings.map(\.place.description) == ["\(Self.journey):5:1"])
    }

    @Test("A link may use the constants of the module's Api, and other functions named route are ignored")
    func routes() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            Self.ride, "    public init() {}",
            """
                let links: [Link] = [
                    .route(RideRoute.main) { _ in nil }, Links.Link.route(RideApi.`RideRoute`.main) { _ in nil },
                ]
                let others = [map.route("a") { 1 }, .route("b"), .route(to: "c") { 1 }, route("d") { 1 }]
            """)
        #expect(try tree.findings("route-constant") == [])
    }

    @Test("Each rule reports a violation at its exact place", arguments: breaks)
    func broken(_ edit: Break) throws {
        let tree = try SmallTree.make()
        try tree.edit(edit.file, edit.old, edit.new)
        let findings = try tree.findings(edit.rule)
        #expect(findings.map(\.place.description) == [edit.place])
        #expect(findings.allSatisfy { $0.rule == edit.rule && !$0.fix.isEmpty && !$0.why.isEmpty })
    }

    @Test("An unused dependency in a manifest's computed list is reported")
    func computedDependencies() throws {
        let tree = try SmallTree.make()
        try tree.edit(Self.journeyManifest, "\"ErrorCode\", ", "\"ErrorCode\"].map { .byName(name: $0) } + [")
        #expect(try tree.findings("dependency-used") == [])
        try tree.edit(Self.journey, "import ErrorCode\n", "")
        #expect(
            try tree.findings("dependency-used").map(\.place.description) == ["\(Self.journeyManifest):15:62"]
        )
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
        func manifest(_ end: String) -> String {
            "// swift-tools-version: 6.3\nimport PackageDescription\nlet package = Package(name: \"Kit\")\n"
                + end
        }
        let files = [
            "Package.swift": settings, "Same/Package.swift": settings,
            "Windows/Package.swift": settings.replacing("\n", with: "\r\n"),
            "Other/Package.swift": settings.replacing("[]", with: "nil"),
            "More/Package.swift": settings + "// More.\n", "Without/Package.swift": "",
        ]
        let tree = try TemporaryTree(
            Dictionary(uniqueKeysWithValues: files.map { path, end in (path, manifest(end)) }))
        #expect(
            try tree.findings("shared-settings").map(\.place.description) == [
                "More/Package.swift:6:1", "Other/Package.swift:5:1", "Without/Package.swift:4:1",
            ])
        try tree.edit("Package.swift", "// The shared", "// Some")
        #expect(try tree.findings("shared-settings") == [])
    }

    @Test("A correct tree has no findings")
    func silent() throws {
        let tree = try SmallTree.make()
        try tree.commit("Good")
        #expect(try tree.findings() == [])
    }

    @Test("A missing half of a pair is reported")
    func halves() throws {
        let tree = try SmallTree.make()
        try tree.remove("Packages/Business/Ride")
        #expect(try tree.findings("pair-halves").map(\.what) == ["RideApi has no IMP named Ride"])
        let other = try SmallTree.make()
        try other.remove("Packages/Business/RideApi")
        #expect(try other.findings("pair-halves").map(\.what) == ["Ride has no Api package named RideApi"])
    }

    @Test("Two package folders whose names differ only in case are reported")
    func twoFolders() throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Common/ride/Package.swift", SmallTree.manifest("ride"))
        #expect(try tree.findings("pair-names").count == 1)
    }

    @Test("A library must have its folder's name if VERSIONS.md lists libraries")
    func libraryNames() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            "Packages/Common/ErrorCode/Package.swift", "name: \"ErrorCode\",\n", "name: \"Errors\",\n")
        #expect(try tree.findings("pair-names").count == 1)
        let table = try #require(try tree.read("VERSIONS.md").split(separator: "| Library").last)
        try tree.edit("VERSIONS.md", "| Library\(table)", "")
        #expect(try tree.findings("pair-names", "version-libraries") == [])
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
        #expect(long.what.hasSuffix("One -> Three -> One") == false)
        #expect(long.what.hasSuffix("One -> Two -> Three -> One"))
        #expect(long.place.description == "\(common)/Three/Sources/Three/File.swift:1:1")
        #expect(long.notes.count == 2)
        // A shorter cycle is preferred, even if only an import closes it.
        try tree.write("\(common)/Two/Sources/Two/Extra.swift", "// nothing\nimport One\n")
        let short = try tree.findings("cycles")
        #expect(short.map(\.what).first?.hasSuffix("One -> Two -> One") == true)
        #expect(short.map(\.place.description) == ["\(common)/Two/Sources/Two/Extra.swift:2:1"])
    }

    @Test("Checking part of a tree reports no dependencies on packages outside that part")
    func outside() throws {
        let tree = try SmallTree.make()
        let part = try TreeReader(root: tree.root + "/Packages/Base").read()
        let rules = try RuleBook.rules(named: ["cycles", "imports"])
        #expect(try RuleBook.findings(of: rules, in: RuleContext(part)) == [])
        // An unused dependency is reported, even if its package lies outside the part.
        try tree.edit(
            "Packages/Base/Lifecycle/Sources/Lifecycle/Module.swift", "import ApiCenter", "// none")
        #expect(
            try RuleBook.findings(of: rules, in: RuleContext(TreeReader(root: part.root).read())).count == 1)
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
            ("platforms: [.linux]", "DEBUG", false), ("platforms: [.linux], traits: [\"A\"]", "A", true),
            ("platforms: [.linux], traits: [\"A\"]", "os(Linux)", false),
        ])
    func conditionalImports(_ dependency: String, _ condition: String, isCovered: Bool) throws {
        let tree = try SmallTree.make()
        try tree.edit(
            Self.journeyManifest, "\"ErrorCode\", \"JourneyApi\"",
            ".byName(name: \"ErrorCode\", condition: .when(\(dependency))), \"JourneyApi\"")
        try tree.edit(Self.journey, "import ErrorCode", "#if \(condition)\nimport ErrorCode\n#endif")
        #expect(try tree.findings("import-declared").isEmpty == isCovered)
    }
}
