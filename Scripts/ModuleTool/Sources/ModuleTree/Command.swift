import Dispatch
import Foundation
import Synchronization

/// Runs another program and waits for it.
package enum Command {
    /// What a program left behind.
    package struct Output: Sendable {
        package let status: Int32
        package let standardOutput: Data
        package let standardError: String

        package var text: String { String(decoding: standardOutput, as: UTF8.self) }
    }

    /// By these a git hook, or `git rebase --exec`, tells the programs that it starts which repository it is about.
    private static let gitVariables: Set = [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
    ]

    /// The file of a program, looked up in `path` unless it is a path itself, which may be from `folder`.
    private static func file(of program: String, from folder: String, in path: String?) -> URL? {
        if program.contains("/") {
            return URL(filePath: program, relativeTo: URL(filePath: folder, directoryHint: .isDirectory))
        }
        return (path ?? "/usr/bin:/bin").split(separator: ":").lazy.map { $0 + "/" + program }.first { path in
            var isFolder: ObjCBool = false
            return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
        }.map { URL(filePath: $0) }
    }

    /// Runs a program that is looked up in `PATH`, or given by its path. To git, the repository is the one that
    /// `folder` lies in. A status that is not 0 is a result, not an error.
    ///
    /// - Throws: ``TreeError`` when the program cannot be started or is not done after `limit`.
    package static func run(
        _ arguments: [String], in folder: String, input: Data = Data(), limit: Duration = .seconds(300)
    ) throws -> Output {
        let environment = ProcessInfo.processInfo.environment.filter { !gitVariables.contains($0.key) }
        let process = Process()
        process.arguments = Array(arguments.dropFirst())
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = environment
        let (output, errors, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = feed
        let name = arguments.prefix(2).joined(separator: " ")
        let program = arguments.first ?? "it"
        func missing(_ reason: String) -> TreeError {
            TreeError(
                .environment, name, what: "could not be started: \(reason)",
                why: "the tool asks \(program) instead of guessing",
                mend: "install \(program) and see that PATH has it")
        }
        guard let file = file(of: program, from: folder, in: environment["PATH"]) else {
            throw missing("there is no such program")
        }
        process.executableURL = file
        do { try process.run() } catch { throw missing(error.localizedDescription) }
        // Both pipes and the input at once: a program that fills one while we wait for another would hang.
        let complaint = Mutex(Data())
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let data = errors.fileHandleForReading.readDataToEndOfFile()
            complaint.withLock { $0 = data }
        }
        DispatchQueue.global().async(group: group) {
            // A program that ends without reading its input has closed the pipe: no matter.
            try? feed.fileHandleForWriting.write(contentsOf: input)
            try? feed.fileHandleForWriting.close()
        }
        let timedOut = Mutex(false)
        let identifier = process.processIdentifier
        let watchdog = DispatchWorkItem {
            timedOut.withLock { $0 = true }
            kill(identifier, SIGTERM)
        }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .seconds(Int(limit.components.seconds)), execute: watchdog)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        // On Linux `waitUntilExit` looks every 60 ms. What has closed its output ends at once.
        while process.isRunning { usleep(500) }
        // Nothing to wait for; but before it was called a `Process` keeps itself, and its pipes with it.
        process.waitUntilExit()
        watchdog.cancel()
        group.wait()
        if timedOut.withLock({ $0 }) {
            throw TreeError(
                .environment, name, what: "was not done after \(limit)",
                why: "a program that hangs must not pass for an answer", mend: "run it by hand in \(folder)")
        }
        let errorText = complaint.withLock { String(decoding: $0, as: UTF8.self) }
        return Output(
            status: process.terminationStatus, standardOutput: data, standardError: errorText)
    }
}
