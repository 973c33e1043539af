import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("The focus command")
struct FocusTests {
    private static let folder = ".modules/in-focus"

    /// The names in the dependencies of each target in the output of `swift package dump-package`.
    private func dependencies(_ dump: Data) throws -> [(target: String, path: String?, uses: [String])] {
        let package = try JSONSerialization.jsonObject(with: dump) as? [String: Any]
        return (package?["targets"] as? [[String: Any]] ?? []).map { target in
            let uses = (target["dependencies"] as? [[String: [Any]]] ?? []).flatMap(\.values)
            return (
                target["name"] as? String ?? "", target["path"] as? String,
                uses.compactMap { $0.first as? String }.sorted()
            )
        }
    }

    @Test(
        "A focus contains the named pair, the pair's tests, and the app with its libraries and imported Apis")
    func onePair() throws {
        let tool = try Tool()
        try tool.expect("focus ModuleA")
        let dump = try tool.tree.run("swift", "package", "--package-path", Self.folder, "dump-package")
        let targets = try dependencies(Data(dump.utf8))
        let names = targets.map(\.target)
        #expect(Set(names).count == names.count)
        #expect(
            Set(names).isSuperset(of: [
                "AppModules", "Shell", "ModuleA", "ModuleAApi", "ModuleATests", "ModuleBApi", "ApiCenter",
                "Lifecycle", "FocusIsCurrent",
            ]))
        #expect(
            Set(names).isDisjoint(with: ["ModuleB", "ModuleBTests", "Ride", "RideApi", "LifecycleTests"]))
        func uses(_ name: String) throws -> [String] {
            try #require(targets.first { $0.target == name }).uses
        }
        // As in ModuleA's own manifest, not in that of the app.
        #expect(try uses("ModuleATests") == ["ApiCenter", "FocusIsCurrent", "ModuleA", "ModuleAApi"])
        #expect(try Set(uses("AppModules")).isSuperset(of: ["ModuleA", "Lifecycle"]))
        #expect(try uses("Shell") == ["ApiCenter", "AppModules", "FocusIsCurrent", "GreetingApi", "Launch"])
        #expect(dump.contains("\"dependencies\" : [\n\n  ]"), "\(dump)")
        // The targets compile the tree's own source files.
        let root = URL(filePath: tool.tree.root).resolvingSymlinksInPath().path
        for target in targets {
            let path = "\(Self.folder)/\(target.path ?? "")"
            let files = try tool.tree.names(
                in: URL(filePath: tool.tree.root + "/" + path).resolvingSymlinksInPath().path.replacing(
                    root, with: "."))
            #expect(files.contains { $0.hasSuffix(".swift") || $0.hasSuffix(".cpp") }, "\(path)")
        }
    }

    @Test("A focus on all contains the targets of all packages of the app, each once")
    func all() throws {
        let tool = try Tool()
        let output = try tool.expect("focus --all", 0, "with the app and all packages that it depends on.\n")
        #expect(!output.contains("stays"))
        let text = try tool.tree.read("\(Self.folder)/Package.swift")
        #expect(!text.contains(".package("))
        #expect(
            text.contains(
                Self.traits([
                    "Greeting", "Home", "Logger", "ModuleA", "ModuleB", "ModuleC", "PayType", "Ride",
                ])))
        let paths = text.matches(of: /path: "([^"]+)"/).map { String($0.1) }
        #expect(Set(paths).count == paths.count)
        let tests = Set(paths.filter { $0.contains("/Tests/") })
        #expect(
            tests.isSuperset(
                of: ["Greeting", "ModuleA", "PayTypeCashless", "Ride"].map {
                    "Packages/Business/\($0)/Tests/\($0)Tests"
                }))
        try tool.expect("focus --all Ride", 2, "Give either --all or names.")
    }

    @Test("The package of a focus has no traits to select")
    func traitOptions() throws {
        let tool = try Tool(in: SmallTree.make())
        for option in ["--enable-all-traits", "--disable-default-traits", "--traits=Ride"] {
            let output = try Tool.alone("test", "--root", tool.tree.root, "--focus", "--", option, in: "/")
            #expect(
                output.status == 2 && output.standardError.contains("The package of a focus has no traits."))
        }
    }

    @Test("A focus replaces a link to another place, and refuses a folder in the place of a link")
    func links() throws {
        let tool = try Tool()
        let place = "\(Self.folder)/Packages"
        try tool.expect("focus Ride")
        try tool.tree.run("ln", "-sfn", "/tmp", place)
        try tool.expect("focus Ride")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(tool.tree.root)/\(place)")
                == "../../Packages")
        // A copy of the tree that follows links, such as that of scp.
        try tool.tree.run("rm", place)
        try tool.tree.write("\(place)/Mine.swift", "mine")
        try tool.expect("focus Ride", 1, "\(place): is not a link to the folder Packages of the tree")
        #expect(try tool.tree.read("\(place)/Mine.swift") == "mine")
    }

    @Test("The option --callers needs pairs")
    func callersOfNothing() throws {
        let tool = try Tool()
        try tool.expect("focus --callers", 2, "no pairs were given")
        try tool.expect("focus --all")
        try tool.expect("focus --callers", 2, "Name the pairs whose callers you need.")
    }

    /// The part of the manifest that lists the traits that are on.
    private static func traits(_ names: [String]) -> String {
        "let traits: [SwiftSetting] = [\n" + names.map { "    .define(\"\($0)\"),\n" }.joined() + "]\n"
    }

    @Test("With --callers, a focus also contains the pairs that call the named pairs")
    func callers() throws {
        let output = try Tool().expect(
            "focus PayType --callers", 0, "with the app and PayType, Ride.\n")
        // An alternative implements the Api, but does not call it.
        #expect(!output.contains("PayTypeCashless"))
    }

    @Test(
        "An alternative is on by default in a focus, unless the focus also contains the IMP that it replaces")
    func alternatives() throws {
        let tool = try Tool()
        for (names, trait) in [
            ("PayTypeCashless", "PayTypeCashless"), ("PayTypeCashless PayType", "PayType"),
        ] {
            try tool.expect("focus " + names)
            #expect(try tool.tree.read("\(Self.folder)/Package.swift").contains(Self.traits([trait])))
        }
    }

    @Test("A focus keeps a pair that a target imports without a trait")
    func withoutTrait() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            "Package.swift", "package: \"Journey\", condition: .when(traits: [\"Journey\"])",
            "package: \"Journey\"")
        try Tool(in: tree).expect("focus Ride", 0, "with the app and Ride.\n")
        let dump = try tree.run("swift", "package", "--package-path", Self.folder, "dump-package")
        let shell = try #require(dependencies(Data(dump.utf8)).first { $0.target == "Shell" })
        #expect(Set(shell.uses).isSuperset(of: ["Journey", "Ride"]))
    }

    @Test("A focus needs an app that depends on all named pairs")
    func noApp() throws {
        let tree = try SmallTree.make()
        try tree.edit("Package.swift", "        .package(path: \"Packages/Business/Journey\"),\n", "")
        try Tool(in: tree).expect("focus Ride Journey", 2, "no app depends on Ride and Journey")
    }
}
