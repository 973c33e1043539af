import Dispatch
import Foundation
import Synchronization

package enum Command {
    /// The exit status and output of a program that has ended.
    package struct Output: Sendable {
        package let status: Int32
        package let standardOutput: Data
        package let standardError: String

        package var text: String { String(decoding: standardOutput, as: UTF8.self) }
        /// The output without spaces and line breaks at its ends.
        package var line: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// The environment of the programs that this tool starts: that of the tool, without the variables by which git hooks
    /// and `git rebase --exec` select a repository, because git has to use the one of the working folder, and without
    /// those that differ from call to call, because SwiftPM evaluates all manifests again if any variable changes.
    package static var environment: [String: String] {
        let removed: Set = [
            "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
            "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
            "MODULETOOL_COMMAND", "MODULETOOL_ROOT", "MODULETOOL_SOURCES", "OLDPWD", "PWD", "SHLVL", "_",
            // Only builds need a fixed order of hash tables. Tests must not depend on one.
            "SWIFT_DETERMINISTIC_HASHING",
            ManifestVariables.testTargets,
        ]
        return ProcessInfo.processInfo.environment.filter { !removed.contains($0.key) }
    }

    /// The path of a program: itself, if it contains a slash, or else the first file of this name in `PATH`.
    package static func path(of program: String, in path: String?) -> String? {
        if program.contains("/") { return program }
        return (path ?? "/usr/bin:/bin").split(separator: ":").lazy.map { $0 + "/" + program }
            .first { isFile($0) && FileManager.default.isExecutableFile(atPath: $0) }
    }

    package static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// The names of the files and folders in a folder; empty if it cannot be read.
    package static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Runs a program and waits for it to end. A non-zero exit status is a result, not an error.
    ///
    /// Git uses the repository that contains `folder`.
    ///
    /// - Parameters:
    ///   - arguments: The program, as a path or as a name to look up in `PATH`, and its arguments.
    ///   - folder: The working folder of the program.
    ///   - variables: Environment variables in addition to ``environment``, or in place of those in it.
    package static func run(
        _ arguments: [String], in folder: String, with variables: [String: String] = [:], input: Data = Data()
    ) throws -> Output {
        let (process, environment) = (Process(), environment.merging(variables) { $1 })
        process.executableURL = URL(
            filePath: path(of: arguments[0], in: environment["PATH"]) ?? arguments[0],
            relativeTo: URL(filePath: folder, directoryHint: .isDirectory))
        process.arguments = Array(arguments.dropFirst())
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = environment
        let (output, errors, feed) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = feed
        do { try process.run() } catch {
            throw Diagnostic(
                .environment, at: arguments.prefix(2).joined(separator: " "),
                "could not be started: \(error.localizedDescription)",
                why: "The tool needs the output of \(arguments[0]).",
                fix: "Install \(arguments[0]), and make sure that it is in PATH.")
        }
        // All three pipes are used at the same time. Otherwise a program could fill one pipe while this process waits
        // for another, and both would hang. A global queue has one thread per core and could start this work late,
        // because a check keeps all cores busy.
        let complaint = Mutex(Data())
        let group = DispatchGroup()
        group.enter()
        Thread.detachNewThread {
            let data = errors.fileHandleForReading.readDataToEndOfFile()
            complaint.withLock { $0 = data }
            group.leave()
        }
        group.enter()
        Thread.detachNewThread {
            // If a program ends without reading its input, writing fails. This error is ignored.
            feed.fileHandleForWriting.blockBrokenPipe()
            try? feed.fileHandleForWriting.write(contentsOf: input)
            try? feed.fileHandleForWriting.close()
            group.leave()
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        // On Linux, `waitUntilExit` polls only every 60 ms, but a program that has closed its output ends almost
        // immediately.
        while process.isRunning { usleep(500) }
        // The program has ended, but until this call the `Process` keeps itself and its pipes alive.
        process.waitUntilExit()
        group.wait()
        let errorText = complaint.withLock { String(decoding: $0, as: UTF8.self) }
        return Output(
            status: process.terminationStatus, standardOutput: data, standardError: errorText)
    }
}

extension FileHandle {
    /// Turns SIGPIPE, which would end this process, into an error of the writing call. Call it on the writing thread.
    fileprivate func blockBrokenPipe() {
        #if canImport(Darwin)
        // On Darwin, the signal is sent to the process, so another thread could receive it.
        _ = unsafe fcntl(fileDescriptor, F_SETNOSIGPIPE, 1)
        #else
        // The thread ends after writing, and the pending signal with it.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        #endif
    }
}
