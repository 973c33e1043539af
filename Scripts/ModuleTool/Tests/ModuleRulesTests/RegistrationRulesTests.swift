import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("Rules about registration")
struct RegistrationRulesTests {
    private static let ride = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    private static let list = "Apps/Shell/Sources/Shell/Registrations.swift"
    private static let journey = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"

    /// A tree with RideCashless, an alternative IMP of RideApi whose trait is off by default.
    private func treeWithAlternative(registering type: String = "RideApiProtocol") throws -> TemporaryTree {
        let tree = try SmallTree.make()
        let folder = "Packages/Business/RideCashless"
        try tree.write(
            "\(folder)/Package.swift",
            SmallTree.manifest(
                "RideCashless", packages: ["../../Base/Lifecycle", "../../Core/ApiCenter", "../RideApi"],
                uses: ["ApiCenter", "Lifecycle", "RideApi"]))
        let module = try tree.read(Self.ride).replacing("RideModule", with: "RideCashlessModule")
            .replacing("type: RideApiProtocol", with: "type: \(type)")
        try tree.write("\(folder)/Sources/RideCashless/RideCashlessModule.swift", module)
        try tree.write(
            "Package.swift", SmallTree.rootManifest(["Journey", "Ride"], alternatives: ["RideCashless"]))
        try tree.write(Self.list, SmallTree.registrations(["Journey", "Ride", "RideCashless"]))
        return tree
    }

    @Test("A tree with an alternative IMP that is off by default breaks no rule")
    func alternative() throws {
        #expect(try treeWithAlternative().findings("registration", "pairs", "layers", "imports") == [])
    }

    @Test("The list of modules may be in a library of the root package, if the app depends on the library")
    func library() throws {
        let tree = try treeWithAlternative()
        try tree.edit(
            "Package.swift", "        .executableTarget(\n            name: \"Shell\",",
            """
                    .executableTarget(
                        name: "Shell", dependencies: ["AppModules"], path: "Apps/Shell/Sources/Shell"),
                    .target(
                        name: "AppModules",
            """)
        try tree.edit(
            "Package.swift", "            path: \"Apps/Shell/Sources/Shell\"),\n    ]",
            """
                        path: "Apps/Shell/Sources/AppModules"),
                ]
            """)
        let list = SmallTree.registrations(["Journey", "Ride", "RideCashless"])
        try tree.write("Apps/Shell/Sources/AppModules/Registrations.swift", list)
        try tree.remove(Self.list)
        #expect(try tree.findings("registration") == [])
        try tree.write(
            "Apps/Shell/Sources/AppModules/Registrations.swift",
            SmallTree.registrations(["Journey", "RideCashless"]))
        #expect(try tree.findings("app-list").map(\.what) == ["Shell does not create RideModule()"])
    }

    @Test("A registration that is missing only when an alternative IMP is enabled is reported")
    func missingInSelection() throws {
        let tree = try treeWithAlternative()
        let module = "Packages/Business/RideCashless/Sources/RideCashless/RideCashlessModule.swift"
        try tree.edit(
            module, "        center.registerApi", "        #if SECRET\n        center.registerApi")
        try tree.edit(module, "{ RideService() }\n", "{ RideService() }\n        #endif\n")
        let findings = try tree.findings("registration-missing")
        #expect(findings.count == 1)
        #expect(findings.first?.what.contains("RideCashless in place of Ride") == true)
        #expect(findings.first?.notes.first?.text == "registered here, under a condition")
    }

