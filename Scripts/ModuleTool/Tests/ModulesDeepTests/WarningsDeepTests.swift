import Foundation
import ModuleFixtures
import ModuleKit
import Testing

/// Runs `Scripts/test` with the real `swift` on a package that compiles with warnings.
@Suite("Real warnings in Scripts/test")
struct WarningsDeepTests {
    let tree: TemporaryTree

    init() throws {
        tree = try TemporaryTree([
            "Package.swift": """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(
                name: "Old", targets: [.target(name: "Old"), .testTarget(name: "OldTests", dependencies: ["Old"])])

            """,
            "Sources/Old/Old.swift": """
            @available(*, deprecated, message: "Call new() instead.")
            public func old() {}

            """,
            "Sources/Old/Unused.swift": "func unused() {\n    let number = 1\n}\n",
            "Tests/OldTests/OldTests.swift": "import Old\n\nfunc deprecated() { old() }\n",
            "Scripts/test": HouseFiles.text("Scripts/test"),
            "Scripts/swift": HouseFiles.text("Scripts/swift"),
            "Scripts/ModuleTool/options.bash": HouseFiles.text("Scripts/ModuleTool/options.bash"),
            // Knows no test target that has to run.
            "Scripts/modules": "#!/bin/sh\n",
        ])
        try tree.run("chmod", "+x", "Scripts/test", "Scripts/modules")
    }

    @Test(
        "A warning fails the script even if an earlier build printed it; the use of a deprecated declaration passes",
        arguments: [["--quick"], ["--only", "tests"]])
    func warnings(arguments: [String]) throws {
        func test() throws -> Command.Output { try Command.run(["Scripts/test"] + arguments, in: tree.root) }
        _ = try test()
        let output = try test()
        #expect(output.status == 1, "\(output.text)")
        let lines = output.standardError.split(separator: "\n").filter { $0.contains(": warning: ") }
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains("/Sources/Old/Unused.swift:2:9: warning: ") == true, "\(lines)")

        try tree.write("Sources/Old/Unused.swift", "func unused() {}\n")
        #expect(try test().status == 0)
    }
}
