import Foundation
import ModuleFixtures
import Testing

@Suite("Rules about registration")
struct RegistrationRulesTests {
    private static let cashless =
        "Packages/Business/RideCashless/Sources/RideCashless/RideCashlessModule.swift"
    private static let remote = "Packages/Adapters/RideRemote/Sources/RideRemote/RideRemoteModule.swift"
    private static let line = "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"
    private static let append = "        list.append(RideModule())\n"

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
            "the registration of an internal type", "registration",
            finds: ["\(File.ride):9:16: Inner is registered, but no caller can name it"],
            [
                .insert("        center.registerApi(type: Inner.self) { 1 }\n", before: line, in: File.ride),
                .write(File.beside(File.ride, "Inner.swift"), "protocol Inner {}\n"),
            ]),
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

    @Test(
        "Each Api is registered once, whatever the traits, and each module is listed once", arguments: cases)
    func reports(_ row: Case) throws { try row.run() }

    /// The code of Ride's module type around `REGISTER`, more code in Ride, and whether the registration is missing.
    struct Launch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let module: String
        var more = ""
        var isMissing = true
    }

    private static let launches = [
        Launch(testDescription: "no registration", module: "", more: ""),
        Launch(
            testDescription: "a function that nobody calls", module: "",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a function that only prepare calls",
            module: "}\npublic func prepare(in center: ApiCenter) async { help(center)",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "prepare",
            module: "}\npublic func prepare(in center: ApiCenter) async { REGISTER"),
        Launch(
            testDescription: "a method of the same name on another type", module: "",
            more: "struct Help { func register(in center: ApiCenter) { REGISTER } }"),
        Launch(
            testDescription: "a chain of functions", module: "help(center)",
            more: "func help(_ c: ApiCenter) { Wiring(center: c).run() }\n"
                + "struct Wiring { let center: ApiCenter; func run() { REGISTER } }", isMissing: false),
        Launch(
            testDescription: "an initialiser", module: "_ = Wiring(center)",
            more: "struct Wiring { init(_ center: ApiCenter) { REGISTER } }", isMissing: false),
        Launch(
            testDescription: "a function that is passed on", module: "[center].forEach(help)",
            more: "func help(_ center: ApiCenter) { REGISTER }", isMissing: false),
    ]

    @Test(
        "A module registers its Api in code that runs at launch, whether or not somebody calls it",
        arguments: launches)
    func launch(_ row: Launch) throws {
        let tree = try SmallTree.make()
        let call = Self.line.trimmingCharacters(in: .whitespacesAndNewlines)
        try tree.edit(File.ride, Self.line, row.module.replacing("REGISTER", with: call) + "\n")
        try tree.write(
            File.beside(File.ride, "Help.swift"),
            "import ApiCenter\nimport RideApi\n\n\(row.more.replacing("REGISTER", with: call))\n")
        for isCalled in [true, false] {
            if !isCalled {
                try tree.edit(
                    File.shell, "print(center.api(type: RideApiProtocol.self)?.rides(limit: 1) ?? [])",
                    "print(1)")
                try tree.write(
                    File.journey,
                    "import JourneyApi\nstruct JourneyService: JourneyApiProtocol { func journeys() -> [String] { [] } }\n"
                )
            }
            let found = try tree.findings("registration")
            #expect(found.map(\.rule) == (row.isMissing ? ["registration-missing"] : []))
            #expect(found.allSatisfy { $0.place.path == File.ride && $0.place.line == 5 })
        }
    }

    @Test("The app itself may register the Api of a module")
    func shell() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, Self.line, "")
        #expect(try tree.findings("registration").count == 1)
        try tree.insert(Self.line, before: "        for module", in: File.shell)
        #expect(try tree.findings("registration") == [])
    }

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
}
