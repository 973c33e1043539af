import ApiCenter
import Foundation
import Lifecycle

/// The app: registers every module of this build, shows them calling each other, and reports the launch.
@main
enum Shell {
    static func main() async {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp { return print(Arguments.help) }
            let launch = try await Launch.run(Registrations.modules, callers: arguments.callers)
            switch arguments.format {
            case .text: print(TextReport(launch, style: .forStandardOutput), terminator: "")
            case .json: print(try JSONReport(launch).text)
            }
            for failure in launch.failures { complain(failure) }
            if !launch.failures.isEmpty { exit(1) }
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
