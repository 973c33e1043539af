import Foundation
import Lifecycle
import Storage

/// The program: registers and launches every module of this build, runs the command, and exits.
@main
enum Shell {
    static func main() async {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp { return print(Arguments.help) }
            if try await !run(arguments) { exit(1) }
        } catch let error as UsageError {
            complain(error.description)
            exit(2)
        } catch {
            complain(String(describing: error))
            exit(1)
        }
    }

    /// Launches the app, runs the command and terminates the app. The terminate event is sent even if the
    /// command throws.
    ///
    /// - Returns: Whether everything succeeded. Failures have been reported on standard error.
    private static func run(_ arguments: Arguments) async throws -> Bool {
        let infrastructure = Infrastructure(
            storage: try storage(for: arguments),
            server: try OperatorServer(environment: ProcessInfo.processInfo.environment))
        let app = try await App.start(Registrations.modules, on: infrastructure)
        let shown: Result<Bool, any Error>
        do {
            shown = .success(try await show(arguments.command, of: app, as: arguments.format))
        } catch {
            shown = .failure(error)
        }
        let failures = await app.host.send(.terminate).failureLines
        failures.forEach(complain)
        return try shown.get() && failures.isEmpty
    }

    /// Returns the stored data for commands that use it, and in-memory data for all others.
    private static func storage(for arguments: Arguments) throws -> Storage {
        arguments.usesData
            ? try DataFolder.open(arguments.data, startsClean: arguments.startsClean) : .inMemory()
    }

    /// Runs a command and prints its result.
    ///
    /// - Returns: Whether every module started and the URL, if any, was opened.
    private static func show(
        _ command: Arguments.Command, of app: App, as format: Arguments.Format
    ) async throws -> Bool {
        switch command {
        case .show(let callers):
            app.failures.forEach(complain)
            try show(await Launch(app, callers: callers), as: format)
        case .modules:
            complain(about: app)
            try show(ModulesReport(app), as: format)
        case .trace:
            complain(about: app)
            try show(await app.playDay(), as: format)
        case .open(let url): return try await open(url, in: app, as: format)
        }
        return app.failures.isEmpty
    }

    /// Opens a URL as a call from outside the app and prints the result.
    ///
    /// - Returns: Whether every module started and the URL was opened.
    private static func open(_ url: String, in app: App, as format: Arguments.Format) async throws -> Bool {
        let eventFailures = await app.host.send(.openURL(url)).failureLines
        let opened = await Opened(url, in: app)
        // The refusal already contains the failure of the URL's module.
        complain(about: app, except: opened.error)
        eventFailures.forEach(complain)
        try show(opened, as: format)
        return opened.error == nil && app.failures.isEmpty && eventFailures.isEmpty
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

    private static func show(_ day: PlayedDay, as format: Arguments.Format) throws {
        switch format {
        case .json: print(try JSONReport.text(of: JSONDay(day)))
        case .mermaid: print(SequenceDiagram(day.steps), terminator: "")
        case .text: print(DayReport(day.steps, style: .forStandardOutput).lines.joined(separator: "\n"))
        }
    }

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

    /// Reports the data files that were set aside, and the failures of modules, except failures that `told`
    /// already contains.
    private static func complain(about app: App, except told: String? = nil) {
        for failure in app.failures where told?.contains(failure) != true { complain(failure) }
        for file in app.infrastructure.storage.setAside {
            complain("a data file could not be read and was moved to \(file.file.path). \(file.reason)")
        }
    }

    private static func complain(_ message: String) {
        // If standard error cannot be written, there is no other place to report to.
        try? FileHandle.standardError.write(
            contentsOf: Data("Shell: \(message.withoutControlCharacters)\n".utf8))
    }
}
