import ArgumentParser
import Foundation
import ModuleEdits
import ModuleTree

/// `modules`: reads, checks and edits a monorepo of Swift packages and module pairs.
struct Modules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "modules",
        abstract: "Reads, checks and edits a monorepo of Swift packages and module pairs.",
        discussion: """
            Exit codes: 0 success, 1 findings or a refused edit, 2 wrong usage or configuration, 3 something is \
            missing on this machine (a program, a file, a revision, a permission).
            """,
        subcommands: [
            Check.self, CheckVersions.self, Explain.self, Graph.self, AffectedCommand.self,
            BaselineCommand.self, New.self, Remove.self, Registrations.self, Bump.self, Release.self,
            ExportCommand.self,
            Recover.self,
        ])
}

/// The entry point, which uses the tool's own exit codes instead of the argument parser's.
@main
enum Main {
    static func main() {
        do {
            var command = try Modules.parseAsRoot()
            try command.run()
        } catch let error as TreeError {
            complain("error: \(error)")
            exit(error.kind == .configuration ? 2 : 3)
        } catch let error as EditError {
            complain("error: \(error)")
            exit(error.kind.exitCode)
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch {
            // The parser throws an error for `--help` too, but a request for help must exit with 0.
            let isHelp = Modules.exitCode(for: error).isSuccess
            let message = Modules.fullMessage(for: error)
            if isHelp { print(message) } else { complain(message) }
            exit(isHelp ? 0 : 2)
        }
    }

    static func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
