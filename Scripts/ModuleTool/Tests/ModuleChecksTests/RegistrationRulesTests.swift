import Foundation
import ModuleFixtures
import RuleFixtures
import Testing

@Suite("Rules about registration")
struct RegistrationRulesTests {
    private static let cashless =
        "Packages/Business/RideCashless/Sources/RideCashless/RideCashlessModule.swift"
    private static let remote = "Packages/Adapters/RideRemote/Sources/RideRemote/RideRemoteModule.swift"
    private static let line = "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"
    private static let append = "        list.append(RideModule())\n"

    /// The builder of an Api that looks the service up under its own type.
    private static let ownBuilder =
        "        center.register(RideApiProtocol.self) { try $0.requireApi(type: RideService.self) }\n"
    /// Registers Ride's service under its own type, which Ride itself looks up.
    private static let ownKey: [Change] = [
        .edit(
            File.ride, line,
            "        center.register(RideService.self) { RideService() }\n" + ownBuilder)
    ]

    /// Adds RideCashless, an alternative IMP of RideApi whose trait is off by default.
    private static let alternative: [Change] = [
        .write(
            "Packages/Business/RideCashless/Package.swift",
            SmallTree.manifest(
                "RideCashless", packages: ["../../Base/Lifecycle", "../../Core/ApiCenter", "../RideApi"],
                uses: ["ApiCenter", "Lifecycle", "RideApi"])),
        .write(
            cashless,
            SmallTree.files[File.ride, default: ""].replacing("RideModule", with: "RideCashlessModule")),
        .write("Package.swift", SmallTree.rootManifest(["Journey", "Ride"], alternatives: ["RideCashless"])),
        .write(File.list, SmallTree.registrations(["Journey", "Ride", "RideCashless"])),
    ]

    /// Moves the list of modules into a library of the root package, which the app links.
    private static func library(_ modules: [String]) -> [Change] {
        let app = "        .executableTarget(\n            name: \"Shell\","
        let shell = "path: \"Apps/Shell/Sources/Shell\"),\n"
        let both =
            "\(app) dependencies: [\"AppModules\"], \(shell)        .target(\n            name: \"AppModules\","
        return alternative + [
            .edit("Package.swift", shell, "path: \"Apps/Shell/Sources/AppModules\"),\n"),
            .edit("Package.swift", app, both), .remove(File.list),
            .write("Apps/Shell/Sources/AppModules/Registrations.swift", SmallTree.registrations(modules)),
        ]
    }

    /// An adapter that registers RideApi.
    private static let adapter: [Change] = [
        .write(
            "Packages/Adapters/RideRemote/Package.swift",
            SmallTree.manifest(
                "RideRemote", packages: ["../../Business/RideApi", "../../Core/ApiCenter"],
                uses: ["ApiCenter", "RideApi"])),
        .write(
            remote, "import ApiCenter\nimport RideApi\n\npublic func add(to center: ApiCenter) {\n\(line)}\n"),
    ]
    private static let linkedAdapter: [Change] =
        adapter + [
            .insert(
                "        .package(path: \"Packages/Adapters/RideRemote\"),\n",
                before: "        .package(path: \"Packages/Base/L", in: "Package.swift"),
            .insert(
                ".product(name: \"RideRemote\", package: \"RideRemote\"),\n                ",
                before: ".product(name: \"ApiCenter\"", in: "Package.swift"),
        ]

    private static func inBranches(_ other: String) -> [Change] {
        [.edit(File.ride, line, "        #if DEBUG\n\(line)        \(other)\n\(line)        #endif\n")]
    }

