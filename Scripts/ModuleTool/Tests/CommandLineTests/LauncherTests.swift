import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

/// Runs `launch` with a fake `swift` that prints its arguments and builds a shell script as the tool.
@Suite("The launcher")
struct LauncherTests {
    private let tree: TemporaryTree
    private static let library = "toolchain/lib/swift/host/libSwiftParser.so"
    /// Xcode sets this variable in a build.
    private static let xcode = "DEVELOPER_DIR=/Applications/Xcode.app"

    init() throws {
        tree = try TemporaryTree()
        try install("tool")
        try tree.write(
            "bin/swift",
            """
            #!/bin/bash
            if [ "$1" = -print-target-info ]; then
                echo '    "runtimeResourcePath": "\(tree.root)/toolchain/lib/swift"'
                exit
            fi
            [ ! -e '\(tree.root)/broken' ] || exit 1
            echo "build $*"
            mkdir -p "$5/debug"
            printf '#!/bin/sh\\necho "ran $*"\\n' >"$5/debug/moduletool"
            chmod +x "$5/debug/moduletool"

            """)
        try tree.run("chmod", "+x", "bin/swift")
    }

    /// Puts a clone of the tool into a folder.
    private func install(_ folder: String) throws {
        try tree.write("\(folder)/Package.swift", "")
        try tree.write("\(folder)/Sources/Main.swift", "")
        for file in ["launch", "options.bash"] {
            let source = HouseFiles.root.appending(path: "Scripts/ModuleTool/\(file)").path
            try FileManager.default.copyItem(atPath: source, toPath: tree.root + "/\(folder)/\(file)")
        }
    }

    private func installToolchain() throws {
        try tree.write("toolchain/lib/swift/host/SwiftParser.swiftmodule", "")
        try tree.write(Self.library, "")
    }

    private var variables: [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return [
            "PATH=\(tree.root)/bin:\(path)", "XDG_CACHE_HOME=\(tree.root)/cache", "HOME=\(tree.root)/home",
        ]
    }

    /// The entries of the cache folder for built tools.
    private func entries() throws -> [String] {
        let caches = ["cache", "home/Library/Caches"].map { "\(tree.root)/\($0)/moduletool/tools" }
        let folder = try #require(caches.first(where: FileManager.default.fileExists))
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
    }

    /// Runs `launch check`.
    private func run(_ environment: [String], _ folder: String) throws -> Command.Output {
        try Command.run(
            ["env"] + variables + environment + ["\(tree.root)/\(folder)/launch", "check"], in: "/")
    }

    /// Runs `launch check`, which must start the tool.
    ///
    /// - Returns: The arguments of the build; nil if the tool was not built.
    @discardableResult
    private func build(_ environment: String..., from folder: String = "tool") throws -> String? {
        let output = try run(environment, folder)
        try #require(output.text == "ran check\n", "\(output.standardError)")
        let lines = output.standardError.split(separator: "\n").map(String.init)
        #expect(lines.isEmpty || lines.contains { $0.contains("building the tool") }, "\(lines)")
        return lines.first { $0.hasPrefix("build ") }
    }

    /// Runs `launch check`, which must end with 3 and print an error.
    private func fails(_ environment: String..., error: String) throws {
        let output = try run(environment, "tool")
        #expect(output.status == 3 && output.text == "")
        #expect(output.standardError.contains(error) && !output.standardError.contains("\nbuild "))
    }

    @Test("The first launch builds the tool, and the next launch builds it only if something has changed")
    func once() throws {
        #expect(try build() != nil)
        #expect(try build() == nil)
        // The toolchain.
        try tree.run("sh", "-c", "cp -p bin/swift bin/new && mv bin/new bin/swift")
        #expect(try build() != nil)
        #expect(try build() == nil)
        try tree.write("tool/Sources/More.swift", "")
        #expect(try build() != nil)
    }

