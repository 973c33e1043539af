import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("Builds of modules test")
struct TestCommandDeepTests {
    private let tree: TemporaryTree

    init() throws {
        func source(_ name: String) -> String { "public enum \(name) { public static let number = 1 }\n" }
        func test(_ name: String) -> String {
            "import Testing\nimport \(name)\n\n@Test func number() { #expect(\(name).number > 0) }\n"
        }
        tree = try TemporaryTree([
            "Package.swift": """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "App",
                dependencies: [.package(path: "Packages/Gate"), .package(path: "Packages/Ride")],
                targets: [
                    .testTarget(
                        name: "AppTests",
                        dependencies: [
                            .product(name: "Gate", package: "Gate"), .product(name: "Ride", package: "Ride"),
                        ]),
                    .testTarget(
                        name: "GateTests", dependencies: [.product(name: "Gate", package: "Gate")],
                        path: "Packages/Gate/Tests/GateTests"),
                    .testTarget(
                        name: "RideTests", dependencies: [.product(name: "Ride", package: "Ride")],
                        path: "Packages/Ride/Tests/RideTests"),
                ]
            )

            """,
            "Tests/AppTests/AppTests.swift": test("Ride") + "@Test(.disabled()) func later() {}\n",
            "Packages/Gate/Package.swift": SmallTree.manifest("Gate"),
            "Packages/Gate/Sources/Gate/Gate.swift": source("Gate"),
            "Packages/Gate/Tests/GateTests/GateTests.swift": """
            import Gate
            import XCTest

            final class GateTests: XCTestCase {
                func testNumber() { XCTAssertGreaterThan(Gate.number, 0) }
            }

            """,
            "Packages/Ride/Package.swift": SmallTree.manifest("Ride"),
            "Packages/Ride/Sources/Ride/Ride.swift": source("Ride"),
            "Packages/Ride/Tests/RideTests/RideTests.swift": test("Ride"),
        ])
    }

    private func modulesTest(_ options: String...) throws -> Command.Output {
        try Command.run(
            [
                "env", "XDG_CACHE_HOME=\(tree.root)/.build/caches", Tool.path(), "test", "--root", tree.root,
                "--cache",
                tree.root + "/.build/store",
            ] + options, in: "/")
    }