    @Test("A requested Api that the app does not register is reported, with all requests and registrations")
    func missing() throws {
        let tree = try SmallTree.make()
        try tree.edit(Self.list, "        list.append(RideModule())\n", "")
        let findings = try tree.findings("registration-missing")
        #expect(findings.map(\.place.description) == ["Apps/Shell/Sources/Shell/Shell.swift:11:22"])
        #expect(
            findings.first?.notes.map(\.place.description) == ["\(Self.ride):9:16", "\(Self.journey):8:21"])
        #expect(try tree.findings("app-list").map(\.place.path) == [Self.list])
    }

    @Test("A duplicate registration is reported with both places, unless their conditions exclude each other")
    func double() throws {
        let tree = try SmallTree.make()
        let line = "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"
        try tree.edit(Self.ride, line, line + line)
        let findings = try tree.findings("registration")
        #expect(findings.map(\.rule) == ["registration-double"])
        #expect(findings.first?.place.description == "\(Self.ride):10:16")
        #expect(findings.first?.notes.map(\.place.description) == ["\(Self.ride):9:16"])
        try tree.edit(
            Self.ride, line + line, "        #if DEBUG\n\(line)        #else\n\(line)        #endif\n")
        #expect(try tree.findings("registration") == [])
        try tree.edit(Self.ride, "#else", "#elseif os(Linux)")
        #expect(try tree.findings("registration").map(\.rule) == ["registration-missing"])
    }

    @Test("An alternative IMP that is enabled together with the IMP it replaces is reported")
    func bothOn() throws {
        let tree = try treeWithAlternative()
        try tree.edit(
            "Package.swift", "[\"Journey\", \"Ride\"])", "[\"Journey\", \"Ride\", \"RideCashless\"])")
        #expect(try tree.findings("registration").map(\.rule) == ["registration-double"])
    }

    @Test("Registered protocols with the same name are distinguished by their modules")
    func equalNames() throws {
        let tree = try SmallTree.make()
        for name in ["Ride", "Journey"] {
            let api = "Packages/Business/\(name)Api/Sources/\(name)Api/Service.swift"
            try tree.write(api, "public protocol Service {}\n")
            let module = "Packages/Business/\(name)/Sources/\(name)/\(name)Module.swift"
            let line = "        center.registerApi(type: \(name)ApiProtocol.self)"
            try tree.edit(
                module, line, "        center.registerApi(type: \(name)Api.Service.self) { X() }\n" + line)
        }
        #expect(try tree.findings("registration") == [])
    }

    @Test("Registrations of internal types and of modules that no app links are reported")
    func orphans() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            Self.ride, "    public func register(in center: ApiCenter) {\n",
            "    public func register(in center: ApiCenter) {\n        center.registerApi(type: Inner.self) { 1 }\n"
        )
        try tree.write("Packages/Business/Ride/Sources/Ride/Inner.swift", "protocol Inner {}\n")
        #expect(try tree.findings("registration").map(\.place.description) == ["\(Self.ride):9:16"])

        let unlinked = try treeWithAlternative()
        try unlinked.write("Package.swift", SmallTree.rootManifest(["Journey", "Ride"]))
        try unlinked.write(Self.list, SmallTree.registrations(["Journey", "Ride"]))
        #expect(try unlinked.findings("registration").map(\.rule) == ["app-list", "registration-orphan"])
    }

    @Test("No app needs to link an adapter, and an adapter may register the same Api as an IMP of its app")
    func adapter() throws {
        let tree = try SmallTree.make()
        let folder = "Packages/Adapters/RideRemote"
        try tree.write(
            folder + "/Package.swift",
            SmallTree.manifest(
                "RideRemote", packages: ["../../Business/RideApi", "../../Core/ApiCenter"],
                uses: ["ApiCenter", "RideApi"]))
        try tree.write(
            folder + "/Sources/RideRemote/RideRemoteModule.swift",
            """
            import ApiCenter
            import RideApi

            func register(in center: ApiCenter) { center.registerApi(type: RideApiProtocol.self) { Remote() } }

            """)
        #expect(try tree.findings("registration", "layers", "imports") == [])
        try tree.edit(
            "Package.swift", "        .package(path: \"Packages/Base/Lifecycle\"),\n",
            "        .package(path: \"Packages/Base/Lifecycle\"),\n        .package(path: \"\(folder)\"),\n")
        try tree.edit(
            "Package.swift", "dependencies: [\n                .product",
            "dependencies: [\n                .product(name: \"RideRemote\", package: \"RideRemote\"),\n                .product"
        )
        #expect(try tree.findings("registration") == [])
        try tree.remove("Packages/Business/Ride/Sources/Ride/RideModule.swift")
        #expect(try !tree.findings("registration").map(\.rule).contains("registration-missing"))
        try tree.remove(folder + "/Sources/RideRemote/RideRemoteModule.swift")
        #expect(try tree.findings("registration").map(\.rule).contains("registration-missing"))
    }

    @Test("A module that is listed twice, or outside its trait's #if, is reported")
    func list() throws {
        let tree = try SmallTree.make()
        try tree.edit(Self.list, "        #if Ride\n", "        #if Journey\n")
        #expect(try tree.findings("app-list").map(\.place.line) == [17])
        let other = try SmallTree.make()
        try other.edit(
            Self.list, "list.append(RideModule())",
            "list.append(RideModule())\n        list.append(RideModule())")
        #expect(try other.findings("app-list").first?.what == "Shell creates RideModule() twice")
    }
}
