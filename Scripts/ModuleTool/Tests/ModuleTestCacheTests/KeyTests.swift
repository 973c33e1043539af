import Foundation
import ModuleFixtures
import Testing

@Suite("Keys of test targets")
struct KeyTests {
    /// A change, and the test targets whose keys it changes.
    struct Change: Sendable {
        let what: String
        let runs: String
        let make: @Sendable (TestTree) throws -> Void

        init(_ what: String, runs: String, _ make: @escaping @Sendable (TestTree) throws -> Void) {
            (self.what, self.runs, self.make) = (what, runs, make)
        }
    }

    private static let ride = "Packages/Ride/Sources/Ride/Ride.swift"
    private static let all = "AppTests GateTests KitTests PlainTests ReadsTests RideTests"
    /// The targets whose own package is the root.
    private static let ofRoot = "AppTests KitTests PlainTests ReadsTests"

    private static let changes: [Change] = [
        // An IMP: its own tests and the app's.
        .init("a body", runs: "AppTests RideTests") { try $0.tree.edit(ride, "{}", "{ var a = 1 }") },
        .init("a comment", runs: "AppTests RideTests") { try $0.tree.edit(ride, "{}", "{} // A ride.") },
        .init("an empty line", runs: "AppTests RideTests") { try $0.tree.edit(ride, "{}\n", "{}\n\n") },
        .init("a new source", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/New.swift", "")
        },
        .init("a deleted source", runs: "AppTests RideTests") {
            try $0.tree.remove("Packages/Ride/Sources/Ride/Extra.swift")
        },
        .init("a renamed source", runs: "AppTests RideTests") {
            try $0.tree.run(
                "mv", "Packages/Ride/Sources/Ride/Extra.swift", "Packages/Ride/Sources/Ride/More.swift")
        },
        .init("two sources that swap their contents", runs: "AppTests RideTests") {
            let text = try $0.tree.read(ride)
            try $0.tree.write(ride, $0.tree.read("Packages/Ride/Sources/Ride/Extra.swift"))
            try $0.tree.write("Packages/Ride/Sources/Ride/Extra.swift", text)
        },
        .init("a source in a new folder", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/Map/Map.swift", "")
        },
        .init("a C header", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/include/ride.h", "int ride;")
        },
        .init("a resource", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/Resources/a.txt", "b")
        },
        .init("a new resource", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/Resources/b.bin", "\0\u{1}")
        },
        .init("a hidden file among the sources", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/.hidden", "a")
        },
        .init("a linked folder of sources", runs: "AppTests RideTests") {
            try $0.tree.run("ln", "-s", "../../../Gate/Shared", "Packages/Ride/Sources/Ride/Linked")
        },
        .init("another IMP's body", runs: "AppTests GateTests") {
            try $0.tree.write("Packages/Gate/Sources/Gate/Gate.swift", "public struct Gate { }\n")
        },
        // An Api: everything that links it.
        .init("the pair's Api", runs: "AppTests RideTests") {
            try $0.tree.edit("Packages/RideApi/Sources/RideApi/RideApi.swift", "{}", "{ }")
        },
        .init("an Api that both call", runs: "AppTests GateTests RideTests") {
            try $0.tree.edit("Packages/GateApi/Sources/GateApi/GateApi.swift", "{}", "{ }")
        },
        .init("an Api's README", runs: "") { try $0.tree.write("Packages/GateApi/README.md", "") },
        .init("the app's source", runs: "AppTests") {
            try $0.tree.edit("Apps/App/App.swift", "Gate", "Gate\n")
        },
        // The tests themselves.
        .init("a test", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/Tests/RideTests/RideTests.swift", "import Testing\n")
        },
        .init("a new test", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/Tests/RideTests/A.swift", "")
        },
        .init("a fixture of the target", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/Tests/RideTests/Fixtures/f.json", "[]")
        },
        .init("a new fixture", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/Tests/RideTests/Fixtures/g.json", "[]")
        },
        .init("a test that moves to another target", runs: "GateTests RideTests") {
            try $0.tree.run(
                "mv", "Packages/Ride/Tests/RideTests/RideTests.swift",
                "Packages/Gate/Tests/GateTests/Moved.swift")
        },
        .init("a test of the root", runs: "AppTests") {
            try $0.tree.write("Apps/AppTests/AppTests.swift", "import Testing\n")
        },
        // Other files of a package.
        .init("the README of the tests' package", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/README.md", "")
        },
        .init("a file beside the sources", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/Notes/notes.txt", "")
        },
        .init("the root's README", runs: ofRoot) { try $0.tree.write("README.md", "") },
        .init("a script of the root", runs: ofRoot) { try $0.tree.write("Scripts/run", "") },
        .init("an empty folder", runs: "") { try $0.tree.run("mkdir", "Empty") },
        .init("a new package", runs: "") {
            try $0.tree.write("Packages/New/Package.swift", SmallTree.manifest("New"))
        },
        .init("a file of a build", runs: "") { try $0.tree.write(".build/debug/a.o", "") },
        .init("a file of git", runs: "") { try $0.tree.write(".git/HEAD", "") },
        // Manifests and pins.
        .init("a setting in an IMP's manifest", runs: "AppTests RideTests") {
            try $0.tree.edit(
                "Packages/Ride/Package.swift", "[\"RideApi\", \"GateApi\"])",
                "[\"RideApi\", \"GateApi\"], swiftSettings: [.define(\"FAST\")])")
        },
        .init("a comment in an Api's manifest", runs: "AppTests GateTests RideTests") {
            try $0.tree.edit("Packages/GateApi/Package.swift", "let package", "// The Api.\nlet package")
        },
        .init("a setting in the root's manifest", runs: all) {
            try $0.tree.edit(
                "Package.swift", "path: \"Apps/PlainTests\"",
                "path: \"Apps/PlainTests\", swiftSettings: [.define(\"FAST\")]")
        },
        .init("a default trait", runs: all) {
            try $0.tree.edit("Package.swift", "enabledTraits: [\"Ride\"]", "enabledTraits: []")
        },
        .init("a pin", runs: "KitTests") { try $0.tree.edit("Package.resolved", "1", "2") },
        .init("no pins", runs: "KitTests") { try $0.tree.remove("Package.resolved") },
        .init("a mirror of a dependency", runs: "KitTests") {
            try $0.tree.write(".swiftpm/configuration/mirrors.json", "{}")
        },
        // What the configuration names.
        .init("a fixture outside the package", runs: "GateTests ReadsTests") {
            try $0.tree.write("Packages/Gate/Shared/a.json", "{}")
        },
        .init("a new file in a named folder", runs: "GateTests ReadsTests") {
            try $0.tree.write("Packages/Gate/Shared/b.json", "{}")
        },
        .init("a script that is no longer executable", runs: "GateTests ReadsTests") {
            try $0.tree.run("chmod", "+x", "Packages/Gate/Shared/run")
        },
        .init("a named variable", runs: "ReadsTests") { $0.machine.environment["MODE"] = "b" },
        .init("a named variable that is not set", runs: "ReadsTests") {
            $0.machine.environment["MODE"] = nil
        },
        .init("another variable", runs: "") { $0.machine.environment["HOME"] = "/home/b" },
        .init("a named program", runs: "ReadsTests") { try $0.tree.write(".build/bin/mytool", "new") },
        .init("another program of that name in PATH", runs: "ReadsTests") { $0.usePath("late", "bin") },
        .init("a folder in PATH with the name of a named program", runs: "") {
            try $0.tree.run("mkdir", "-p", ".build/first/mytool")
            $0.usePath("first", "bin", "late")
        },
        .init("a named program that is missing", runs: "ReadsTests") { $0.usePath() },
        .init("another program", runs: "") { try $0.tree.write(".build/bin/other", "new") },
        .init("another file under reads", runs: ofRoot) {
            try $0.tree.edit(".modules.yml", "Shared]", "Shared, Packages/Ride/README.md]")
        },
        .init("a program at a path", runs: ofRoot) {
            try $0.tree.edit(".modules.yml", "[mytool]", "[\($0.tree.root)/.build/bin/other]")
            let before = try $0.keys()
            try $0.tree.write(".build/bin/other", "new")
            #expect(try before != $0.keys())
        },
        .init("a manifest that is not linked, and sets traits", runs: all) {
            try $0.tree.edit(
                "Packages/Gate/Package.swift", "\"../GateApi\"", "\"../GateApi\", traits: [\"Fast\"]")
        },
        .init("a file that is named like another input", runs: ofRoot) {
            try $0.tree.write("toolchain", "")
            let before = try $0.keys()
            $0.machine.toolchain = "Swift 6.4"
            #expect(try $0.keys().allSatisfy { before[$0.key] != $0.value })
            $0.machine.toolchain = "Swift 6.3 x86_64-linux"
        },
        .init("a resource whose name begins like that of a build folder", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Sources/Ride/Resources/.build.json", "")
        },
        .init("a fixture in a folder with the name of a build folder", runs: "RideTests") {
            try $0.tree.write("Packages/Ride/Tests/RideTests/Fixtures/.build/a.json", "")
        },
        .init("fixtures with the names of folders of git and SwiftPM", runs: "AppTests RideTests") {
            try $0.tree.write("Packages/Ride/Tests/RideTests/.swiftpm", "")
            try $0.tree.write("Packages/Ride/Sources/Ride/Resources/.git/HEAD", "")
        },
        .init("files of a build in a package's folder", runs: "") {
            for folder in [".build", ".build-test", ".swiftpm"] {
                try $0.tree.write("Packages/Ride/\(folder)/a", "")
            }
        },
        .init("whether tests may be skipped", runs: ofRoot) {
            try $0.tree.edit(".modules.yml", "[mytool]", "[mytool]\n    may-skip: true")
        },
        // The machine and the command.
        .init("the toolchain", runs: all) { $0.machine.toolchain = "Swift 6.4" },
        .init("the platform", runs: all) { $0.machine.platform = "macOS 15" },
        .init("the SDK", runs: all) { $0.machine.environment["SDKROOT"] = "/sdk" },
        .init("the loader's path", runs: all) { $0.machine.environment["LD_LIBRARY_PATH"] = "/lib" },
        .init("an unlisted variable of the compiler", runs: all) {
            $0.machine.environment["SWIFT_ANY"] = "1"
        },
        .init("the configuration of the build", runs: all) { $0.options = ["-c", "release"] },
        .init("a trait of the command", runs: all) { $0.options = ["--disable-default-traits"] },
    ]

    @Test("A change to an input runs the tests that it can affect, and no others", arguments: changes)
    func inputs(_ change: Change) throws {
        let tree = try TestTree()
        let before = try tree.keys()
        #expect(before.keys.sorted().joined(separator: " ") == Self.all)
        #expect(try tree.keys() == before)
        try change.make(tree)
        let after = try tree.keys()
        let changed = after.filter { before[$0.key] != $0.value }.keys.sorted().joined(separator: " ")
        #expect(changed == change.runs, "\(change.what)")
    }
}
