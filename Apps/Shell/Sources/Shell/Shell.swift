import Foundation
import Lifecycle
import Routes

/// The app: registers every module of this build and launches it; then shows the modules calling each other,
/// or opens a URL.
@main
enum Shell {
    static func main() async {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp { return print(Arguments.help) }
            let app = try await App.start(Registrations.modules)
            for failure in app.failures { complain(failure) }
            var isDone = app.failures.isEmpty
            switch arguments.command {
            case .show(let callers):
                let launch = try Launch(app, callers: callers)
                switch arguments.format {
                case .text: print(TextReport(launch, style: .forStandardOutput), terminator: "")
                case .json: print(try JSONReport(launch).text)
                }
            case .open(let url):
                let opened = Opened(url: url, result: await app.routes.open(url))
                switch arguments.format {
                case .text: if let value = opened.value { print(value) }
                case .json: print(try opened.json)
                }
                if let error = opened.error { complain(error) }
                isDone = isDone && opened.error == nil
            }
            if !isDone { exit(1) }
        } catch let error as UsageError {
            complain(error.description)
            exit(2)
        } catch {
            complain(String(describing: error))
            exit(1)
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("Shell: \(message)\n".utf8))
    }
}
