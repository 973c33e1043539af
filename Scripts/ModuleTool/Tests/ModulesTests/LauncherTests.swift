import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// `launch`, with a `swift` that says what it is asked for and whose builds are scripts.
@Suite("The launcher")
struct LauncherTests {
    private let tree: TemporaryTree
    /// The toolchain's own swift-syntax.
    private static let library = "toolchain/lib/swift/host/libSwiftParser.so"
    /// What every toolchain has.
    private static let shims = "toolchain/lib/swift/shims/module.modulemap"

    init() throws {
        tree = try TemporaryTree([:])
        let launcher = HouseFiles.root.appending(path: "Scripts/ModuleTool/launch")
        try tree.write("tool/Package.swift", "")
        try tree.write("tool/Sources/Main.swift", "")
        try FileManager.default.copyItem(atPath: launcher.path, toPath: tree.root + "/tool/launch")
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
            mkdir -p "$5/$7"
            printf '#!/bin/sh\\necho "ran $*"\\n' >"$5/$7/modules"
            chmod +x "$5/$7/modules"

            """)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: tree.root + "/bin/swift")
    }

    private func installToolchain() throws {
        try tree.write("toolchain/lib/swift/host/SwiftParser.swiftmodule", "")
        try tree.write(Self.library, "")
        try tree.write(Self.shims, "")
    }

    private var path: String {
        "PATH=\(tree.root)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    }

    /// Runs `launch check`; whether it built first, with which arguments.
    private func launch(_ environment: String...) throws -> (output: Command.Output, build: String?) {
        let output = try Command.run(
            ["env", path] + environment + ["\(tree.root)/tool/launch", "check"], in: "/")
        let build = output.standardError.split(separator: "\n").first { $0.hasPrefix("build ") }
        return (output, build.map(String.init))
    }

    @Test("builds once, and starts the tool at once from then on")
    func once() throws {
        let first = try launch()
        #expect(first.build != nil && first.output.standardError.contains("building the tool (debug)"))
        #expect(first.output.text == "ran check\n")
        let second = try launch()
        #expect(second.output.text == "ran check\n" && second.output.standardError == "")
    }

    @Test(
        "is found from wherever a script of it is linked to",
        arguments: [
            ("modules", ""), ("new-module", "new-module "), ("check-versions", "check-versions "),
            ("registrations", "registrations "),
        ])
    func linked(_ script: String, _ command: String) throws {
        let house = HouseFiles.root.appending(path: "Scripts/\(script)").path
        let files = FileManager.default
        try files.copyItem(atPath: house, toPath: tree.root + "/\(script)")
        try files.moveItem(atPath: tree.root + "/tool", toPath: tree.root + "/ModuleTool")
        try files.createSymbolicLink(
            atPath: tree.root + "/bin/linked", withDestinationPath: "../\(script)")
        let output = try Command.run(["env", path, "linked", "--help"], in: "/")
        #expect(output.text == "ran \(command)--help\n", "\(output.standardError)")
    }

    @Test("builds again when a source changed, came or went")
    func sources() throws {
        _ = try launch()
        try tree.write("tool/Sources/Main.swift", "// Changed.")
        #expect(try launch().build != nil)
        try tree.write("tool/Sources/More.swift", "")
        #expect(try launch().build != nil)
        try FileManager.default.removeItem(atPath: tree.root + "/tool/Sources/More.swift")
        #expect(try launch().build != nil)
        #expect(try launch().build == nil)
    }

    @Test("takes the toolchain's swift-syntax where there is one")
    func toolchain() throws {
        try installToolchain()
        let host = tree.root + "/toolchain/lib/swift/host"
        let build = try #require(try launch().build)
        #expect(build.contains("--disable-default-traits -Xswiftc -I\(host) -Xlinker -L\(host)"))
        #expect(try launch().build == nil)
        let compiled = try #require(try launch("MODULETOOL_SYNTAX=package").build)
        #expect(!compiled.contains("--disable-default-traits"))
        #expect(try launch("MODULETOOL_SYNTAX=package").build == nil)
        // An optimised build is for speed, which the toolchain's lacks.
        let fast = try #require(try launch("MODULETOOL_CONFIGURATION=release").build)
        #expect(fast.contains("-c release") && !fast.contains("--disable-default-traits"))
    }

    @Test(
        "builds again for another toolchain, were its files older than the build, and when it is gone",
        arguments: [("debug", library, true), ("release", shims, false)])
    func otherToolchain(_ configuration: String, _ part: String, takesItsSyntax: Bool) throws {
        try installToolchain()
        func build() throws -> String? { try launch("MODULETOOL_CONFIGURATION=\(configuration)").build }
        _ = try build()
        try tree.write(part, "newer")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: "\(tree.root)/\(part)")
        #expect(try build()?.contains("--disable-default-traits") == takesItsSyntax)
        #expect(try build() == nil)
        try FileManager.default.removeItem(atPath: tree.root + "/toolchain")
        #expect(try build()?.contains("--disable-default-traits") == false)
        #expect(try build() == nil)
    }

    @Test("ends with 3 when the tool does not build, says what to try, and builds the next time")
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
