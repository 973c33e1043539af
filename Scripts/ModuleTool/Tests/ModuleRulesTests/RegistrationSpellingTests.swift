import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("Spellings of registrations")
struct RegistrationSpellingTests {
    private static let ride = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    private static let api = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
    private static let list = "Apps/Shell/Sources/Shell/Registrations.swift"
    private static let registration =
        "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"

    /// The small tree with this code in place of Ride's registration.
    private func tree(registering code: String) throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.edit(Self.ride, Self.registration, code + "\n")
        return tree
    }

    @Test(
        "Every form of a registration is found",
        arguments: [
            "center.register(RideApiProtocol.self) { RideService() }",
            "center.register(RideApiProtocol.self, scope: .once) { _ in RideService() }",
            "center.register(RideApi.RideApiProtocol.self, impBuilder: make)",
            "center.register((any RideApiProtocol).self, scope: .main(.once), impBuilder: { RideService() })",
        ])
    func forms(_ code: String) throws {
        #expect(try tree(registering: code).findings("registration", "pairs") == [])
        let twice = try tree(registering: code + "\n" + Self.registration).findings("registration")
        #expect(twice.map(\.rule) == ["registration-double"])
    }

    @Test("Every form of a registration or request is reported if its type is not a literal")
    func literal() throws {
        let code = """
            center.register(type, scope: .once) { RideService() }
            center.register(types[0], impBuilder: make)
            ApiCenter.shared.register(Swift.type(of: x)) { RideService() }
            let pass = center.register(_:scope:impBuilder:fileID:line:)
            _ = try center.requireApi(type: type)
            let ask = center.api(type:fileID:line:)
            """
        let findings = try tree(registering: Self.registration + code).findings("registration")
        #expect(findings.map(\.rule) == Array(repeating: "registration-literal", count: 6))
        #expect(findings.first?.what == "register(type) does not name its type")
        #expect(findings.first?.fix.hasSuffix("register(XxxApiProtocol.self)") == true)
    }

    @Test("Registrations under more #if conditions than the check can decide are reported")
    func undecided() throws {
        let many = (1...12).map { "C\($0)" }.joined(separator: " && ")
        func code(_ other: String) -> String {
            "#if \(many)\n\(Self.registration)#endif\n#if \(other)\n\(Self.registration)#endif\n"
        }
        // With C1 alone, neither condition holds.
        let missing = try tree(registering: code("!C1 && !C13")).findings("registration-missing")
        #expect(missing.count == 1 && missing.first?.what.contains("more than 12 #if") == true)
        // With all conditions but C13, both hold.
        let double = try tree(registering: code("C1 && !C13")).findings("registration-double")
        #expect(double.count == 1 && double.first?.what.contains("more than 12 #if") == true)
    }

    @Test("Methods named `register` on other types are not registrations")
    func others() throws {
        let code = """
            table.register(Cell.self, forCellReuseIdentifier: "cell")
            module.register(in: center)
            router.register("ride") { 1 }
            container.register(RideApiProtocol.self) { _ in ApiCenter.shared.api(type: RideApiProtocol.self) }
            """
        #expect(try tree(registering: Self.registration + code).findings("registration") == [])
    }

    @Test(
        "A registration in a branch counts only if every branch contains one",
        arguments: [
            ("if x { REG }", ["registration-missing"]), ("if x { REG } else { REG }", []),
            ("if x { REG } else if y { REG }", ["registration-missing"]),
            ("if x { REG } else if y { REG } else { REG }", []),
            ("if x { REG }\nREG", ["registration-double"]),
            ("guard x else { return }\nREG", ["registration-missing"]),
            ("guard x else { REG; return }\nREG", []),
            ("if x { return }\nREG", ["registration-missing"]),
            ("if x { REG; return }\nREG", []),
            ("switch x { case 1: REG\ncase 2: REG\ndefault: break }", ["registration-missing"]),
            ("switch x { case 1: REG\ncase 2: REG\ndefault: REG }", []),
            ("for _ in x { REG }", ["registration-missing"]),
            ("while x { REG }", ["registration-missing"]), ("repeat { REG } while x", []),
            ("do { REG } catch { print(1) }", []),
            ("do { try x() } catch { REG }", ["registration-missing"]),
            ("_ = x ? REG : REG", []), ("_ = x ? REG : ()", ["registration-missing"]),
            ("_ = x && REG", ["registration-missing"]), ("if REG { return }", []),
            ("switch REG { default: break }", []), ("for _ in REG {}", []), ("while REG {}", []),
        ])
    func branches(_ code: String, _ rules: [String]) throws {
        let code = code.replacing(
            "REG", with: "center.registerApi(type: RideApiProtocol.self, impBuilder: a)")
        #expect(try tree(registering: code).findings("registration").map(\.rule) == rules)
    }

    @Test("A request inside a branch needs a registration, which may be outside the branch")
    func requests() throws {
        let tree = try SmallTree.make()
        let journey = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
        try tree.edit(journey, "ApiCenter().api", "Bool.random() ? [] : ApiCenter().api")
        #expect(try tree.findings("registration") == [])
        try tree.edit(Self.ride, Self.registration, "")
        #expect(try tree.findings("registration").map(\.rule) == ["registration-missing"])
    }

    @Test(
        "Every way of instantiating a module type is found",
        arguments: [
            "list.append(RideModule.init())", "list.append(Ride.RideModule())", "let m: RideModule = .init()",
            "list.append(Ride.RideModule.init())", "var m: Ride.RideModule { .init() }",
            "func make() -> RideModule { .init() }", "list.append(.init() as RideModule)",
            "list += [RideModule.init].map { $0() }", "let m: [RideModule] = [.init()]",
            "func add(_ m: RideModule = .init()) {}",
            "typealias BestModule = RideModule; list.append(BestModule())",
        ])
    func creations(_ code: String) throws {
        let tree = try SmallTree.make()
        try tree.edit(Self.list, "list.append(RideModule())", code)
        #expect(try tree.findings("registration") == [])
        try tree.edit(Self.list, code, code + "\n        list.append(RideModule())")
        #expect(try tree.findings("app-list").map(\.what) == ["Shell creates RideModule() twice"])
    }

    @Test(
        "A module type that is instantiated in a branch is reported",
        arguments: ["if x { MODULE }", "guard x else { return [] }; MODULE", "if x { return [] }; MODULE"])
    func createdInBranch(_ code: String) throws {
        let tree = try SmallTree.make()
        let creation = "list.append(RideModule())"
        try tree.edit(Self.list, creation, code.replacing("MODULE", with: creation))
        let finding = try #require(try tree.findings("app-list").first)
        #expect(finding.what.hasPrefix("RideModule() is in a branch that may not be taken ("))
        #expect(finding.what.hasSuffix(" at 17:9)"))
    }

    @Test("A typealias is resolved to its type, in registrations and in requests")
    func aliases() throws {
        let tree = try SmallTree.make()
        let text = try tree.read(Self.api)
        try tree.write(
            Self.api,
            text
                + "public typealias Q = RideApiProtocol\npublic enum Names { public typealias Far = RideApi.Q }\n"
        )
        let second = Self.registration.replacing("RideApiProtocol", with: "TYPE")
        for name in ["Q", "RideApi.Q", "Names.Far", "RideApi.Names.Far", "Own", "Local"] {
            try tree.edit(
                Self.ride, Self.registration,
                Self.registration + "        typealias Local = any Q\n" + second.replacing("TYPE", with: name)
            )
            try tree.write(
                "Packages/Business/Ride/Sources/Ride/Own.swift",
                "import RideApi\nprivate typealias Own = Names.Far\n")
            #expect(try tree.findings("registration").map(\.rule) == ["registration-double"], "\(name)")
            try tree.edit(Self.ride, Self.registration, "")
            #expect(try tree.findings("registration", "pair-halves") == [], "\(name)")
            try tree.edit(
                Self.ride, "        typealias Local = any Q\n" + second.replacing("TYPE", with: name),
                Self.registration)
        }
        try tree.edit(
            "Apps/Shell/Sources/Shell/Shell.swift", "api(type: RideApiProtocol.self)",
            "api(type: Names.Far.self)")
        #expect(try tree.findings("registration") == [])
    }

    @Test("A typealias is not resolved if it is cyclic, or if it stands for different types under #if")
    func unknownAliases() throws {
        let tree = try tree(
            registering: Self.registration + "        center.registerApi(type: Loop.self) { 1 }\n"
                + "        center.registerApi(type: Choice.self) { 1 }\n")
        let api = try tree.read(Self.api)
        try tree.write(
            Self.api,
            api + "public typealias Loop = Back\npublic typealias Back = Loop\n#if A\n"
                + "public typealias Choice = RideApiProtocol\n#else\npublic typealias Choice = RideCode\n#endif\n"
        )
        #expect(try tree.findings("registration") == [])
    }
}
