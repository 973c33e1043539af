import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("Releases of packages that move")
struct MovedPackageTests {
    /// A move of RideApi, and where its only source stands afterwards.
    struct Move: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var root = ""
        let api: String
        let make: @Sendable (TemporaryTree) throws -> Void
    }

    private static func move(_ old: String, to new: String, in tree: TemporaryTree) throws {
        let folder = URL(filePath: "\(tree.root)/\(new)").deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try tree.git("mv", old, new)
    }

    private static let moves = [
        Move(
            testDescription: "a target",
            api: "Packages/Business/RideApi/Sources/Interface/RideApiProtocol.swift"
        ) {
            try move(
                "Packages/Business/RideApi/Sources/RideApi",
                to: "Packages/Business/RideApi/Sources/Interface", in: $0)
            try $0.edit(
                File.rideApiManifest, "dependencies: []", "dependencies: [], path: \"Sources/Interface\"")
        },
        Move(
            testDescription: "a file",
            api: "Packages/Business/RideApi/Sources/RideApi/Main/RideApiProtocol.swift"
        ) {
            try move(
                File.rideApi, to: "Packages/Business/RideApi/Sources/RideApi/Main/RideApiProtocol.swift",
                in: $0)
        },
        Move(
            testDescription: "both packages",
            api: "Packages/Common/RideApi/Sources/RideApi/RideApiProtocol.swift"
        ) {
            for name in ["Ride", "RideApi"] {
                try move("Packages/Business/\(name)", to: "Packages/Common/\(name)", in: $0)
            }
        },
        Move(testDescription: "the tree", root: "ios/", api: File.rideApi) { tree in
            for name in [".modules.yml", "Apps", "Packages", "Package.swift", "VERSIONS.md"] {
                try move(name, to: "ios/" + name, in: tree)
            }
        },
    ]

    private let tree: TemporaryTree
    init() throws { tree = try SmallTree.committed() }

    private func rules(in folder: String) throws -> [String] {
        let tree = try TreeReader(root: "\(tree.root)/\(folder)").read()
        let names = ["version-lowered", "version-raised", "version-step", "version-deprecation"]
        return try RuleBook.tree.findings(of: RuleBook.rules(named: names), in: RuleContext(tree)).rules
    }

    @Test("A move needs no version, and a break is found wherever the package was", arguments: moves)
    func broken(_ move: Move) throws {
        try move.make(tree)
        for expected in [[], ["version-deprecation", "version-step"]] {
            if !expected.isEmpty { try tree.edit(move.root + move.api, "rides(", "trips(") }
            let uncommitted = try rules(in: move.root)
            #expect(uncommitted == expected)
            try tree.commit("Move")
            let committed = try rules(in: move.root)
            #expect(committed == expected)
        }
    }

    @Test(
        "Renaming a file, or moving and changing it, requires a new version",
        arguments: [("Other.swift", ""), ("Main/RideModule.swift", "struct Other {}\n")])
    func changed(_ new: String, _ more: String) throws {
        let text = try tree.read(File.ride)
        try tree.remove(File.ride)
        try tree.write(File.beside(File.ride, new), text + more)
        try tree.expect("version-raised")
    }

    @Test("A tag before the tree moved counts as a release")
    func tagged() throws {
        let tree = try SmallTree.withOneCommit()
        try tree.git("tag", "1.0.0")
        try Self.moves[3].make(tree)
        try tree.commit("Move")
        try tree.edit("ios/" + File.rideApi, "rides(", "trips(")
        let read = try TreeReader(root: tree.root + "/ios").read()
        let found = try RuleBook.tree.findings(
            of: RuleBook.rules(named: ["version-step"]), in: RuleContext(read))
        #expect(found.rules == ["version-step"])
    }
}