    static let cases = [
        Case("an alternative IMP that is off by default", "registration pairs layers imports", alternative),
        Case(
            "an alternative IMP beside the original", "registration", finds: ["is registered twice"],
            alternative + [
                .edit("Package.swift", "\"Ride\"]),\n    ]", "\"Ride\", \"RideCashless\"]),\n    ]")
            ]),
        Case(
            "a registration that is missing only with an alternative IMP", "registration-missing",
            finds: [
                "RideCashlessModule does not register RideApi.RideApiProtocol under all conditions when Shell with "
                    + "RideCashless in place of Ride starts"
            ],
            alternative + [.edit(cashless, line, "        #if SECRET\n\(line)        #endif\n")]),
        Case(
            "a request of an alternative IMP that is off by default", "registration-missing",
            finds: ["JourneyApi.Other is requested, but Shell with RideCashless in place of Ride does not"],
            alternative + [
                .insert("        _ = center.api(type: JourneyApi.Other.self)\n", before: line, in: cashless)
            ]),
        Case(
            "a list of modules in a library of the root package", "registration",
            library(["Journey", "Ride", "RideCashless"])),
        Case(
            "a list of modules in a library that lacks one", "app-list",
            finds: ["Shell does not create RideModule()"], library(["Journey", "RideCashless"])),
        Case(
            "a module that the list lacks", "registration-missing app-list",
            finds: ["\(File.list):1:1: Shell does not create RideModule()", "\(File.shell):11:22: RideApi"],
            [.edit(File.list, append, "")]),
        Case(
            "a module outside its trait's #if", "app-list",
            finds: ["\(File.list):17:21: RideModule() is not inside #if Ride"],
            [.edit(File.list, "        #if Ride\n", "        #if Journey\n")]),
        Case(
            "a module that is listed twice", "app-list", finds: ["Shell creates RideModule() twice"],
            [.edit(File.list, append, append + append)]),
        Case("registrations whose conditions exclude each other", "registration", inBranches("#else")),
        Case(
            "registrations whose conditions may both fail", "registration",
            finds: ["does not register RideApi.RideApiProtocol under all conditions"],
            inBranches("#elseif os(Linux)")),
        Case(
            "protocols with the same name in different modules", "registration",
            [("Ride", File.ride), ("Journey", File.journeyModule)].flatMap { name, module -> [Change] in
                [
                    .write(
                        "Packages/Business/\(name)Api/Sources/\(name)Api/Service.swift",
                        "public protocol Service {}\n"),
                    .insert(
                        "center.registerApi(type: \(name)Api.Service.self) { X() }\n        ",
                        before: "center.registerApi", in: module),
                ]
            }),
        Case(
            "the registration of an internal type that nobody requests", "registration",
            finds: [
                "\(File.ride):9:16: Inner is registered, but no other package can name it, and Ride does"
            ],
            [
                .insert("        center.registerApi(type: Inner.self) { 1 }\n", before: line, in: File.ride),
                .write(File.beside(File.ride, "Inner.swift"), "protocol Inner {}\n"),
            ]),
        Case("a module's own key, which its builder looks up", "registration", ownKey),
        Case(
            "a module's own key that is requested and not registered", "registration-missing",
            finds: ["Ride.RideService is requested, but Shell with the default traits does not register it"],
            ownKey + [.edit(File.ride, "        center.register(RideService.self) { RideService() }\n", "")]),
        Case(
            "a module's own key without its Api", "registration-missing",
            finds: ["RideModule does not register RideApi.RideApiProtocol"],
            ownKey + [.edit(File.ride, ownBuilder, "        _ = center.api(type: RideService.self)\n")]),
        Case(
            "a module that no app links", "registration",
            finds: ["Shell does not link RideCashless", "is registered by RideCashless, which no app links"],
            alternative + [
                .write("Package.swift", SmallTree.rootManifest(["Journey", "Ride"])),
                .write(File.list, SmallTree.registrations(["Journey", "Ride"])),
            ]),
        Case("an adapter that no app links", "registration layers imports", adapter),
        Case("an adapter that registers the same Api as an IMP", "registration", linkedAdapter),
        Case("an adapter in place of an IMP", "registration-missing", linkedAdapter + [.remove(File.ride)]),
        Case(
            "neither an adapter nor an IMP", "registration-missing",
            finds: ["is requested, but Shell with the default traits does not register it"],
            linkedAdapter + [.remove(File.ride), .remove(remote)]),
    ]

