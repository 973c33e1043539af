import Foundation
import ModuleFixtures
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleGraph

@Suite("Packages and tests that a change affects")
struct AffectedTests {
    @Test("A changed Api affects its callers; a changed IMP affects only the app and the IMP's own tests")
    func reach() throws {
        let small = try SmallTree.make()
        let tree = try TreeReader(root: small.root).read()
        for (path, expected) in [
            (File.beside(File.ride, "Gone.swift"), ["App", "Ride", "RideTests"]),
            (File.rideTests, ["Ride", "RideTests"]),
            (File.beside(File.rideApi, "New.swift"), ["App", "Journey", "Ride", "RideApi", "RideTests"]),
            (File.errorCodeManifest, ["App", "Journey", "ErrorCode"]),
            (File.beside(File.mediator, "data.json"), ["Mediator", "RideActions"]),
            ("VERSIONS.md", []), ("Packages/Business/Ride/README.md", ["Ride", "RideTests"]),
        ] {
            let affected = Affected(tree, changed: [path])
            #expect(affected.packages.map(\.name) + affected.tests == expected, "\(path)")
        }
        let both = Affected(tree, changed: [File.ride, File.rideApi])
        #expect(both.packages.map(\.through) == ["Ride", "RideApi", nil, nil])
        // A change to any of these files affects every package.
        for path in ["Package.swift", "Package.resolved", "Scripts/test", ".ci/run", ".gitignore"] {
            #expect(Affected(tree, changed: [path]).packages.map(\.path) == tree.packages.map(\.path))
        }
    }

    @Test("A file also affects the targets that read it, as `.modules.yml` says")
    func reads() throws {
        let small = try SmallTree.make()
        try small.write(
            ".modules.yml", "reads:\n  - targets: [RideTests]\n    files: [VERSIONS.md, Packages/Base]\n")
        let tree = try TreeReader(root: small.root).read()
        for path in ["VERSIONS.md", File.beside(File.mediator, "data.json")] {
            #expect(Affected(tree, changed: [path]).tests == ["RideTests"], "\(path)")
        }
    }

    @Test("A moved pin affects the targets that use the pinned package, and their callers")
    func pins() throws {
        let small = try SmallTree.make()
        let manifest = File.errorCodeManifest
        try small.edit(
            manifest, "dependencies: [\n    ]",
            "dependencies: [.package(url: \"https://x.org/swift-log\", from: \"1.0.0\")]")
        try small.edit(manifest, "dependencies: []", "dependencies: [\"Logging\"]")
        func pins(_ log: String, _ atomics: String) throws {
            let pins = [("swift-log", log), ("swift-atomics", atomics)].map { name, version in
                #"{"identity": "\#(name)", "location": "x", "state": {"version": "\#(version)"}}"#
            }
            try small.write("Package.resolved", "{\"pins\": [\(pins.joined(separator: ", "))]}")
        }
        try pins("1.0.0", "1.0.0")
        try small.git("init", "-q")
        try small.git("add", "--force", "Package.resolved")
        try small.commit("Start")
        func affected() throws -> [String] {
            try Affected(TreeReader(root: small.root).read(), since: "HEAD").packages.map(\.name)
        }
        try pins("1.0.1", "1.0.0")
        #expect(try affected() == ["App", "Journey", "ErrorCode"])
        // No manifest of the tree declares this package, so any remote package may use it.
        try pins("1.0.0", "1.0.1")
        #expect(try affected() == ["App", "Journey", "ErrorCode"])
        try small.edit(manifest, "[\"Logging\"]", "[]")
        try small.commit("Without users")
        try pins("1.0.1", "1.0.0")
        #expect(try affected() == [])
        try small.write("Package.resolved", "<<<<<<<")
        #expect(try affected().count == 10)
    }

