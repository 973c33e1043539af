import Foundation
import ModuleKit

extension Command {
    /// Runs a program, shows its output while it runs, and waits for it to end. A non-zero exit status is a result, not
    /// an error.
    ///
    /// - Parameters:
    ///   - arguments: The program, as an absolute path or as a name to look up in `PATH`, and its arguments.
    ///   - folder: The working folder of the program.
    ///   - variables: The environment of the program.
    /// - Returns: The exit status, what the program wrote to its standard output, and the number of its process.
    static func show(_ arguments: [String], in folder: String, _ variables: [String: String] = environment)
        throws -> (status: Int32, text: String, process: Int32)
    {
        let process = Process()
        // `env` would take a path with `=` for a variable.
        let isPath = arguments[0].hasPrefix("/")
        process.executableURL = URL(filePath: isPath ? arguments[0] : "/usr/bin/env")
        process.arguments = isPath ? Array(arguments.dropFirst()) : arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = variables
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        Interruption.show(process.processIdentifier)
        var text = Data()
        var (pipe, end) = unsafe (pollfd(), siginfo_t())
        (pipe.fd, pipe.events) = (output.fileHandleForReading.fileDescriptor, Int16(POLLIN))
        while true {
            let id = process.processIdentifier
            let hasEnded =
                unsafe waitid(P_PID, id_t(id), &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_signo != 0
            // What the program has left behind would keep the pipe open, and the socket by which Foundation notices the end.
            if hasEnded { kill(-id, SIGKILL) }
            if unsafe poll(&pipe, 1, hasEnded ? 0 : 50) > 0 {
                let part = output.fileHandleForReading.availableData
                if part.isEmpty { pipe.fd = -1 }
                text += part
                FileHandle.standardOutput.write(part)
            } else if hasEnded {
                break
            }
        }
        Interruption.show(nil)
        // A daemon is in a process group of its own, and may keep the socket open as long as it runs. Without the exit
        // status, Foundation has noticed the end.
        let hasStatus = unsafe end.si_signo != 0
        if !hasStatus { process.waitUntilExit() }
        return unsafe (
            hasStatus ? end.exitStatus : process.terminationStatus, String(decoding: text, as: UTF8.self),
            process.processIdentifier
        )
    }
}

extension siginfo_t {
    /// The exit status of a process that has ended, or the signal that has ended the process.
    fileprivate var exitStatus: Int32 {
        #if canImport(Darwin)
        si_status
        #else
        unsafe _sifields._sigchld.si_status
        #endif
    }
}
