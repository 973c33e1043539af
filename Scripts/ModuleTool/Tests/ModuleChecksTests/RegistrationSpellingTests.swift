import ModuleFixtures
import RuleFixtures
import Testing

@Suite("Spellings of registrations")
struct RegistrationSpellingTests {
    private static let registration =
        "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"

    /// The small tree with this code in place of Ride's registration.
    private func tree(registering code: String) throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, Self.registration, code + "\n")
        return tree
    }

    @Test(
        "Every form of a registration is found",
        arguments: [
            "center.register(RideApiProtocol.self) { RideService() }",
            "center.register(RideApiProtocol.self, scope: .once) { _ in RideService() }",
            "center.register(RideApi.RideApiProtocol.self, impBuilder: make)",
            "center.register((any RideApiProtocol).self, scope: .main(.once), impBuilder: { RideService() })",
            "center.register(RideApi::RideApiProtocol.self) { RideService() }",
            "let c = center; c.register(RideApiProtocol.self) { RideService() }",
            "let c: any ApiCenterProtocol = make(); c.register(RideApiProtocol.self) { RideService() }",
            "if let c = center { c.allOrNothing {} }; center.register(RideApiProtocol.self) { RideService() }",
            "func all(_ c: ApiCenter?) { c!.register(RideApiProtocol.self) { RideService() } }; all(center)",
            "func all<C: ApiCenterProtocol>(in c: C) { c.register(RideApiProtocol.self) { RideService() } }; all(in: center)",
            "[center].forEach { (c: ApiCenter) in c.register(RideApiProtocol.self) { RideService() } }",
            "center.allOrNothing { [c = center] in c.register(RideApiProtocol.self) { RideService() } }",
            "ApiCenter.shared.register(RideApiProtocol.self) { RideService() }",
            "struct All { let c: ApiCenter; func all() { self.c.register(RideApiProtocol.self) { 1 } } }; All(c: center).all()",
            "unknown.register(RideApiProtocol.self) { RideService() }",
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
            let again = center.api
            _ = ApiCenter.api(center)(type: RideApiProtocol.self)
            """
        let findings = try tree(registering: Self.registration + code).findings("registration-literal")
        #expect(findings.map(\.place.line) == Array(10...17))
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
            unknown.register(Cell.self) { Cell() }
            queue.register(handler) { 1 }
            let method = table.register
            _ = client?.api.name
            """
        #expect(try tree(registering: Self.registration + code).findings("registration") == [])
    }

    @Test(
        "A registration in a branch does not count",
        arguments: [
            "if x { REG }", "if x { REG } else { REG }", "if x { REG } else if y { REG }",
            "if x { REG } else if y { REG } else { REG }", "guard x else { return }\nREG",
            "guard x else { REG; return }\nREG", "if x { return }\nREG", "if x { REG; return }\nREG",
            "switch x { case 1: REG\ncase 2: REG\ndefault: break }",
            "switch x { case 1: REG\ncase 2: REG\ndefault: REG }", "for _ in x { REG }", "while x { REG }",
            "do { try x() } catch { REG }", "_ = x ? REG : REG", "_ = x ? REG : ()", "_ = x && REG",
            "if REG { return }", "while REG {}", "keep { REG }", "x.keep { REG }", "keep(run: { REG })",
            "x.forEach { REG }", "[].forEach { _ in REG }", "x?.withLock { REG }", "let a = [{ REG }]",
            "keep { [center].forEach { center in REG } }",
            "do { try x()\nREG } catch { print(1) }", "do { if y { try x() }\nREG } catch { print(1) }",
            "do { try x() } catch { return }\nREG",
            "let center = ApiCenter()\nREG", "let center = ApiCenter.init()\nREG\nprint(center)",
            "ApiCenter().registerApi(type: RideApiProtocol.self, impBuilder: a)",
            "struct A { let center = ApiCenter(); func b() { REG } }; A().b()",
            "struct A { let center = ApiCenter(); func b() { self.REG } }; A().b()",
        ])
    func branches(_ code: String) throws {
        #expect(try rules(registering: code) == ["registration-missing"])
    }

    @Test(
        "A registration in a block that is always executed counts",
        arguments: [
            ("repeat { REG } while x", []), ("do { REG } catch { print(1) }", []), ("_ = { REG }()", []),
            ("lock.withLock { REG }", []), ("[1].forEach { _ in REG }", []),
            ("do { REG; try x() } catch { print(1) }", []), ("do { try x() } catch { print(1) }\nREG", []),
            ("do { try x()\nREG } catch { fatalError() }", []), ("try! x()\nREG", []),
            ("do { _ = try? x()\nREG } catch { print(1) }", []),
            ("do { do { try x() } catch { print(1) }\nREG } catch { print(1) }", []),
            ("func f(_ center: ApiCenter) { REG }; let other = ApiCenter(); f(center); print(other)", []),
            ("switch REG { default: break }", []), ("for _ in REG {}", []),
            ("if x { REG }\nREG", ["registration-double"]),
            ("center.registerApi(type: RideApiProtocol.self) { REG }", ["registration-double"]),
        ])
    func blocks(_ code: String, _ expected: [String]) throws {
        #expect(try rules(registering: code) == expected)
    }

    private func rules(registering code: String) throws -> [String] {
        let call = "center.registerApi(type: RideApiProtocol.self, impBuilder: a)"
        return try tree(registering: code.replacing("REG", with: call)).findings("registration").map(\.rule)
    }

    @Test("A request inside a branch needs a registration, which may be outside the branch")
    func requests() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.journey, "ApiCenter().api", "Bool.random() ? [] : ApiCenter().api")
        #expect(try tree.findings("registration") == [])
        try tree.edit(File.ride, Self.registration, "")
        #expect(try tree.findings("registration").map(\.rule) == ["registration-missing"])
    }

    @Test(
        "Every way of instantiating a module type is found",
        arguments: [
            "list.append(RideModule.init())", "list.append(Ride.RideModule())", "let m: RideModule = .init()",
            "list.append(Ride.RideModule.init())", "var m: Ride.RideModule { .init() }",
            "func make() -> RideModule { .init() }; list.append(make())",
            "list.append(.init() as RideModule)",
            "list += [RideModule.init].map { $0() }", "let m: [RideModule] = [.init()]",
            "func add(_ m: RideModule = .init()) {}; add()",
            "typealias BestModule = RideModule; list.append(BestModule())",
            "list += ([RideModule.self] as [any Module.Type]).map { $0.init() }",
        ])
    func creations(_ code: String) throws {
        let tree = try SmallTree.make()
        try tree.edit(File.list, "list.append(RideModule())", code)
        #expect(try tree.findings("registration") == [])
        try tree.edit(File.list, code, code + "\n        list.append(RideModule())")
        let found = try tree.findings("app-list").map(\.what)
        #expect(found.count == 1 && found[0].hasPrefix("Shell creates RideModule() twice"))
    }

    @Test(
        "A module type that is instantiated in a branch is reported",
        arguments: ["if x { MODULE }", "guard x else { return [] }; MODULE", "if x { return [] }; MODULE"])
    func createdInBranch(_ code: String) throws {
        let tree = try SmallTree.make()
        let creation = "list.append(RideModule())"
        try tree.edit(File.list, creation, code.replacing("MODULE", with: creation))
        let finding = try #require(try tree.findings("app-list").first)
        #expect(finding.what.hasPrefix("RideModule() is in a branch that may not be taken ("))
        #expect(finding.what.hasSuffix(" at 17:9)"))
    }

    @Test(
        "A module that several traits link must be created with each of them",
        arguments: [("Ride || Rides", 0), ("Ride", 1), ("Rides", 1), ("Ride && Rides", 1)])
    func severalTraits(_ condition: String, _ count: Int) throws {
        let tree = try SmallTree.make()
        let trait = "        .trait(name: \"Ride\"),\n"
        try tree.edit("Package.swift", trait, trait + trait.replacing("Ride", with: "Rides"))
        try tree.edit("Package.swift", "traits: [\"Ride\"]", "traits: [\"Ride\", \"Rides\"]")
        try tree.edit(File.list, "        #if Ride\n", "        #if \(condition)\n")
        #expect(try tree.findings("app-list").count == count)
    }

    @Test(
        "An optional of a protocol is another key than the protocol",
        arguments: ["(any KEY)?", "Optional<any KEY>"])
    func optionalKeys(_ type: String) throws {
        let key = type.replacing("KEY", with: "RideApiProtocol")
        let tree = try tree(registering: "        center.registerApi(type: \(key).self) { RideService() }")
        let missing = try #require(try tree.findings("registration").first)
        #expect(missing.what.hasPrefix("RideModule does not register RideApi.RideApiProtocol"))
        try tree.edit(File.journey, "RideApiProtocol.self", "(any RideApi.RideApiProtocol)?.self")
        try tree.edit(File.shell, "RideApiProtocol.self", "RideApiProtocol?.self")
        #expect(try tree.findings("registration").map(\.what) == [missing.what])
        try tree.edit(
            File.ride, "center.registerApi(type: \(key).self)",
            "center.registerApi(type: RideApiProtocol.self)")
        let optional = try #require(try tree.findings("registration").first)
        #expect(optional.what.hasPrefix("Optional<RideApi.RideApiProtocol> is requested"))
    }

    @Test("A condition that implies another needs no registration of its own")
    func implied() throws {
        let tree = try tree(registering: "#if canImport(Darwin)\n\(Self.registration)#endif")
        let request = "print(center.api(type: RideApiProtocol.self)"
        try tree.write(File.journey, "import JourneyApi\nstruct JourneyService: JourneyApiProtocol {}\n")
        try tree.edit(File.shell, request, "#if os(macOS) || os(iOS)\n\(request)")
        try tree.edit(File.shell, "?? [])\n    }", "?? [])\n        #endif\n    }")
        let module = "list.append(RideModule())"
        try tree.edit(File.list, module, "#if canImport(Darwin)\n        \(module)\n        #endif")
        #expect(try tree.findings("registration-missing") == [])
        try tree.edit(File.shell, "#if os(macOS)", "#if os(Linux)")
        #expect(try tree.findings("registration-missing").map(\.rule) == ["registration-missing"])
    }

    @Test("Only the app and the module that registers an Api may replace or remove it")
    func changes() throws {
        let change = """
                    center.replaceApi(type: RideApiProtocol.self) { RideService() }
                    center.removeApi(api: RideApiProtocol.self)

            """
        let own = try tree(registering: Self.registration + change)
        #expect(try own.findings("registration") == [])
        let tree = try SmallTree.make()
        try tree.edit(
            File.shell, "        for module", "\(change)        for module")
        #expect(try tree.findings("registration") == [])
        try tree.edit(File.journeyModule, "        center.registerApi", "\(change)        center.registerApi")
        let found = try tree.findings("registration")
        #expect(
            found.map { "\($0.place): \($0.what)" } == [
                "\(File.journeyModule):9:16: Journey replaces RideApi.RideApiProtocol, which another module registers",
                "\(File.journeyModule):10:16: Journey removes RideApi.RideApiProtocol, which another module registers",
            ])
        #expect(
            found.last?.notes.map { "\($0.place): \($0.text)" } == ["\(File.ride):9:16: registered here"])
    }

    @Test(
        "A typealias is resolved to its type, in registrations and in requests",
        arguments: ["Q", "RideApi.Q", "Names.Far", "RideApi.Names.Far", "Own", "Local"])
    func aliases(_ name: String) throws {
        let alias = "        typealias Local = any Q\n"
        let second = alias + Self.registration.replacing("RideApiProtocol", with: name)
        let tree = try tree(registering: Self.registration + second)
        try tree.insert(
            "public typealias Q = RideApiProtocol\npublic enum Names { public typealias Far = RideApi.Q }\n",
            before: "public enum RideRoute", in: File.rideApi)
        try tree.write(
            File.beside(File.ride, "Own.swift"), "import RideApi\nprivate typealias Own = Names.Far\n")
        #expect(try tree.findings("registration").map(\.rule) == ["registration-double"])
        try tree.edit(File.ride, Self.registration + "\(alias)", alias)
        try tree.edit(File.shell, "api(type: RideApiProtocol.self)", "api(type: Names.Far.self)")
        #expect(try tree.findings("registration", "pair-halves") == [])
    }

    @Test("A typealias is not resolved if it is cyclic, or if it stands for different types under #if")
    func unknownAliases() throws {
        let tree = try tree(
            registering: Self.registration + "        center.registerApi(type: Loop.self) { 1 }\n"
                + "        center.registerApi(type: Choice.self) { 1 }\n")
        let aliases =
            "public typealias Loop = Back\npublic typealias Back = Loop\n#if A\n"
            + "public typealias Choice = RideApiProtocol\n#else\npublic typealias Choice = RideCode\n#endif\n"
        try tree.insert(aliases, before: "public enum RideRoute", in: File.rideApi)
        #expect(try tree.findings("registration") == [])
    }

    @Test("A name that two Apis declare means the type of the Api that the file imports")
    func sameName() throws {
        let tree = try SmallTree.make()
        for api in [File.journeyApi, File.rideApi] {
            try tree.write(api, tree.read(api) + "\npublic protocol Shared: Sendable {}\n")
        }
        let shared = Self.registration.replacing("RideApiProtocol", with: "Shared")
        try tree.edit(File.ride, Self.registration, Self.registration + shared)
        func ask(_ api: String) throws -> [String] {
            try tree.write(
                File.beside(File.shell, "Ask.swift"),
                "import ApiCenter\nimport \(api)\n\nlet asked = ApiCenter().api(type: Shared.self)\n")
            return try tree.findings("registration-missing").map(\.what)
        }
        #expect(try ask("RideApi") == [])
        let missing = try ask("JourneyApi")
        #expect(missing.map { $0.contains("JourneyApi.Shared") } == [true], "\(missing)")
    }
}
