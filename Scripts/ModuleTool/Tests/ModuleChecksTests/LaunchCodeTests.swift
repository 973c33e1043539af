import Foundation
import ModuleFixtures
import RuleFixtures
import Testing

@Suite("Code that runs at launch")
struct LaunchCodeTests {
    private static let line = "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"

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
            testDescription: "another function of the name",
            module: "}\npublic func register(again center: ApiCenter) { REGISTER"),
        Launch(
            testDescription: "a function with the name of another one", module: "Service().set(1)",
            more: "struct Service { func set(_ value: Int) {} }\nfunc set(up center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a function without the argument", module: "Service().set()",
            more: "struct Service { func set() {} }\nfunc set(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a call in a branch", module: "if version.isEmpty { help(center) }",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a call after a return in a branch",
            module: "if version.isEmpty { if version == \"1\" { return } }\nhelp(center)",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a registration after a branch with a return",
            module: "switch version { case \"\": return\ndefault: break }\nREGISTER"),
        Launch(
            testDescription: "a registration after a break of a repeat",
            module: "repeat { if version.isEmpty { break }\nREGISTER } while false"),
        Launch(
            testDescription: "a registration after a continue of an outer repeat",
            module: "all: repeat { for _ in version { continue all }\nREGISTER } while false"),
        Launch(
            testDescription: "a registration after a break of a block",
            module: "all: do { switch version { case \"\": break all\ndefault: break }\nREGISTER }"),
        Launch(
            testDescription: "a registration in a repeat after a break of an inner loop",
            module: "repeat { for _ in version { break }\nREGISTER } while false", isMissing: false),
        Launch(
            testDescription: "a registration after a repeat with a break",
            module: "repeat { if version.isEmpty { break } } while false\nREGISTER", isMissing: false),
        Launch(
            testDescription: "a call under #if", module: "#if SECRET\nhelp(center)\n#endif",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a closure that nobody calls", module: "let later = { REGISTER }"),
        Launch(
            testDescription: "a closure that is kept", module: "Service.shared.later = { REGISTER }"),
        Launch(
            testDescription: "a task", module: "Task { REGISTER }"),
        Launch(
            testDescription: "a queue", module: "DispatchQueue.main.async { REGISTER }"),
        Launch(
            testDescription: "a task that calls", module: "Task { help(center) }",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "an optional center",
            module: "Service.shared.center?.registerApi(type: RideApiProtocol.self) { RideService() }"),
        Launch(
            testDescription: "a new center that is passed on", module: "help(ApiCenter())",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a new center by its initialiser", module: "Help().run(in: .init())",
            more: "struct Help { func run(in center: ApiCenter) { REGISTER } }"),
        Launch(
            testDescription: "a new center in a variable that is passed on",
            module: "let own = ApiCenter()\nhelp(own)",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a new center in a property that is passed on",
            module: "again()\n}\nprivate let own = ApiCenter()\nfunc again() { help(self.own)",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "the app's center and a new value",
            module: "let own = ApiCenter()\nprint(own)\nhelp(center, .init())",
            more: "func help(_ center: ApiCenter, _ text: String) { REGISTER }", isMissing: false),
        Launch(
            testDescription: "a closure that is called", module: "let now = { REGISTER }; now()",
            isMissing: false),
        Launch(
            testDescription: "a closure that a function keeps", module: "keep { REGISTER }",
            more: "func keep(_ later: @escaping () -> Void) { Service.shared.later = later }"),
        Launch(
            testDescription: "a closure that a function ignores", module: "keep { REGISTER }",
            more: "func keep(_ later: @escaping () -> Void) {}"),
        Launch(
            testDescription: "a closure that a function may call", module: "keep { REGISTER }",
            more: "func keep(_ later: () -> Void) { if Bool.random() { later() } }"),
        Launch(
            testDescription: "a closure that another closure of a function calls",
            module: "keep { REGISTER }",
            more: "func keep(_ later: @escaping () -> Void) { Service.shared.later = { later() } }"),
        Launch(
            testDescription: "a closure that two functions pass to each other", module: "keep { REGISTER }",
            more:
                "func keep(_ later: () -> Void) { hold(later) }\nfunc hold(_ later: () -> Void) { keep(later) }"
        ),
        Launch(
            testDescription: "a function whose name a function keeps", module: "keep(help)",
            more: "func help(_ center: ApiCenter) { REGISTER }\n"
                + "func keep(_ later: @escaping (ApiCenter) -> Void) { Service.shared.later = later }"),
        Launch(
            testDescription: "a function that a builder calls",
            module: "center.register(Service.self) { help($0); return Service() }",
            more: "struct Service {}\nfunc help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a call that may be skipped after an error",
            module: "do { try Service().open(); help(center) } catch { print(error) }",
            more: "func help(_ center: ApiCenter) { REGISTER }"),
        Launch(
            testDescription: "a closure that a function calls", module: "each { REGISTER }",
            more: "func each(_ step: () -> Void) { print(1); step() }", isMissing: false),
        Launch(
            testDescription: "a closure that a function passes on", module: "each(1, run: { REGISTER })",
            more: "func each(_ count: Int, run step: () throws -> Void) { other(step) }\n"
                + "func other(_ step: () throws -> Void) { [1].forEach { _ in try! step() } }",
            isMissing: false),
        Launch(
            testDescription: "a function whose name a function calls", module: "each(help)",
            more: "func help(_ center: ApiCenter) { REGISTER }\n"
                + "func each(_ step: (ApiCenter) -> Void) { step(.shared) }", isMissing: false),
        Launch(
            testDescription: "functions in a list", module: "for step in [help, other] { step(center) }",
            more: "func help(_ center: ApiCenter) { REGISTER }\nfunc other(_ center: ApiCenter) {}",
            isMissing: false),
        Launch(
            testDescription: "calls under #if that exclude each other",
            module: "#if SECRET\nhelp(center)\n#else\nhelp(center)\n#endif",
            more: "func help(_ center: ApiCenter) { REGISTER }", isMissing: false),
        Launch(
            testDescription: "a call in a branch and one outside",
            module: "if version.isEmpty { help(center) }\nhelp(center)",
            more: "func help(_ center: ApiCenter) { REGISTER }", isMissing: false),
        Launch(
            testDescription: "functions that call each other", module: "help(center, 1)",
            more:
                "func help(_ c: ApiCenter, _ n: Int) { if n > 0 { again(c) }\nREGISTER }\nfunc again(_ c: ApiCenter) { help(c, 0) }",
            isMissing: false),
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

    @Test("A request or registration of an Api counts in a target that does not import the registry")
    func withoutImport() throws {
        let tree = try SmallTree.make()
        for file in [File.journey, File.journeyModule] { try tree.edit(file, "import ApiCenter\n", "") }
        try tree.edit(File.shell, "print(center.api(type: RideApiProtocol.self)?.rides(limit: 1) ?? [])", "")
        #expect(try tree.findings("registration") == [])
        try tree.edit(File.ride, Self.line, "")
        let found = try tree.findings("registration")
        #expect(found.map(\.rule) == ["registration-missing"])
        #expect(found.first?.notes.contains { $0.place.path == File.journey } == true)
    }

    @Test("The app itself may register the Api of a module")
    func shell() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, Self.line, "")
        #expect(try tree.findings("registration").count == 1)
        try tree.insert(Self.line, before: "        for module", in: File.shell)
        #expect(try tree.findings("registration") == [])
    }

    @Test("A module whose Api has no protocol with the Api's name registers any of its protocols")
    func otherName() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            File.journeyModule,
            "        center.registerApi(type: JourneyApiProtocol.self) { JourneyService() }\n", "")
        try tree.edit(
            File.shell, "print(center.api(type: JourneyApiProtocol.self)?.journeys() ?? [])", "print(1)")
        try tree.edit(
            File.journeyApi, "JourneyApiProtocol",
            "Journeys")
        try tree.edit(File.journey, ": JourneyApiProtocol", ": Journeys")
        let found = try tree.findings("registration-missing")
        #expect(found.map(\.place.path) == [File.journeyModule])
        try tree.insert(
            "        center.registerApi(type: Journeys.self) { JourneyService() }\n", before: "    }\n}",
            in: File.journeyModule)
        #expect(try tree.findings("registration-missing") == [])
    }
}