    @Test("After an edit of an implementation, only the tests run that link it, until they have passed")
    func edits() throws {
        let ride = "Packages/Ride/Sources/Ride/Ride.swift"
        let first = try modulesTest()
        #expect(
            first.status == 0 && first.text.contains("3 of 3 test targets have to run.\n"),
            "\(first.text)\(first.standardError)")
        #expect(
            first.text.contains("passed GateTests: 1 test in")
                && first.text.contains("passed RideTests: 1 test in"))
        #expect(
            first.text.contains(
                "passed AppTests, not stored: AppTests.later()/AppTests.swift:5:2 was skipped"),
            "\(first.text)")

        try tree.edit("Tests/AppTests/AppTests.swift", "@Test(.disabled())", "@Test")
        #expect(try modulesTest().text.contains("passed AppTests: 2 tests"))
        let nothing = try modulesTest()
        #expect(
            nothing.status == 0 && nothing.text.contains("0 of 3 test targets have to run. "),
            "\(nothing.text)")
        #expect(!nothing.text.contains("Build"), "\(nothing.text)")

        try tree.edit(ride, "= 1", "= 2")
        let edited = try modulesTest()
        #expect(
            edited.status == 0 && edited.text.contains("2 of 3 test targets have to run. "), "\(edited.text)")
        #expect(edited.text.contains("runs   RideTests  \(ride) has changed"), "\(edited.text)")
        #expect(
            edited.text.contains("known  GateTests") && !edited.text.contains("testNumber"), "\(edited.text)")

        try tree.edit(ride, "= 2", "= 0")
        for _ in 1...2 {
            let broken = try modulesTest()
            #expect(
                broken.status == 1 && broken.text.contains("failed RideTests: 1 test failed"),
                "\(broken.text)")
        }
        #expect(try modulesTest("--explain", "RideTests").text.contains("  \(ride) has changed\n"))
        try tree.edit(ride, "= 0", "= 1")
        #expect(try modulesTest().text.contains("0 of 3 test targets have to run. "))
    }

    @Test("What SwiftPM does not compile, runs or copies again is not stored as passed")
    func holes() throws {
        let tests = "Packages/Ride/Tests/RideTests/"
        try tree.edit(
            "Package.swift",
            ".product(name: \"Ride\", package: \"Ride\")],\n            path: \"Packages/Ride",
            ".product(name: \"Ride\", package: \"Ride\"), \"AppTests\"],\n            path: \"Packages/Ride")
        try tree.edit("Tests/AppTests/AppTests.swift", "@Test(.disabled())", "@Suite struct Kind {}\n@Test")
        #expect(try modulesTest().text.contains("3 of 3 test targets have to run."))

        // A test in an extension of a type of another target, which is known.
        let more =
            "import Testing\n@testable import AppTests\nextension Kind { @Test func here() { #expect(VALUE) } }\n"
        try tree.write(tests + "More.swift", more.replacing("VALUE", with: "Bool(0 == 1)"))
        let failing = try modulesTest()
        #expect(failing.status == 1 && failing.text.contains("1 of 3"), "\(failing.text)")
        #expect(failing.text.hasSuffix("       AppTests.Kind/here()/More.swift:3:19\n"), "\(failing.text)")
        try tree.write(tests + "More.swift", more.replacing("VALUE", with: "Bool(1 == 1)"))
        #expect(try modulesTest().text.contains("passed RideTests: "))

        // An edit that keeps size and time.
        try tree.run("touch", "-r", tests + "More.swift", ".build/reference")
        try tree.write(tests + "More.swift", more.replacing("VALUE", with: "Bool(1 == 2)"))
        try tree.run("touch", "-r", ".build/reference", tests + "More.swift")
        let same = try modulesTest()
        #expect(same.status == 1 && same.text.contains("failed RideTests: 1 test failed"), "\(same.text)")

        // A test that ends the process.
        try tree.write(
            tests + "More.swift", "import Foundation\nimport Testing\n@Test func leaves() { exit(0) }\n")
        let early = try modulesTest()
        #expect(
            early.status == 1 && early.text.contains("failed RideTests: its process ended before all tests"),
            "\(early.text)")
        try tree.remove(tests + "More.swift")

        // A new source that SwiftPM misses, because the plan of the last build is still there.
        try tree.write("Packages/Ride/Sources/Ride/New.swift", "this does not compile\n")
        #expect(try modulesTest().status == 1)
        try tree.remove("Packages/Ride/Sources/Ride/New.swift")

        // A deleted resource, which SwiftPM leaves in the build folder.
        try tree.edit(
            "Packages/Ride/Package.swift", ".target(name: \"Ride\", dependencies: [])",
            ".target(name: \"Ride\", dependencies: [], resources: [.process(\"R\")])")
        for name in ["a", "b"] { try tree.write("Packages/Ride/Sources/Ride/R/\(name).txt", name) }
        try tree.write(
            "Packages/Ride/Sources/Ride/Has.swift",
            """
            import Foundation

            public func has(_ name: String) -> Bool {
                Bundle.module.url(forResource: name, withExtension: "txt") != nil
            }

            """)
        try tree.write(
            tests + "Has.swift",
            "import Ride\nimport Testing\n@Test func resources() { #expect(has(\"b\")) }\n")
        let copied = try modulesTest()
        #expect(copied.text.contains("passed RideTests: "), "\(copied.text)\(copied.standardError)")
        try tree.remove("Packages/Ride/Sources/Ride/R/b.txt")
        let deleted = try modulesTest()
        #expect(
            deleted.text.contains("failed RideTests: 1 test failed"),
            "\(deleted.text)\(deleted.standardError)")
    }

    @Test("SwiftPM keeps its plan while the files stay the same, and misses neither new nor deleted files")
    func plans() throws {
        let (ride, tests) = ("Packages/Ride/Sources/Ride/", "Packages/Ride/Tests/RideTests/")
        let plan = tree.root + "/.build/debug.yaml"
        func written() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: plan)[.modificationDate] as? Date
        }
        /// Edits a source, so that tests have to run.
        func passes(after edit: () throws -> Void = {}) throws {
            try tree.write(ride + "Ride.swift", tree.read(ride + "Ride.swift") + "// Edited.\n")
            try edit()
            let run = try modulesTest()
            #expect(run.status == 0, "\(run.text)\(run.standardError)")
        }
        try tree.edit("Tests/AppTests/AppTests.swift", "@Test(.disabled())", "@Test")
        // SwiftPM makes two plans: it begins to compare folders with the second build.
        for _ in 1...2 { try passes() }
        let made = try written()
        try passes()
        #expect(try written() == made)

        for path in [ride + "New.swift", tests + "New.swift"] {
            try tree.write(path, "this does not compile\n")
            #expect(try modulesTest().status == 1, "\(path)")
            try passes { try tree.write(path, "// Nothing yet.\n") }
            try passes { try tree.remove(path) }
        }
        // Another build with other options, whose plan this one must not use.
        try tree.run("swift", "build", "--build-tests", "--build-system", "native", "-Xswiftc", "-DOTHER")
        #expect(try tree.read(".build/debug.yaml").contains("-DOTHER"))
        try passes()
        #expect(try !tree.read(".build/debug.yaml").contains("-DOTHER"))
    }
}