    @Test("Affected tests are listed by package, either by name or as all tests of the package")
    func runs() throws {
        let small = try SmallTree.make()
        try small.edit(
            "Package.swift", "    ]\n)",
            """
                    .testTarget(name: "ShellTests", dependencies: ["Shell"], path: "Apps/Shell/Tests"),
                    .testTarget(name: "RideTests", path: "Packages/Business/Ride/Tests/RideTests"),
                ]
            )
            """)
        let tests = "Packages/Business/Journey/Tests/JourneyTests/A.swift"
        try small.write(tests, "import Testing\n")
        try small.edit(
            File.journeyManifest, "    ]\n)", "        .testTarget(name: \"JourneyTests\"),\n    ]\n)")
        let tree = try TreeReader(root: small.root).read()
        let shell = Affected.PackageTests(package: "", tests: ["ShellTests"])
        // Journey's tests are declared in its own manifest only, so they need a separate run.
        let journey = Affected.PackageTests(package: "Packages/Business/Journey", tests: nil)
        for (path, runs) in [
            (File.beside(File.rideTests, "X.swift"), [.init(package: "", tests: ["RideTests"])]),
            ("Apps/Shell/Tests/X.swift", [shell]), ("README.md", [shell]), ("NOTES.markdown", [shell]),
            ("Package.swift", [.init(package: "", tests: nil), journey]), (tests, [journey]),
        ] { #expect(Affected(tree, changed: [path]).testsOfPackages == runs, "\(path)") }
    }

    @Test("Affected targets with the same name are distinguished by their packages")
    func twins() throws {
        let files = ["One", "Two"].flatMap { app in
            [
                ("\(app)/Core/Package.swift", SmallTree.manifest("Core", tests: ["Core"])),
                ("\(app)/Core/Tests/CoreTests/CoreTests.swift", ""),
                (
                    "\(app)/Home/Package.swift",
                    SmallTree.manifest("Home", packages: ["../Core"], uses: ["Core"])
                ), ("\(app)/Home/Sources/Home/Home.swift", "import Core\n"),
            ]
        }
        let tree = try TemporaryTree(Dictionary(uniqueKeysWithValues: files))
        let affected = Affected(
            try TreeReader(root: tree.root).read(), changed: ["One/Core/Sources/Core/Core.swift"])
        #expect(affected.packages.map(\.path) == ["One/Core", "One/Home"])
        #expect(affected.testsOfPackages == [.init(package: "One/Core", tests: nil)])
    }

    @Test(
        "A changed file affects the packages that contain it through a symbolic link, and so does a changed link"
    )
    func links() throws {
        let tree = try SmallTree.make()
        let folder = "Packages/Base/Mediator"
        try tree.run("mv", folder, "Elsewhere")
        try tree.apply([.link(folder, to: "Elsewhere")])
        let read = try TreeReader(root: tree.root).read()
        for path in ["Elsewhere/Sources/Mediator/Mediator.swift", folder] {
            let affected = Affected(read, changed: [path]).packages.map(\.name)
            #expect(Set(affected).isSuperset(of: ["Mediator", "RideActions"]), "\(path): \(affected)")
        }
        let other = Affected(read, changed: ["Packages/Base/Lifecycle/README.md"])
        #expect(!other.packages.map(\.name).contains("Mediator"))
    }

    @Test("A changed file affects the packages that compile it through a link to the file")
    func linkedFiles() throws {
        let tree = try SmallTree.make()
        let link = File.beside(File.mediator, "Shared.swift")
        try tree.apply([.link(link, to: File.ride)])
        let affected = Affected(try TreeReader(root: tree.root).read(), changed: [File.ride])
        #expect(Set(affected.packages.map(\.name)).isSuperset(of: ["Ride", "Mediator", "RideActions"]))
    }

    @Test("A source that git ignores counts as changed, because git does not know whether it has")
    func ignored() throws {
        let small = try SmallTree.make()
        try small.write(".gitignore", "Generated\n*.log\n")
        try small.commit("Start")
        func affected() throws -> [String] {
            try Affected(try TreeReader(root: small.root).read(), since: "HEAD").packages.map(\.name)
        }
        try small.write(File.beside(File.mediator, "build.log"), "")
        #expect(try affected() == [])
        try small.write(File.beside(File.mediator, "Generated/Code.swift"), "")
        #expect(try affected() == ["Mediator", "RideActions"])
    }

    @Test("A package in a git submodule counts as changed if the submodule ignores a source")
    func submodule() throws {
        let (small, other) = (try SmallTree.make(), try TemporaryTree())
        try other.write("Package.swift", SmallTree.manifest("Sub"))
        try other.write("Sources/Sub/Sub.swift", "public struct Sub {}\n")
        try other.write(".gitignore", "Generated\n")
        try other.commit("Start")
        try small.commit("Start")
        let folder = "Packages/Common/Sub"
        try small.git(
            "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://" + other.root, folder)
        try small.commit("Sub")
        func affected() throws -> [String] {
            try Affected(try TreeReader(root: small.root).read(), since: "HEAD").packages.map(\.name)
        }
        #expect(try affected() == [])
        try small.write("\(folder)/Sources/Sub/Generated/Code.swift", "")
        #expect(try affected() == ["Sub"])
    }

    @Test("Only the current branch's changes affect packages, not later commits of the base branch")
    func otherSide() throws {
        let small = try SmallTree.make()
        try small.commit("Start")
        try small.git("checkout", "-q", "-b", "branch")
        try small.write(File.beside(File.mediator, "More.swift"), "")
        try small.commit("Of the branch")
        try small.git("checkout", "-q", "main")
        try small.write(File.beside(File.errorCode, "More.swift"), "")
        try small.commit("Of main")
        try small.git("checkout", "-q", "branch")
        let affected = try Affected(try TreeReader(root: small.root).read(), since: "main")
        #expect(affected.packages.map(\.name) == ["Mediator", "RideActions"])
    }
}
