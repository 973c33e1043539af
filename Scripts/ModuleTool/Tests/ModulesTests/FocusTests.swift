import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite("The focus command")
struct FocusTests {
    private static let folder = ".modules/in-focus"

    /// The generated package of a focus, as SwiftPM reads it.
    private struct Package: Decodable {
        struct Target: Decodable { let name: String, path: String?, dependencies: [[String: [Part?]]] }
        struct Trait: Decodable { let name: String, enabledTraits: [String]? }
        struct Dependency: Decodable {
            struct Source: Decodable { let path: String }
            let fileSystem: [Source]
        }
        /// The name or the condition of a dependency. Only a name is decoded.
        struct Part: Decodable {
            let name: String?
            init(from decoder: any Decoder) throws {
                name = try? decoder.singleValueContainer().decode(String.self)
            }
        }

        let targets: [Target]
        let traits: [Trait]
        let dependencies: [Dependency]

        var traitNames: [String] { traits.map(\.name).filter { $0 != "default" }.sorted() }
        var defaultTraits: [String] { traits.flatMap { $0.enabledTraits ?? [] }.sorted() }

        func dependencies(of target: String) -> [String] {
            targets.filter { $0.name == target }.flatMap(\.dependencies).flatMap {
                $0.values.compactMap(\.first??.name)
            }
            .sorted()
        }
    }

    private func focus(_ line: String, in tool: Tool) throws -> Package {
        let output = try tool.run(["focus"] + line.split(separator: " ").map(String.init))
        try #require(output.status == 0, "\(output.standardError)")
        let dump = try Command.run(
            ["swift", "package", "--package-path", Self.folder, "dump-package"], in: tool.tree.root)
        try #require(dump.status == 0, "\(dump.standardError)")
        return try JSONDecoder().decode(Package.self, from: dump.standardOutput)
    }

    @Test(
        "A focus contains the named pair, the pair's tests, and the app with its libraries and imported Apis")
    func onePair() throws {
        let tool = try Tool()
        let package = try focus("ModuleA", in: tool)
        #expect(
            package.targets.map(\.name) == ["AppModules", "Demo", "Shell", "ModuleATests", "FocusIsCurrent"])
        #expect(package.traitNames == ["ModuleA"] && package.defaultTraits == ["ModuleA"])
        #expect(
            package.dependencies(of: "ModuleATests")
                == [
                    "ApiCenter", "FocusIsCurrent", "Links", "ModuleA", "ModuleAApi", "ModuleAApiFakes",
                    "ModuleBApi", "ModuleBApiFakes", "ModuleCApi", "ModuleCApiFakes",
                ]
        )
        let modules = package.dependencies(of: "AppModules")
        #expect(modules.contains("ModuleA") && modules.contains("RideApi") && modules.contains("Routes"))
        #expect(!modules.contains("Ride") && !modules.contains("LoggerApi"))
        let root = URL(filePath: tool.tree.root).resolvingSymlinksInPath().path
        let paths = package.dependencies.flatMap(\.fileSystem).map(\.path)
        #expect(paths.contains(root + "/Packages/Business/ModuleA"))
        #expect(!paths.contains(root + "/Packages/Business/Ride"))
        // The targets compile the tree's own source files.
        for target in package.targets {
            let path = "\(Self.folder)/\(target.path ?? "")"
            let files = try tool.tree.names(
                in: URL(filePath: tool.tree.root + "/" + path).resolvingSymlinksInPath().path.replacing(
                    root, with: "."))
            #expect(files.contains { $0.hasSuffix(".swift") || $0.hasSuffix(".cpp") }, "\(path)")
        }
    }

    @Test("With --callers, a focus also contains the pairs that call the named pairs")
    func callers() throws {
        let tool = try Tool()
        #expect(try focus("ModuleB --callers", in: tool).traitNames == ["ModuleA", "ModuleB", "ModuleC"])
        // An alternative implements the Api, but does not call it.
        let output = try tool.run("focus", "PayType", "--callers").text
        #expect(
            output.contains("PayType, called by Ride") && !output.contains("PayTypeCashless"), "\(output)")
    }

    @Test(
        "An alternative is on by default in a focus, unless the focus also contains the IMP that it replaces")
    func alternatives() throws {
        let tool = try Tool()
        #expect(try focus("PayTypeCashless", in: tool).defaultTraits == ["PayTypeCashless"])
        let both = try focus("PayTypeCashless PayType", in: tool)
        #expect(both.defaultTraits == ["PayType"] && both.traitNames == ["PayType", "PayTypeCashless"])
    }

    @Test("Without names, the focus command regenerates the last focus, and does not rewrite unchanged files")
    func again() throws {
        let tool = try Tool()
        try tool.run("focus", "ModuleB", "--callers")
        let file = tool.tree.root + "/\(Self.folder)/Package.swift"
        func changed() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        let (text, date) = (try tool.tree.read("\(Self.folder)/Package.swift"), try changed())
        let output = try tool.run("focus")
        #expect(
            output.text.contains("ModuleB, called by ModuleA, ModuleC, and the app Shell. 11 of 14 pairs"))
        #expect(output.text.contains("\nNext: swift test --package-path \(Self.folder)\n"))
        #expect(output.text.contains("\nNext: swift run --package-path \(Self.folder) Shell\n"))
        #expect(try tool.tree.read("\(Self.folder)/Package.swift") == text)
        #expect(try changed() == date)
        try tool.tree.edit("Package.swift", "name: \"ModularApp\"", "name: \"Renamed\"")
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

    @Test("A focus refuses to leave out a pair that a target needs without a trait")
    func obstacle() throws {
        let tree = try SmallTree.make()
        try tree.edit(
            "Package.swift", "package: \"Journey\", condition: .when(traits: [\"Journey\"])",
            "package: \"Journey\"")
        let output = try Command.run(
            [Tool.path(), "focus", "Ride", "--no-cache", "--root", tree.root], in: "/")
        let reason = "Apps/Shell/Sources/Shell/Registrations.swift:4:1: Shell imports Journey, which no trait"
        #expect(output.status == 2 && output.standardError.contains(reason), "\(output.standardError)")
        #expect(output.standardError.contains("fix:  also pass Journey"))
    }

    @Test(
        "A name that is not a pair's name causes an error with a fix",
        arguments: [
            ("focus", "modules focus NAME"), ("focus Riide", "Choose Ride."),
            ("focus RideApi", "modules focus Ride --callers"),
            (
                "focus ErrorCode",
                "to test a package alone: swift test --package-path Packages/Common/ErrorCode"
            ),
            ("focus Ride --root Packages/Base", "to test a package alone: swift test"),
        ])
    func errors(line: String, fix: String) throws {
        let tree = try SmallTree.make()
        let output = try Command.run(
            ["env", "-u", "MODULETOOL_ROOT", Tool.path()] + line.split(separator: " ").map(String.init) + [
                "--no-cache"
            ],
            in: tree.root)
        #expect(output.status == 2)
        #expect(output.standardError.contains("\n  fix:  " + fix), "\(output.standardError)")
        #expect(!FileManager.default.fileExists(atPath: tree.root + "/.modules"))
    }
}
