import Foundation
import ModuleFixtures
import ModuleTree
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
        let tests = "Packages/Business/ModuleA/Tests/ModuleATests/"
        try tool.tree.write(tests + "Calls.swift", "import ModuleBApi\nimport ModuleBApiFakes\n")
        let uses = "\"ModuleBApi\", \"ModuleBApi/ModuleBApiFakes\""
        try tool.tree.edit(
            "Package.swift", "Pair(\"Business/ModuleA\")", "Pair(\"Business/ModuleA\", uses: [\(uses)])")
        try tool.expect("focus ModuleA")
        let dump = try tool.tree.run("swift", "package", "--package-path", Self.folder, "dump-package")
        let targets = try dependencies(Data(dump.utf8))
        #expect(targets.map(\.target) == ["AppModules", "Shell", "ModuleATests", "FocusIsCurrent"])
        #expect(
            targets[2].uses == [
                "ApiCenter", "FocusIsCurrent", "ModuleA", "ModuleAApi", "ModuleBApi", "ModuleBApiFakes",
            ])
        let modules = Set(targets[0].uses)
        #expect(modules.isSuperset(of: ["ModuleA", "Lifecycle"]))
        #expect(modules.isDisjoint(with: ["Ride", "LoggerApi"]))
        #expect(
            targets[1].uses == ["ApiCenter", "AppModules", "FocusIsCurrent", "GreetingApi", "Launch"])
        let root = URL(filePath: tool.tree.root).resolvingSymlinksInPath().path
        #expect(dump.contains("\"\(root)/Packages/Business/ModuleA\""))
        #expect(!dump.contains("Packages/Business/Ride\""))
        // The targets compile the tree's own source files.
        for target in targets {
            let path = "\(Self.folder)/\(target.path ?? "")"
            let files = try tool.tree.names(
                in: URL(filePath: tool.tree.root + "/" + path).resolvingSymlinksInPath().path.replacing(
                    root, with: "."))
            #expect(files.contains { $0.hasSuffix(".swift") || $0.hasSuffix(".cpp") }, "\(path)")
        }
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
        for (names, traits, isOn) in [
            ("PayTypeCashless", ["PayTypeCashless"], ["PayTypeCashless"]),
            ("PayTypeCashless PayType", ["PayType", "PayTypeCashless"], ["PayType"]),
        ] {
            try tool.expect("focus " + names)
            let dump = try tool.tree.run("swift", "package", "--package-path", Self.folder, "dump-package")
            let package = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
            let found = (package?["traits"] as? [[String: Any]] ?? []).map {
                ($0["name"] as? String ?? "", ($0["enabledTraits"] as? [String] ?? []).sorted())
            }.sorted { $0.0 < $1.0 }
            #expect(found.map(\.0) == traits + ["default"])
            #expect(found.last?.1 == isOn)
        }
    }

    @Test("Without names, the focus command regenerates the last focus, and does not rewrite unchanged files")
    func again() throws {
        let tool = try Tool()
        try tool.expect("focus ModuleB --callers")
        let file = tool.tree.root + "/\(Self.folder)/Package.swift"
        func changed() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        let (text, date) = (try tool.tree.read("\(Self.folder)/Package.swift"), try changed())
        try tool.expect(
            "focus", 0, "with the app and ModuleA, ModuleB, ModuleC.\n",
            "\nNext: swift test --package-path \(Self.folder)\n",
            "\nNext: swift run --package-path \(Self.folder) Shell\n")
        #expect(try tool.tree.read("\(Self.folder)/Package.swift") == text)
        #expect(try changed() == date)
        try tool.tree.edit(
            "Package.swift", "name: \"Shell\",\n    platforms", "name: \"Renamed\",\n    platforms")
        try tool.run("focus")
        #expect(try tool.tree.read("\(Self.folder)/Package.swift").contains("name: \"Renamed\""))
        #expect(try tool.tree.run("git", "status", "--porcelain") == " M Package.swift\n")
    }

    @Test("A focus does not compile after a manifest, the configuration or the list of modules has changed")
    func stale() throws {
        let tool = try Tool()
        func compile() throws -> Command.Output {
            try Command.run(
                ["clang", "-fsyntax-only", "\(Self.folder)/FocusIsCurrent/check.cpp"], in: tool.tree.root)
        }
        try tool.run("focus", "ModuleB", "--callers")
        let fresh = try compile()
        #expect(fresh.status == 0 && fresh.standardError == "", "\(fresh.standardError)")
        try tool.tree.write(
            "Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift", "// A source may change.\n")
        #expect(try compile().status == 0)
        for path in [
            "Package.swift", "Apps/Shell/Sources/AppModules/Registrations.swift", ".modules.yml",
            "Packages/Business/Home/Package.swift",
        ] {
            try tool.tree.write(
                path, tool.tree.read(path) + (path.hasSuffix("yml") ? "#" : "//") + " Changed.\n")
            let stale = try compile()
            #expect(stale.status != 0, "\(path)")
            #expect(stale.standardError.contains("has changed. Run: Scripts/modules focus"))
            try tool.run("focus")
            #expect(try compile().status == 0)
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
        #expect(dump.contains("/Packages/Business/Journey\""))
    }
    @Test("A focus needs an app that depends on all named pairs")
    func noApp() throws {
        let tree = try SmallTree.make()
        try tree.edit("Package.swift", "        .package(path: \"Packages/Business/Journey\"),\n", "")
        try Tool(in: tree).expect("focus Ride Journey", 2, "no app depends on Ride and Journey")
    }
}
