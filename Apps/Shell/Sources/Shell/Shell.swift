import Foundation
import Lifecycle
import Storage

/// The app: registers every module of this build and launches it; then shows what it was asked for.
@main
enum Shell {
    static func main() async {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp { return print(Arguments.help) }
            let infrastructure = Infrastructure(
                storage: try storage(for: arguments),
                server: try OperatorServer(environment: ProcessInfo.processInfo.environment))
            let app = try await App.start(Registrations.modules, on: infrastructure)
            for failure in app.failures { complain(failure) }
            if arguments.command != .run {
                for file in infrastructure.storage.setAside {
                    complain("\(file.file.path) is what was set aside, for \(file.reason)")
                }
            }
            let isDone = try await show(arguments, of: app)
            if !isDone || !app.failures.isEmpty { exit(1) }
        } catch let error as UsageError {
            complain(error.description)
            exit(2)
        } catch {
            complain(String(describing: error))
            exit(1)
        }
    }

    /// The data that a command works on. Those that only tell about the app leave it alone.
    private static func storage(for arguments: Arguments) throws -> Storage {
        switch arguments.command {
        case .modules: return .inMemory()
        case .trace where arguments.data == nil: return .inMemory()
        case .run, .show, .open, .trace:
            return try DataFolder.open(arguments.data, startsClean: arguments.startsClean)
        }
    }

    /// Prints what was asked for.
    ///
    /// - Returns: Whether it could be done.
    private static func show(_ arguments: Arguments, of app: App) async throws -> Bool {
        switch arguments.command {
        case .run, .show:
            var callers: [String] = []
            if case .show(let names) = arguments.command { callers = names }
            var launch = try Launch(app, callers: callers)
            if callers.isEmpty { launch.day = await app.liveDay() }
            switch arguments.format {
            case .json: print(try JSONReport(launch).text)
            case .text, .mermaid: print(TextReport(launch, style: .forStandardOutput), terminator: "")
            }
        case .modules:
            let report = ModulesReport(app)
            switch arguments.format {
            case .json: print(try report.json)
            case .text, .mermaid: print(report.text(style: .forStandardOutput), terminator: "")
            }
        case .trace:
            let day = await app.liveDay()
            switch arguments.format {
            case .json: print(try JSONReport.text(of: JSONDay(day)))
            case .mermaid: print(SequenceDiagram(day.steps), terminator: "")
            case .text:
                print(DayReport(day.steps, style: .forStandardOutput).lines.joined(separator: "\n"))
            }
        case .open(let url):
            let opened = await Opened(url, in: app)
            switch arguments.format {
            case .json: print(try opened.json)
            case .text, .mermaid: if let value = opened.value { print(value.withoutControlCharacters) }
            }
            if let error = opened.error { complain(error) }
            return opened.error == nil
        }
        return true
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("Shell: \(message.withoutControlCharacters)\n".utf8))
    }
}
