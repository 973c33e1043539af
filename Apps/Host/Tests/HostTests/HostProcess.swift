import Foundation
import TestSupport
import Testing

/// A program that has ended.
struct Finished: Sendable {
    let status: Int32
    let output: String
    let errors: String
}

/// Runs the programs that were built together with these tests.
enum Program: String {
    case host = "Host"
    case shell = "Shell"

    private final class Marker {}

    var path: String {
        var folder = Bundle(for: Marker.self).bundleURL
        while !FileManager.default.isExecutableFile(atPath: folder.appending(path: rawValue).path) {
            precondition(folder.path != "/", "no \(rawValue) beside the tests")
            folder.deleteLastPathComponent()
        }
        return folder.appending(path: rawValue).path
    }

    /// Runs the program to its end.
    func run(_ arguments: String...) async throws -> Finished {
        let running = try Running(path, arguments)
        return try await running.finished()
    }
}

/// A program that runs, with its output in temporary files.
final class Running: Sendable {
    private let folder: TemporaryFolder
    private let process: UncheckedProcess
    private let lines: FileHandle

    /// `@unchecked`: only this class uses the process, and its methods that are used here are thread-safe.
    private struct UncheckedProcess: @unchecked Sendable {
        let value = Process()
    }

    init(_ path: String, _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:])
        throws
    {
        folder = try TemporaryFolder()
        process = UncheckedProcess()
        try folder.write("", to: "errors")
        let output = Pipe()
        lines = output.fileHandleForReading
        process.value.executableURL = URL(filePath: path)
        process.value.arguments = arguments
        process.value.currentDirectoryURL = directory ?? folder.url
        process.value.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.value.standardInput = FileHandle.nullDevice
        process.value.standardOutput = output
        process.value.standardError = try FileHandle(forWritingTo: folder.file("errors"))
        try process.value.run()
    }

    deinit { if process.value.isRunning { kill(SIGKILL) } }

    var id: Int32 { process.value.processIdentifier }

    /// What the program has written to standard error.
    var errors: String { (try? folder.text("errors")) ?? "" }

    func kill(_ signal: Int32) { Foundation.kill(id, signal) }

    /// Returns the next line of standard output; nil at the end of the output.
    func line() async throws -> String? {
        try await offPool { [self] in
            var line = Data()
            while let byte = try lines.read(upToCount: 1), !byte.isEmpty {
                if byte == Data([10]) { return String(decoding: line, as: UTF8.self) }
                line += byte
            }
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
    }

    /// Waits for the end of the program. The status of a program that a signal has ended is 128 plus the signal.
    func finished() async throws -> Finished {
        try await offPool { [self] in
            let output = try lines.readToEnd() ?? Data()
            process.value.waitUntilExit()
            let signal: Int32 = process.value.terminationReason == .uncaughtSignal ? 128 : 0
            return Finished(
                status: process.value.terminationStatus + signal,
                output: String(decoding: output, as: UTF8.self),
                errors: errors)
        }
    }
}

/// Runs a function that blocks, on a thread of its own.
private func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// A process that serves a Gate.
struct ServingHost: Sendable {
    let process: Running
    /// The address from the line that the host prints.
    let address: String

    init(_ arguments: String..., on address: String = "127.0.0.1:0") async throws {
        process = try Running(Program.host.path, ["serve", "Gate", "--listen", address] + arguments)
        let line = try await process.line() ?? ""
        let match = line.wholeMatch(of: /Serving Gate at (.+:\d+)/)
        self.address = String(try #require(match, "\(line)\n\(process.errors)").1)
    }

    /// Stops the host gracefully.
    func stop() async throws -> Finished {
        process.kill(SIGTERM)
        return try await process.finished()
    }
}