    @Test("Ctrl-C during the build of the tool is not reported as a mistake in its sources")
    func interrupted() throws {
        // Ctrl-C sends the signal to the whole group of processes; SwiftPM catches it, and ends with 1. The thread that
        // starts a process in a test blocks signals, and the process inherits that.
        try tree.edit("bin/swift", "echo \"build $*\"\n", "kill -INT $PPID\nexit 1\n")
        let unblocked = "sigprocmask(SIG_SETMASK, POSIX::SigSet->new) or die; exec @ARGV or die"
        let output = try run(["perl", "-MPOSIX", "-e", unblocked], "tool")
        #expect(output.status == 130 && output.text == "")
        #expect(
            output.standardError.hasSuffix("\nmodules: interrupted; the next start continues the build.\n"),
            "\(output)")
    }

    @Test("In a build of the tree, only a built tool starts, also one that another toolchain built")
    func inBuild() throws {
        let folder = "MODULETOOL_IN_BUILD=\(tree.root)"
        let missing =
            "error: the tool that checks this tree is not built. Run Scripts/modules check, and build again.\n"
        try fails(folder, error: missing)
        try build()
        #expect(try build(folder) == nil)
        #expect(try build(folder, Self.xcode) == nil)
        #expect(try build(Self.xcode) != nil)
        try tree.write("tool/Sources/Main.swift", "// Changed.")
        try fails(folder, Self.xcode, error: missing)
    }

    @Test("An exported tool, which has no tests, starts the tool that a clone built")
    func exported() throws {
        let small = try Tool(in: SmallTree.make())
        let versions = try small.tree.read("VERSIONS.md")
        try small.tree.write(
            "VERSIONS.md", versions.replacing("| RideActions", with: "| ModuleTool | 1.0.0 |\n| RideActions"))
        let tool = "Scripts/ModuleTool/"
        try small.tree.write(
            tool + "Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(name: "ModuleTool", targets: [.executableTarget(name: "moduletool")])

            // The tests, which an export leaves out.
            package.targets += [
                // A comment.
                .target(name: "Fixtures", path: "Tests/Fixtures"),
                .testTarget(name: "ToolTests", dependencies: ["Fixtures", "moduletool"]),
            ]

            package.products.append(.executable(name: "moduletool", targets: ["moduletool"]))

            """)
        try small.tree.write(tool + "Sources/moduletool/Main.swift", "")
        try small.tree.write(tool + "CHANGELOG.md", "# Changelog\n\n## 1.0.0\n\n- First release.\n")
        for file in ["launch", "options.bash"] {
            try small.tree.run("cp", tree.root + "/tool/" + file, tool + file)
        }
        try small.tree.write(tool + "Tests/ToolTests/ToolTests.swift", "import Fixtures\nimport moduletool\n")
        try small.tree.write(tool + "Tests/Fixtures/Fixtures.swift", "")
        try small.tree.commit("With the tool")
        let output = try Command.run(
            [
                "env", "GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Tester",
                "GIT_CONFIG_KEY_1=user.email", "GIT_CONFIG_VALUE_1=t@example.com", Tool.path(),
                "export", "ModuleTool", "--to", tree.root + "/exported", "--root", small.tree.root,
            ], in: "/")
        try #require(output.status == 0, "\(output.text)\(output.standardError)")
        #expect(try !tree.read("exported/ModuleTool/Package.swift").contains("Tests"))
        try tree.run("cp", "-R", small.tree.root + "/Scripts/ModuleTool", "clone")
        #expect(try build(from: "clone") != nil)
        #expect(try build(from: "exported/ModuleTool") == nil)
        // The manifest of the tool has this form.
        let manifest = try HouseFiles.text("Scripts/ModuleTool/Package.swift")
        let parts = manifest.split(separator: /(?m)^\/\/ The tests,(?s:.*?)\n\n/)
        #expect(parts.count == 2 && !parts.joined().contains("testTarget"))
    }

    @Test("A second clone with the same sources starts the tool that the first clone built")
    func secondClone() throws {
        try install("clone")
        #expect(try build() != nil)
        #expect(try build(from: "clone") == nil)
        try tree.write("clone/Sources/Main.swift", "// Changed.")
        #expect(try build(from: "clone") != nil)
        #expect(try build() == nil)
    }

    @Test(
        "A script finds the launcher through a symbolic link from another folder",
        arguments: [
            ("modules", ""), ("new-module", "new-module "), ("check-versions", "check versions "),
            ("registrations", "registrations "),
        ])
    func linked(_ script: String, _ command: String) throws {
        let house = HouseFiles.root.appending(path: "Scripts/\(script)").path
        try tree.run("sh", "-c", "cp '\(house)' . && mv tool ModuleTool && ln -s ../\(script) bin/linked")
        let output = try Command.run(["env"] + variables + ["linked", "--help"], in: "/")
        #expect(output.text == "ran \(command)--help\n", "\(output.standardError)")
    }

    @Test("A truncated or incomplete cache entry is rebuilt", arguments: ["moduletool", "size"])
    func torn(file: String) throws {
        try build()
        let entry = try #require(try entries().first)
        try Data().write(to: URL(filePath: "\(entry)/\(file)"))
        #expect(try build() != nil)
        #expect(try build() == nil)
        try FileManager.default.removeItem(atPath: "\(entry)/\(file)")
        #expect(try build() != nil)
        #expect(try entries().count == 1)
    }

    @Test("Adding a built tool to the cache removes tools that have not been started for a month")
    func sweep() throws {
        try build()
        let old = try #require(try entries().first)
        for isUsed in [true, false] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)], ofItemAtPath: old)
            // Starting the tool marks its entry as used.
            if isUsed { #expect(try build() == nil) }
            try tree.write("tool/Sources/Main.swift", "// Changed. \(isUsed)")
            #expect(try build() != nil)
            #expect(try entries().contains(old) == isUsed)
            try tree.write("tool/Sources/Main.swift", "")
        }
        #expect(try entries().count == 2)
    }

    @Test("Without a cache folder, the tool runs from its build folder")
    func noCache() throws {
        for _ in 0..<2 { try build("XDG_CACHE_HOME=/dev/null", "HOME=/dev/null") }
    }

    @Test("The launcher links the toolchain's swift-syntax if possible, and compiles swift-syntax on request")
    func toolchain() throws {
        try installToolchain()
        let host = tree.root + "/toolchain/lib/swift/host"
        let linked = try #require(try build())
        let traits = "--disable-default-traits --traits Optimised"
        #expect(linked.contains("\(traits) -Xswiftc -I\(host) -Xlinker -L\(host)"))
        #expect(try build() == nil)
        let compiled = try #require(try build("MODULETOOL_SYNTAX=package"))
        #expect(!compiled.contains("--disable-default-traits"))
        #expect(compiled.contains("-Xswiftc -O") && !linked.contains("-Xswiftc -O"))
        #expect(try build("MODULETOOL_SYNTAX=package") == nil)
    }

    @Test("If the tool does not build, launch exits with 3 and suggests a fix; the next launch builds again")
    func broken() throws {
        try installToolchain()
        try tree.write("broken", "")
        for fix in ["Try: swift build --package-path \(tree.root)/tool", "export MODULETOOL_SYNTAX=package"] {
            try fails(error: fix)
        }
        try tree.remove("broken")
        #expect(try build() != nil)
    }
}
