import Foundation
import TestSupport
import Testing

/// The exit status and the output of a finished process.
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

    /// Runs the program until it exits.
    func run(_ arguments: String...) async throws -> Finished {
        let running = try Running(path, arguments)
        return try await running.finished()
    }
}

/// A running program that writes its output to temporary files.
final class Running: Sendable {
    private let folder: TemporaryFolder
    private let process: UncheckedProcess
    private let lines: FileHandle

    /// `@unchecked`: only this class uses the process, and it calls only thread-safe methods.
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

    /// Waits until the program exits. If a signal killed the program, the status is 128 plus the signal's number.
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

/// Runs a blocking function on a separate thread.
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
