import AppModules
import Demo
import Foundation
import Launch
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
        } catch let error as StorageError {
            complain(DataError(error).description)
            exit(1)
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
        let day = try sampleDay()
        let launcher = Launcher(day: day, storage: try storage(for: arguments), complain: complain)
        let launched = try await launcher.launch()
        let shown: Result<Bool, any Error>
        do {
            shown = .success(try await show(arguments, of: launched, on: day, launcher))
        } catch {
            shown = .failure(error)
        }
        let failures = await launcher.terminate()
        failures.forEach(complain)
        return try shown.get() && failures.isEmpty
    }

    /// Returns the stored data for commands that use it, and in-memory data for all others.
    private static func storage(for arguments: Arguments) throws -> Storage {
        arguments.usesData
            ? try DataFolder.open(arguments.data, startsClean: arguments.startsClean) : .inMemory()
    }

    private static func sampleDay() throws -> SampleDay {
        do {
            return try SampleDay(environment: ProcessInfo.processInfo.environment)
        } catch let error as SampleDay.BadAddress {
            throw UsageError.badServer(error.text)
        }
    }

    /// Runs a command and prints its result.
    ///
    /// - Returns: Whether every module started and the URL, if any, was opened.
    private static func show(
        _ arguments: Arguments, of app: LaunchedApp, on day: SampleDay, _ launcher: Launcher
    ) async throws -> Bool {
        let format = arguments.format
        let demo = app.demo(of: day)
        switch arguments.command {
        case .show(let callers):
            app.launch.failureLines.forEach(complain)
            if let name = callers.first(where: { name in !app.app.modules.contains { $0.name == name } }) {
                throw UsageError.moduleLeftOut(name)
            }
            print(try await demo.overview(callers: callers, as: format, complain: complain), terminator: "")
        case .modules:
            complain(about: app)
            print(try demo.modules(as: format), terminator: "")
        case .trace:
            complain(about: app)
            print(try await demo.trace(as: format, complain: complain), terminator: "")
        case .open(let url): return try await open(url, in: app, as: format)
        case .app:
            complain(about: app)
            try await Browser.show(
                demo, port: arguments.port, opens: arguments.opensBrowser, complain: complain
            ) { leftOut in
                let app = try await launcher.launch(without: leftOut)
                complain(about: app)
                return app.demo(of: day)
            }
        }
        return app.launch.failureLines.isEmpty
    }

    /// Opens a URL as a call from outside the app and prints the result.
    ///
    /// - Returns: Whether every module started and the URL was opened.
    private static func open(_ url: String, in app: LaunchedApp, as format: ReportFormat) async throws -> Bool
    {
        let link = app.app.open(url)
        let opened = await Opened(url, link, in: app)
        // The refusal already contains the failure of the URL's module.
        complain(about: app, except: opened.error)
        let failures = await link.delivery.report.failureLines
        failures.forEach(complain)
        try show(opened, as: format)
        return opened.error == nil && app.launch.failureLines.isEmpty && failures.isEmpty
    }

    private static func show(_ opened: Opened, as format: ReportFormat) throws {
        switch format {
        case .json: print(try opened.indentedJSON)
        case .text:
            if let value = opened.value {
                print(value.isEmpty ? "Nothing to show" : value.withoutControlCharacters)
            }
        }
        if let error = opened.error { complain(error) }
    }

    /// Reports the data files that were set aside, and the failures of modules, except failures that `told`
    /// already contains.
    private static func complain(about app: LaunchedApp, except told: String? = nil) {
        for failure in app.launch.failureLines where told?.contains(failure) != true { complain(failure) }
        for file in app.services.storage.setAside {
            complain("a data file could not be read and was moved to \(file.file.path). \(file.reason)")
        }
    }

    private static func complain(_ message: String) {
        // A failed write to standard error is ignored, because there is nowhere to report it.
        try? FileHandle.standardError.write(
            contentsOf: Data("Shell: \(message.withoutControlCharacters)\n".utf8))
    }
}
