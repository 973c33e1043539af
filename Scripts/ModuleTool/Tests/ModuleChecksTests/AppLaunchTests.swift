import Foundation
import ModuleFixtures
import RuleFixtures
import Testing

@Suite("Code of the app that starts its modules")
struct AppLaunchTests {
    private static let line = "        center.registerApi(type: RideApiProtocol.self) { RideService() }\n"
    private static let append = "        list.append(RideModule())\n"

    /// Code of the app around `REGISTER`, code in another of its files, and whether the registration is missing.
    private static let apps = [
        ("func wire(_ center: ApiCenter) { REGISTER }", "", true),
        ("extension Shell { static func wire(_ center: ApiCenter) { REGISTER } }", "", true),
        ("struct Wiring { private func wire(_ center: ApiCenter) { REGISTER } }", "", true),
        ("func wire(_ center: ApiCenter) { REGISTER }", "func start() { wire(.init()) }", false),
        ("let wire = { (center: ApiCenter) in REGISTER }", "", true),
        ("let wire = { (center: ApiCenter) in REGISTER }", "let wired: Void = wire(.init())", false),
        (
            "func preview() { let center = ApiCenter(); REGISTER }\nlet shown: Void = preview()", "", true
        ),
        (
            "func start() { let center = ApiCenter(); REGISTER; run(center) }\nlet shown: Void = start()", "",
            false
        ),
        (
            "private func wire(_ center: ApiCenter) { REGISTER }\nlet steps = [\"first\": wire]\n", "", false
        ),
        (
            "private func wire(_ center: ApiCenter) { REGISTER }\nlet step = true ? wire : { _ in }\n", "",
            false
        ),
        ("struct Wiring { func wire(_ center: ApiCenter) { REGISTER } }", "", false),
        (
            "func wire(_ center: ApiCenter) { REGISTER }\n"
                + "func start(_ x: Bool) { if x { return }\nwire(ApiCenter()) }\nlet started: Void = start(true)",
            "",
            false
        ),
        ("func wire(_ center: ApiCenter) { REGISTER }\nlet wired = wire(ApiCenter())", "", false),
        ("struct Wiring { init(_ center: ApiCenter) { REGISTER } }", "", false),
    ]

    @Test("A function of the app that nothing calls registers nothing", arguments: apps)
    func unused(_ code: String, _ other: String, _ isMissing: Bool) throws {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, Self.line, "")
        let call = Self.line.trimmingCharacters(in: .whitespacesAndNewlines)
        try tree.write(
            File.beside(File.shell, "Wiring.swift"),
            "import ApiCenter\nimport RideApi\n\n\(code.replacing("REGISTER", with: call))\n")
        try tree.write(File.beside(File.shell, "Other.swift"), other + "\n")
        #expect(try tree.findings("registration").map(\.rule) == (isMissing ? ["registration-missing"] : []))
    }

    /// What the app does before `start`, which starts its modules, and whether the registration in `wire` is missing.
    private static let steps = [
        ("wire(center)", false), ("if CommandLine.argc > 1 { wire(center) }", true),
        ("guard CommandLine.argc > 1 else { return }\n wire(center)", false),
        ("guard CommandLine.argc > 1 else { return }\n if CommandLine.argc > 2 { wire(center) }", true),
        ("guard CommandLine.argc > 1 else { return }\n demo(center)", true),
        ("keep { wire(center) }", true), ("each { wire(center) }", false),
        ("Framework.run { wire(center) }", false), ("hold { wire(center) }", true),
    ]

    @Test("A branch of the app in which it starts its modules does not count, others do", arguments: steps)
    func branches(_ step: String, _ isMissing: Bool) throws {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, Self.line, "")
        try tree.insert("        \(step)\n", before: "        for module", in: File.shell)
        try tree.write(
            File.beside(File.shell, "Wiring.swift"),
            "import ApiCenter\nimport RideApi\n\n"
                + "func demo(_ center: ApiCenter) { if CommandLine.argc > 2 { wire(center) } }\n"
                + "var kept: () -> Void = {}\n"
                + "func keep(_ step: @escaping () -> Void) { kept = step }\n"
                + "func each(_ step: () -> Void) { step() }\n"
                + "func wire(_ center: ApiCenter) {\n\(Self.line)}\n")
        try tree.write(
            File.beside(File.shell, "Other.swift"),
            "func hold(_ step: @escaping () -> Void) { later = step }\n")
        #expect(try tree.findings("registration").map(\.rule) == (isMissing ? ["registration-missing"] : []))
    }

    @Test("A module that only an unused function of the app creates registers nothing")
    func unusedModule() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.list, Self.append, "")
        try tree.write(
            File.beside(File.shell, "Wiring.swift"),
            "import ApiCenter\nimport Ride\n\nfunc wire() { print(ApiCenter.self, RideModule()) }\n")
        #expect(try tree.findings("registration-missing").count == 1)
        try tree.write(File.beside(File.shell, "Other.swift"), "let wired: Void = wire()\n")
        #expect(try tree.findings("registration-missing") == [])
    }
}
