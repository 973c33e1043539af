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
            let format = arguments.format
            var failures = app.failures
            var refusal: String?
            let show: () async throws -> Void
            switch arguments.command {
            case .run: show = { try await showLaunch(of: app, as: format) }
            case .show(let callers): show = { try Self.show(Launch(app, callers: callers), as: format) }
            case .modules: show = { try Self.show(ModulesReport(app), as: format) }
            case .trace: show = { try await Self.show(app.liveDay(), as: format) }
            case .open(let url):
                failures += await app.host.send(.openURL(url)).failureLines
                let opened = await Opened(url, in: app)
                refusal = opened.error
                show = { try Self.show(opened, as: format) }
            }
            // Of a module whose URL was opened, the refusal tells it.
            for failure in failures where refusal?.contains(failure) != true { complain(failure) }
            if arguments.command != .run {
                for file in infrastructure.storage.setAside {
                    complain("\(file.file.path) is what was set aside, for \(file.reason)")
                }
            }
            try await show()
            let endFailures = await app.host.send(.terminate).failureLines
            endFailures.forEach(complain)
            if refusal != nil || !failures.isEmpty || !endFailures.isEmpty { exit(1) }
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

    /// Prints the launch, all calls, and the day.
    private static func showLaunch(of app: App, as format: Arguments.Format) async throws {
        var launch = try Launch(app, callers: [])
        launch.day = await app.liveDay()
        try show(launch, as: format)
    }

    private static func show(_ launch: Launch, as format: Arguments.Format) throws {
        switch format {
        case .json: print(try JSONReport(launch).text)
        case .text, .mermaid: print(TextReport(launch, style: .forStandardOutput), terminator: "")
        }
    }

    private static func show(_ report: ModulesReport, as format: Arguments.Format) throws {
        switch format {
        case .json: print(try report.json)
        case .text, .mermaid: print(report.text(style: .forStandardOutput), terminator: "")
        }
    }

    private static func show(_ day: LivedDay, as format: Arguments.Format) throws {
        switch format {
        case .json: print(try JSONReport.text(of: JSONDay(day)))
        case .mermaid: print(SequenceDiagram(day.steps), terminator: "")
        case .text: print(DayReport(day.steps, style: .forStandardOutput).lines.joined(separator: "\n"))
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
        // When it cannot be written, nobody listens.
        try? FileHandle.standardError.write(
            contentsOf: Data("Shell: \(message.withoutControlCharacters)\n".utf8))
    }
}