@Suite("Code of an Api that changes without a version")
struct ApiCodeTests {
    /// Code in RideApi at its release, the changed code, and the rules that have findings without a new version.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var file = File.rideApi
        let old: String
        let new: String
        /// Text at the end of the changed file.
        var more = ""
        var rules = ["version-raised"]
    }

    private static let body = "extension RideApiProtocol { public func two() -> Int { 1 } }\n"
    private static let rows = [
        Row(
            testDescription: "a default implementation", old: body,
            new: body.replacing("{ 1 }", with: "{ 2 }")),
        Row(
            testDescription: "an inlinable body", old: "@inlinable public func two() -> Int { 1 }\n",
            new: "@inlinable public func two() -> Int { 2 }\n"),
        Row(
            testDescription: "a hidden constant of a body",
            old: "public func two() -> Int { base + 1 }\nprivate let base = 1\n",
            new: "public func two() -> Int { base + 1 }\nprivate let base = 2\n"),
        Row(
            testDescription: "a hidden constant of an inlinable body",
            old: "@inlinable public func two() -> Int { base }\n@usableFromInline let base = 1\n",
            new: "@inlinable public func two() -> Int { base }\n@usableFromInline let base = 2\n"),
        Row(testDescription: "a comment", old: "/// One.\n", new: "/// Two.\n", rules: []),
        Row(
            testDescription: "a fake that becomes internal",
            file: "Packages/Business/RideApi/Sources/RideApiFakes/Fake.swift",
            old: "public struct FakeRide {}\n",
            new: "struct FakeRide {}\n", rules: ["version-step"]),
        Row(
            testDescription: "a removed product", file: File.rideApiManifest,
            old: ", .library(name: \"RideApiFakes\", targets: [\"RideApiFakes\"])", new: "",
            rules: ["version-step"]),
        Row(
            testDescription: "a product of another target", file: File.rideApiManifest,
            old: "targets: [\"RideApi\"])", new: "targets: [\"RideApiFakes\"])", rules: ["version-step"]),
        Row(
            testDescription: "a file that the manifest excludes", file: File.rideApiManifest,
            old: "/* settings */", new: ", exclude: [\"Two.swift\"]", rules: ["version-deprecation"]),
        Row(
            testDescription: "a type that moves to another target", file: File.rideApiManifest,
            old: "/* settings */",
            new:
                ", exclude: [\"Two.swift\"]), .target(name: \"More\", path: \"Sources/RideApi\", sources: [\"Two.swift\"]",
            rules: ["version-deprecation"]),
        Row(
            testDescription: "a higher platform", file: File.rideApiManifest,
            old: "platforms: [.macOS(.v15)],",
            new: "platforms: [.macOS(.v26)],", rules: ["version-step"]),
        Row(
            testDescription: "a lower platform", file: File.rideApiManifest,
            old: "platforms: [.macOS(.v15)],",
            new: "platforms: [.macOS(.v14)],", rules: ["version-step"]),
        Row(
            testDescription: "a platform in a variable", file: File.rideApiManifest,
            old: "    platforms: [.macOS(.v15)],", new: "    platforms: shared,",
            more: "\nlet shared: [SupportedPlatform] = [.macOS(.v26)]\n", rules: ["version-step"]),
        Row(
            testDescription: "another isolation", file: File.rideApiManifest, old: "/* settings */",
            new: ", swiftSettings: [.defaultIsolation(MainActor.self)]", rules: ["version-step"]),
        Row(
            testDescription: "another setting", file: File.rideApiManifest, old: "/* settings */",
            new: ", swiftSettings: [.define(\"A\")]"),
        Row(
            testDescription: "a setting that takes a declaration away", file: File.rideApiManifest,
            old: "/* settings */",
            new: ", swiftSettings: [.define(\"ONE\")]", rules: ["version-deprecation"]),
        Row(
            testDescription: "a setting that takes a declaration away on a platform",
            file: File.rideApiManifest, old: "/* settings */",
            new: ", swiftSettings: [.define(\"ONE\", .when(platforms: [.linux]))]",
            rules: ["version-deprecation"]),
        Row(
            testDescription: "a setting that adds a declaration", file: File.rideApiManifest,
            old: "/* settings */",
            new: ", swiftSettings: [.define(\"TWO\")]", rules: ["version-step"]),
        Row(
            testDescription: "another isolation of asynchronous functions", file: File.rideApiManifest,
            old: "/* settings */",
            new: ", swiftSettings: [.enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")]",
            rules: ["version-step"]),
        Row(
            testDescription: "another feature", file: File.rideApiManifest, old: "/* settings */",
            new: ", swiftSettings: [.enableUpcomingFeature(\"ExistentialAny\")]"),
        Row(
            testDescription: "a trait that no longer enables another", file: File.rideApiManifest,
            old: "enabledTraits: [\"B\"]", new: "enabledTraits: []", rules: ["version-step"]),
        Row(
            testDescription: "another test", file: File.rideApiManifest, old: "/* tests */",
            new: ", .testTarget(name: \"RideApiTests\", dependencies: [\"RideApi\"])", rules: []),
    ]

    @Test("A difference that callers compile or run needs a version", arguments: rows)
    func reports(_ row: Row) throws {
        let tree = try SmallTree.committed()
        try tree.write(
            "Packages/Business/RideApi/Sources/RideApiFakes/Fake.swift", "public struct FakeRide {}\n")
        try tree.write(File.beside(File.rideApi, "Two.swift"), "public struct Two {}\n")
        try tree.write(
            File.beside(File.rideApi, "Flags.swift"),
            "#if !ONE\npublic struct One {}\n#endif\n#if TWO\npublic struct Three {}\n#endif\n")
        try tree.insert(
            "    traits: [.trait(name: \"A\", enabledTraits: [\"B\"]), .trait(name: \"B\")],\n",
            before: "    dependencies: [\n", in: File.rideApiManifest)
        try tree.edit(
            File.rideApiManifest, "targets: [\"RideApi\"])",
            "targets: [\"RideApi\"]), .library(name: \"RideApiFakes\", targets: [\"RideApiFakes\"])")
        try tree.edit(File.rideApiManifest, "    products", "    platforms: [.macOS(.v15)],\n    products")
        try tree.edit(
            File.rideApiManifest, "dependencies: []),",
            "dependencies: [] /* settings */), .target(name: \"RideApiFakes\") /* tests */")
        if row.file == File.rideApi {
            try tree.insert(row.old, before: "public enum RideRoute", in: File.rideApi)
        }
        try tree.raiseRide("2.0.0", "1.1.0")
        try tree.expect()
        try tree.edit(row.file, row.old, row.new)
        try tree.write(row.file, tree.read(row.file) + row.more)
        try tree.expect(row.rules)
        try tree.raiseRide("2.0.1", "1.1.0")
        try tree.expect(row.rules.filter { $0 != "version-raised" })
    }

    @Test("A method of a fake may move to a default implementation in the Api")
    func movedWitness() throws {
        let (tree, fake) = (
            try SmallTree.committed(), "Packages/Business/RideApi/Sources/RideApiFakes/Fake.swift"
        )
        let method = "public func rides(limit: Int) -> [RideCode] { [] }"
        try tree.write(fake, "import RideApi\n\npublic struct RideFake: RideApiProtocol { \(method) }\n")
        try tree.edit(
            File.rideApiManifest, "targets: [\"RideApi\"])",
            "targets: [\"RideApi\"]), .library(name: \"RideApiFakes\", targets: [\"RideApiFakes\"])")
        try tree.edit(
            File.rideApiManifest, "dependencies: []),",
            "dependencies: []), .target(name: \"RideApiFakes\", dependencies: [\"RideApi\"])")
        try tree.raiseRide("2.0.0", "1.1.0")
        try tree.expect()
        try tree.edit(fake, method, "")
        try tree.expect(["version-step"])
        try tree.insert(
            "extension RideApiProtocol { \(method) }\n", before: "public enum RideRoute", in: File.rideApi)
        try tree.raiseRide("2.1.0", "1.1.0")
        try tree.expect()
    }
}
