import ArgumentParser
import Foundation
import ModuleKit

/// `modules`: reads, checks and edits a monorepo of Swift packages and module pairs.
struct Modules: ParsableCommand {
    /// The version of the tool, as in VERSIONS.md.
    static let version = "1.0.0"

    static let configuration = CommandConfiguration(
        commandName: "modules",
        abstract: "Reads, checks and edits a monorepo of Swift packages and module pairs.",
        discussion: """
            Exit codes: 0 success, 1 findings or a refused edit, 2 wrong usage or configuration, 3 something is \
            missing on this machine (a program, a file, a revision, a permission).
            """,
        version: version,
        subcommands: [
            Check.self, Explain.self, Graph.self, Why.self, AffectedCommand.self, TestCommand.self,
            FocusCommand.self, BaselineCommand.self, Init.self, Add.self, Update.self, New.self, Remove.self,
            Registrations.self, Remote.self, Bump.self, Release.self, ExportCommand.self, Recover.self,
        ])
}

/// The entry point, which uses the tool's own exit codes instead of the argument parser's.
@main
enum Main {
    static func main() {
        Interruption.install()
        do {
            var command = try Modules.parseAsRoot()
            try command.run()
        } catch let error as Diagnostic {
            complain(error)
            exit(error.kind.exitCode)
        } catch let interruption as Interruption.Requested {
            complain(interruption.message)
            exit(interruption.exitCode)
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch  where Modules.exitCode(for: error).isSuccess {
            // The parser throws an error for `--help` too.
            print(spelled(Modules.fullMessage(for: error)))
        } catch  where error is CocoaError || error is POSIXError {
            complain(
                Diagnostic(
                    .environment, error.localizedDescription,
                    why: "A file or a folder cannot be read or written.",
                    fix: "Correct its permissions, or move away what is in its place."))
            exit(Diagnostic.Kind.environment.exitCode)
        } catch {
            complain(usage(error))
            exit(2)
        }
    }

    /// The argument parser's message in the layout of the tool's own errors, with a suggestion for an unknown command.
    private static func usage(_ error: any Error) -> String {
        let names = Modules.configuration.subcommands.map { $0._commandName }
        if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
            let suggestion = (replacement(of: word) ?? Spelling.suggestion(for: word, among: names)).map {
                named("Run: \(launcher) \($0)")
            }
            return "error: there is no command '\(word)'\n  fix:  "
                + (suggestion ?? "Use one of: \(names.joined(separator: ", ")).")
        }
        return spelled(Modules.fullMessage(for: error)).replacing(
            "Error: ", with: "error: ", maxReplacements: 1
        )
        .replacing("\nHelp:  ", with: "\n  why:  ").replacing("\nUsage: ", with: "\n  fix:  Run: ")
    }

    /// What replaces a command of earlier versions: `list` printed a table, or JSON if its arguments said so.
    private static func replacement(of command: String) -> String? {
        guard command == "list" else { return nil }
        let isJSON = CommandLine.arguments.contains { $0.hasSuffix("json") }
        return "graph --format \(isJSON ? "json" : "text")"
    }

    static func complain(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }

    static func complain(_ error: Diagnostic) { complain("error: \(named(error))") }

    /// A diagnostic whose fix is a command that works in this tree. Its other texts may contain paths, which stay as they
    /// are.
    static func named(_ diagnostic: Diagnostic) -> Diagnostic {
        var named = diagnostic
        named.fix = Main.named(named.fix)
        return named
    }

    /// A message with the command that starts the tool in this tree, as its launcher calls it.
    static func named(_ message: String) -> String {
        guard let root = otherRoot else { return message.replacing(launcher, with: command) }
        return Modules.configuration.subcommands.map { $0._commandName }.reduce(message) { text, name in
            text.replacing("\(launcher) \(name)", with: "\(command) \(name) --root '\(root)'")
        }
    }

    /// A help text, in which `modules check` is the command that starts the tool in this tree.
    static func spelled(_ help: String) -> String {
        let names = Modules.configuration.subcommands.map { $0._commandName } + ["help", "<"]
        return help.replacing(/(?:Scripts\/)?\bmodules (<|[a-z-]+)/) { match in
            names.contains(String(match.1)) || match.1.hasPrefix("-")
                ? "\(command) \(match.1)" : String(match.0)
        }
    }

    /// The launcher, as messages of this tool name it.
    private static let launcher = "Scripts/modules"
    /// The command that starts the tool, as its launcher calls it.
    private static let command = ProcessInfo.processInfo.environment["MODULETOOL_COMMAND"] ?? launcher

    /// The tree that `--root` names; nil if it is the tree in which the tool runs without this option.
    private static let otherRoot: String? = {
        let arguments = CommandLine.arguments.flatMap {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        guard let option = arguments.firstIndex(of: "--root"), option + 1 < arguments.count else {
            return nil
        }
        let root = TreeOptions.rootPath(arguments[option + 1])
        return root == TreeOptions.rootPath() ? nil : root
    }()
}
