import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Runs `launch` with a fake `swift` that prints its arguments and builds a shell script as the tool.
@Suite("The launcher")
struct LauncherTests {
    private let tree: TemporaryTree
    private static let library = "toolchain/lib/swift/host/libSwiftParser.so"

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
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: tree.root + "/bin/swift")
    }

    /// Puts a clone of the tool into a folder.
    private func install(_ folder: String) throws {
        try tree.write("\(folder)/Package.swift", "")
        try tree.write("\(folder)/Sources/Main.swift", "")
        for file in ["launch", "options.bash"] {
            try FileManager.default.copyItem(
                atPath: HouseFiles.root.appending(path: "Scripts/ModuleTool/\(file)").path,
                toPath: tree.root + "/\(folder)/\(file)")
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

    /// Runs `launch check`, and returns its output and the arguments of the build, if there was one.
    private func launch(_ environment: String..., from folder: String = "tool") throws
        -> (output: Command.Output, build: String?)
    {
        let output = try Command.run(
            ["env"] + variables + environment + ["\(tree.root)/\(folder)/launch", "check"], in: "/")
        let build = output.standardError.split(separator: "\n").first { $0.hasPrefix("build ") }
        return (output, build.map(String.init))
    }

    @Test("The first launch builds the tool, and the second launch prints only the tool's output")
    func once() throws {
        let first = try launch()
        #expect(first.build != nil && first.output.standardError.contains("building the tool"))
        #expect(first.output.text == "ran check\n")
        let second = try launch()
        #expect(second.output.text == "ran check\n" && second.output.standardError == "")
    }

    @Test("In a build of the tree, a missing tool is an error, and is not built")
    func inBuild() throws {
        let folder = "MODULETOOL_IN_BUILD=\(tree.root)"
        let missing = try launch(folder)
        #expect(missing.output.status == 3 && missing.output.text == "" && missing.build == nil)
        #expect(
            missing.output.standardError
                == "error: the tool that checks this tree is not built. Run Scripts/modules check, and build again.\n"
        )
        _ = try launch()
        #expect(try launch(folder).output.text == "ran check\n")
    }

    @Test("In a build of the tree, the tool that another toolchain built from the same sources starts")
    func inBuildOfOtherToolchain() throws {
        let build = ["MODULETOOL_IN_BUILD=\(tree.root)", "DEVELOPER_DIR=/Applications/Xcode.app"]
        _ = try launch()
        #expect(try launch(build[0], build[1]).output.text == "ran check\n")
        #expect(try launch(build[1]).build != nil)
        try tree.write("tool/Sources/Main.swift", "// Changed.")
        #expect(try launch(build[0], build[1]).output.status == 3)
    }

    @Test("A second clone with the same sources starts the tool that the first clone built")
    func secondClone() throws {
        try install("clone")
        #expect(try launch().build != nil)
        #expect(try launch(from: "clone").build == nil)
        try tree.write("clone/Sources/Main.swift", "// Changed.")
        #expect(try launch(from: "clone").build != nil)
        try tree.write("clone/Sources/More.swift", "")
        #expect(try launch(from: "clone").build != nil)
        #expect(try launch().build == nil)
    }

    @Test(
        "A script finds the launcher through a symbolic link from another folder",
        arguments: [
            ("modules", ""), ("new-module", "new-module "), ("check-versions", "check versions "),
            ("registrations", "registrations "),
        ])
    func linked(_ script: String, _ command: String) throws {
        let house = HouseFiles.root.appending(path: "Scripts/\(script)").path
        let files = FileManager.default
        try files.copyItem(atPath: house, toPath: tree.root + "/\(script)")
        try files.moveItem(atPath: tree.root + "/tool", toPath: tree.root + "/ModuleTool")
        try files.createSymbolicLink(
            atPath: tree.root + "/bin/linked", withDestinationPath: "../\(script)")
        let output = try Command.run(["env"] + variables + ["linked", "--help"], in: "/")
        #expect(output.text == "ran \(command)--help\n", "\(output.standardError)")
    }

    @Test("A truncated or incomplete cache entry is rebuilt", arguments: ["moduletool", "size"])
    func torn(file: String) throws {
        _ = try launch()
        let entry = try #require(try entries().first)
        try Data().write(to: URL(filePath: "\(entry)/\(file)"))
        let second = try launch()
        #expect(second.build != nil && second.output.text == "ran check\n")
        #expect(try launch().build == nil)
        try FileManager.default.removeItem(atPath: "\(entry)/\(file)")
        #expect(try launch().build != nil)
        #expect(try entries().count == 1)
    }

    @Test("Adding a built tool to the cache removes tools that have not been started for a month")
    func sweep() throws {
        _ = try launch()
        let old = try #require(try entries().first)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)], ofItemAtPath: old)
        // Starting the tool marks its entry as used.
        #expect(try launch().build == nil)
        try tree.write("tool/Sources/Main.swift", "// Changed.")
        _ = try launch()
        #expect(try entries().contains(old))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -40 * 86_400)], ofItemAtPath: old)
        try tree.write("tool/Sources/Main.swift", "// Changed again.")
        _ = try launch()
        #expect(try !entries().contains(old))
        #expect(try entries().count == 2)
    }

    @Test("Without a cache folder, the tool runs from its build folder")
    func noCache() throws {
        for _ in 0..<2 {
            let launched = try launch("XDG_CACHE_HOME=/dev/null", "HOME=/dev/null")
            #expect(launched.output.text == "ran check\n")
        }
    }

    @Test(
        "The launcher links the toolchain's swift-syntax if possible, and compiles swift-syntax on request"
    )
    func toolchain() throws {
        try installToolchain()
        let host = tree.root + "/toolchain/lib/swift/host"
        let build = try #require(try launch().build)
        #expect(build.contains("--disable-default-traits -Xswiftc -I\(host) -Xlinker -L\(host)"))
        #expect(try launch().build == nil)
        let compiled = try #require(try launch("MODULETOOL_SYNTAX=package").build)
        #expect(!compiled.contains("--disable-default-traits"))
        #expect(compiled.contains("-Xswiftc -O") && !build.contains("-Xswiftc -O"))
        #expect(try launch("MODULETOOL_SYNTAX=package").build == nil)
    }

    @Test("A changed toolchain causes a rebuild")
    func otherToolchain() throws {
        #expect(try launch().build != nil)
        let (files, swift) = (FileManager.default, tree.root + "/bin/swift")
        try files.copyItem(atPath: swift, toPath: swift + "-new")
        try files.removeItem(atPath: swift)
        try files.moveItem(atPath: swift + "-new", toPath: swift)
        #expect(try launch().build != nil)
        #expect(try launch().build == nil)
    }

    @Test("If the tool does not build, launch exits with 3 and suggests a fix; the next launch builds again")
    func broken() throws {
        try installToolchain()
        try tree.write("broken", "")
        let output = try launch().output
        #expect(output.status == 3 && output.text == "")
        #expect(output.standardError.contains("Try: swift build --package-path \(tree.root)/tool"))
        #expect(output.standardError.contains("export MODULETOOL_SYNTAX=package"))
        try FileManager.default.removeItem(atPath: tree.root + "/broken")
        #expect(try launch().build != nil)
    }
}
