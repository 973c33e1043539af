#if os(Linux)
import Foundation

/// Runs the compiler, for tests of code that must not compile.
public enum Compiler {
    /// Compiles `source` with the `swiftc` in `PATH`, and returns the compiler's errors. The source may import the
    /// modules that the running tests import.
    public static func errors(in source: String) throws -> [String] { try messages("error:", in: source) }

    /// Compiles `source`, and returns the compiler's warnings.
    public static func warnings(in source: String) throws -> [String] {
        try messages("warning:", in: source)
    }

    private static func messages(_ kind: String, in source: String) throws -> [String] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write(source, to: "main.swift")
        // SwiftPM's own build system puts modules into a folder beside the tests, and Swift Build beside the tests
        // themselves.
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-I", products.path + "/Modules", "-I",
            products.path,
            folder.path + "/main.swift",
        ]
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return text.split(separator: "\n").map(String.init).filter {
            $0.contains("swift:") && $0.contains(kind)
        }
    }
}
#endif
