import Dispatch
import Foundation
import ModuleTree

extension Command {
    /// Runs a program, shows its output while it runs, and waits for it to end. A non-zero exit status is a result, not
    /// an error.
    ///
    /// - Parameters:
    ///   - arguments: The program's name in `PATH`, and its arguments.
    ///   - folder: The working folder of the program.
    /// - Returns: The exit status, and what the program wrote to its standard output.
    static func show(_ arguments: [String], in folder: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The program is not in the terminal's process group, so an interrupt has to be passed on.
        let group = -process.processIdentifier
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { kill(group, number) }
            source.resume()
            return source
        }
        var text = Data()
        while case let part = output.fileHandleForReading.availableData, !part.isEmpty {
            text += part
            FileHandle.standardOutput.write(part)
        }
        process.waitUntilExit()
        for source in signals { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
