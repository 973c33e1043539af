import AppModules
import Demo

/// An invalid command line or environment variable.
///
/// The process exits with code 2.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknownOption(String)
    case noValue(String)
    case nothingToClean
    case unknownModule(String)
    case moduleLeftOut(String)
    case notOneURL(Int)
    case tooMany(String, String)
    case badServer(String)
    case badPort(String)
    case optionOfApp(String)
    case jsonOfApp

    var description: String {
        switch self {
        case .unknownOption(let option):
            """
            unknown option '\(option)'. The options are --data, --start-clean, --json, --port, --no-browser and --help. Try: \
            swift run Shell --help
            """
        case .noValue(let option):
            "\(option) requires a value. Try: swift run Shell --help"
        case .nothingToClean:
            """
            --start-clean is for commands that use stored data. MODULE and trace use stored data only with --data DIR, \
            and the command 'modules' never uses it. Try: swift run Shell --start-clean
            """
        case .unknownModule(let name):
            """
            no module or command is named '\(name)'.\(name.hint(among: ["app", "open", "modules", "trace"] + Registrations.names)) The modules are listed in Registrations.swift: \
            \(Registrations.names.joined(separator: ", ")). Try: swift run Shell \(Registrations.names[0]), or, after \
            adding a pair to Package.swift: Scripts/registrations
            """
        case .moduleLeftOut(let name):
            """
            \(name) is left out of this build, so it makes no calls. A build contains only the modules whose \
            traits are enabled. Try: swift run --traits \(Registrations.traits(with: name)) Shell \(name)
            """
        case .notOneURL(let count):
            """
            open takes one URL, but \(count) were given. Quote a URL with characters that are special to the shell. Try: \
            swift run Shell open 'app://moduleA/describe'
            """
        case .tooMany(let command, let word):
            "\(command) takes no arguments, but '\(word)' was given. Try: swift run Shell \(command)"
        case .badPort(let text):
            "the port '\(text)' is not a number from 0 to 65535. Try: swift run Shell app --port 8080"
        case .optionOfApp(let option):
            "\(option) only works with the command 'app'. Try: swift run Shell app \(option == "--port" ? "--port 8080" : option)"
        case .jsonOfApp:
            "--json does not work with the command 'app', which shows pages and prints no report. Try: swift run Shell app"
        case .badServer(let text):
            """
            the environment variable \(SampleDay.bannerVariable) is '\(text)', which is not an http or https URL with a host and \
            without a user, so the banner cannot be requested. Try: \(SampleDay.bannerVariable)=http://localhost:8080 \
            swift run Shell, or unset the variable
            """
        }
    }
}
