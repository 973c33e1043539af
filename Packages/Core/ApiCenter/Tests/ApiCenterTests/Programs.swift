#if os(Linux)
import Foundation
import Testing

/// A temporary folder in which a test compiles programs that use ApiCenter, and runs them.
struct Programs: ~Copyable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID().uuidString)")

    /// Compiles ApiCenter's sources to the static object file `ApiCenter.o`, which each image can link.
    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sources = Self.package.appending(path: "Sources/ApiCenter")
        let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        try compileModule(
            "ApiCenter", files.filter { $0.hasSuffix(".swift") }.map { sources.path + "/" + $0 })
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The folder of this package.
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Writes a file, and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// Compiles files to the static object file `NAME.o`, and makes the module importable.
    func compileModule(_ name: String, _ files: [String]) throws {
        try swiftc(
            ["-wmo", "-parse-as-library", "-module-name", name, "-emit-module", "-emit-module-path"]
                + ["\(name).swiftmodule", "-c", "-o", "\(name).o"] + files)
    }

    /// Runs the compiler in the folder, and fails the test with the compiler's output if it fails.
    func swiftc(_ arguments: [String]) throws {
        let command = ["swiftc", "-swift-version", "6", "-I", "."] + arguments
        let result = try run("/usr/bin/env", command)
        try #require(result.status == 0, "\(arguments): \(result.output)")
    }

    /// Runs a program in the folder, and returns what it prints on both channels.
    func run(_ program: String, _ arguments: [String] = []) throws -> (status: Int32, output: String) {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
#endif
