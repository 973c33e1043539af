import ApiCenter
import ArgumentParser
import Foundation
import GateLedger
import RemotePairs

/// `Host`: serves pairs to other processes, and plays the sample day with pairs in other processes.
struct Host: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Host",
        abstract: "Serves module pairs to other processes, and calls pairs in other processes.",
        discussion: """
            Exit codes: 0 for success; 1 for a failure while running, such as a call that could not be completed; 2 \
            for invalid usage.
            """,
        subcommands: [Serve.self, PlayDay.self])
}

/// The entry point, which uses the program's own exit codes instead of the argument parser's.
@main
enum Main {
    static func main() async {
        do {
            var command = try Host.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch  where Host.exitCode(for: error).isSuccess {
            // The parser throws an error for `--help` too.
            print(Host.fullMessage(for: error))
        } catch let error as HostError {
            complain("\(error)")
            exit(error.isUsage ? 2 : 1)
        } catch let error as RemoteSetupError {
            complain("\(error)")
            exit(2)
        } catch  where Host.exitCode(for: error) == .validationFailure {
            complain(Host.fullMessage(for: error).replacing("Error: ", with: "", maxReplacements: 1))
            exit(2)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    /// Returns a center with the settings of the module Gate.
    static func center(gate: GateSettings) -> ApiCenter {
        let center = ApiCenter()
        center.register(GateSettings.self) { gate }
        return center
    }

    /// Writes a line to standard error.
    static func complain(_ message: String) {
        FileHandle.standardError.write(Data("Host: \(message)\n".utf8))
    }
}

/// An error that says where it occurred, what is wrong, why, and how to fix it.
struct HostError: Error, CustomStringConvertible {
    let place: String
    let what: String
    let why: String
    let fix: String
    /// Whether the command line is invalid. If it is, the exit code is 2, otherwise 1.
    var isUsage = true

    var description: String { "\(place): \(what). Why: \(why). Fix: \(fix)." }
}
