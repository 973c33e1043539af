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
            var opened: Opened?
            if case .open(let url) = arguments.command { opened = await Opened(url, in: app) }
            // Of a module whose URL was opened, the refusal tells it.
            for failure in app.failures where opened?.error?.contains(failure) != true { complain(failure) }
            if arguments.command != .run {
                for file in infrastructure.storage.setAside {
                    complain("\(file.file.path) is what was set aside, for \(file.reason)")
                }
            }
            if let opened {
                try show(opened, as: arguments.format)
            } else {
                try await show(arguments, of: app)
            }
            let end = await app.host.send(.terminate)
            let endFailures = end.failures.compactMap { $0.failure(in: end.phase) }
            endFailures.forEach(complain)
            if opened?.error != nil || !app.failures.isEmpty || !endFailures.isEmpty { exit(1) }
        } catch let error as UsageError {
            complain(error.description)
            exit(2)
        } catch {
            complain(String(describing: error))
            exit(1)
        }
    }

    /// The data that a command works on.
    private static func storage(for arguments: Arguments) throws -> Storage {
        arguments.usesData
            ? try DataFolder.open(arguments.data, startsClean: arguments.startsClean) : .inMemory()
    }

    /// Prints what was asked for.
    private static func show(_ arguments: Arguments, of app: App) async throws {
        switch arguments.command {
        case .run, .show, .open:
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
        }
    }

    /// Prints what came of a URL.
    private static func show(_ opened: Opened, as format: Arguments.Format) throws {
        switch format {
        case .json: print(try opened.json)
        case .text, .mermaid:
            if let value = opened.value {
                print(value.isEmpty ? "Nothing to show" : value.withoutControlCharacters)
            }
        }
        if let error = opened.error { complain(error) }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("Shell: \(message.withoutControlCharacters)\n".utf8))
    }
}