    @Test("A service of a library, which no module registers, has to be registered by the app")
    func serviceOfApp() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.journey, "import RideApi", "import Mediator\nimport RideApi")
        try tree.edit(
            File.journey, "ApiCenter().api(",
            "_ = ApiCenter().api(type: Mediator.self)\n        return ApiCenter().api(")
        let found = try tree.findings("registration-missing")
        #expect(
            found.map(\.fix) == [
                "Register it where Shell starts, before the modules: center.register(Mediator.self) { ... }"
            ])
        try tree.edit(
            File.shell, "let center = ApiCenter()",
            "let center = ApiCenter()\n        center.register(Mediator.self) { Mediator() }")
        try tree.edit(File.shell, "import JourneyApi", "import JourneyApi\nimport Mediator")
        #expect(try tree.findings("registration-missing") == [])
    }

    @Test(
        "Each Api is registered once, whatever the traits, and each module is listed once", arguments: cases)
    func reports(_ row: Case) throws { try row.run() }

    @Test("A finding lists the other requests and registrations")
    func notes() throws {
        let tree = try SmallTree.make()
        func notes() throws -> [String] {
            try tree.findings("registration-missing", "registration-double").flatMap(\.notes).map {
                "\($0.place): \($0.text)"
            }
        }
        try tree.edit(File.ride, Self.line, Self.line + Self.line)
        #expect(try notes() == ["\(File.ride):9:16: the other registration"])
        try tree.edit(File.ride, Self.line + Self.line, "        #if SECRET\n\(Self.line)        #endif\n")
        let registered = "\(File.ride):10:16: registered here"
        #expect(
            try notes() == [
                "\(registered), under a condition", "\(File.shell):11:22: requested here",
                "\(File.journey):8:21: requested here",
            ])
        try tree.edit(File.list, Self.append, "")
        #expect(
            try notes() == [
                "\(registered), but not when this app starts", "\(File.journey):8:21: also requested here",
            ])
    }

    @Test("A module owes the app the first public protocol of an Api that has no main protocol")
    func otherProtocol() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            File.rideApi, "public protocol RideApiProtocol",
            "public enum Size {}\n\nprotocol Hidden {}\n\npublic protocol Rides")
        let found = try tree.findings("registration-missing")
        #expect(
            found.contains { $0.what.hasPrefix("RideModule does not register RideApi.Rides") }, "\(found)")
        #expect(!found.contains { $0.what.contains("Size") || $0.what.contains("Hidden") }, "\(found)")
    }

    @Test("A finding lists at most four other requests")
    func manyNotes() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            File.journey, "ApiCenter().api(",
            String(repeating: "_ = ApiCenter().api(type: RideApiProtocol.self)\n        ", count: 5)
                + "return ApiCenter().api(")
        try tree.edit(File.list, Self.append, "")
        let notes = try tree.findings("registration-missing").flatMap(\.notes)
        #expect(notes.map(\.text).count { $0 == "also requested here" } == 4)
    }

    @Test("An adapter's module registers only if something creates it")
    func adapterModule() throws {
        let tree = try SmallTree.make()
        try tree.apply(Self.linkedAdapter + [.remove(File.ride)])
        try tree.write(
            Self.remote,
            "import ApiCenter\nimport RideApi\n\npublic struct RideRemoteModule {\n    public init() {}\n"
                + "    public func register(in center: ApiCenter) {\n\(Self.line)    }\n}\n")
        #expect(try tree.findings("registration-missing").count == 1)
        try tree.insert(
            "        RideRemoteModule().register(in: center)\n", before: "        for module", in: File.shell)
        try tree.insert("import RideRemote\n", before: "import RideApi", in: File.shell)
        #expect(try tree.findings("registration-missing") == [])
    }

    @Test("A module that registers nothing in two apps is one finding")
    func twoApps() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            "Package.swift", "path: \"Apps/Shell/Sources/Shell\"),\n",
            "path: \"Apps/Shell/Sources/Shell\"),\n        .executableTarget(name: \"Kiosk\", dependencies: [\"ApiCenter\", "
                + "\"RideApi\", .product(name: \"Ride\", package: \"Ride\")], path: \"Apps/Kiosk\"),\n")
        try tree.write(
            "Apps/Kiosk/main.swift",
            "import ApiCenter\nimport Ride\n\nRideModule().register(in: ApiCenter())\n")
        #expect(try tree.findings("registration-missing") == [])
        try tree.edit(File.ride, Self.line, "")
        try tree.expect(
            "registration-missing",
            finds: [
                "RideModule does not register RideApi.RideApiProtocol when Kiosk with the default traits and Shell with the "
                    + "default traits start"
            ])
    }

    @Test("A module owes its registration once, however many targets its package has")
    func severalTargets() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, Self.line, "")
        let before = try tree.findings("registration-missing").map(\.notes)
        try tree.edit(
            File.rideManifest, ".target(name: \"Ride\", dependencies: [",
            ".target(name: \"Parts\"), .target(name: \"Ride\", dependencies: [\"Parts\", ")
        try tree.write("Packages/Business/Ride/Sources/Parts/Parts.swift", "struct Parts {}\n")
        #expect(try before.count == 1 && tree.findings("registration-missing").map(\.notes) == before)
    }
}
