/// A command line, or an environment, that the Shell cannot act on.
///
/// The process ends with exit code 2.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknownOption(String)
    case noValue(String)
    case unknownFormat(String)
    case formatWithoutTrace
    case contradiction(String, String)
    case nothingToClean
    case unknownModule(String)
    case moduleLeftOut(String)
    case notOneURL(Int)
    case tooMany(String, String)
    case badServer(String)

    var description: String {
        switch self {
        case .unknownOption(let option):
            """
            unknown option '\(option)'. There are --data, --start-clean, --json, --format and --help. Try: \
            swift run Shell --help
            """
        case .noValue(let option):
            "\(option) needs a value behind it. Try: swift run Shell --help"
        case .unknownFormat(let format):
            """
            unknown format '\(format)'. There are \(Arguments.Format.allCases.map(\.rawValue).joined(separator: ", ")). \
            Try: swift run Shell trace --format mermaid
            """
        case .formatWithoutTrace:
            "--format is for trace; everywhere else there is --json. Try: swift run Shell trace --format mermaid"
        case .contradiction(let one, let other):
            "'\(one)' and '\(other)' were both asked for, and only one can be. Try: swift run Shell --help"
        case .nothingToClean:
            """
            --start-clean is for commands that work on data, which this one does not, or only with --data DIR. Try: \
            swift run Shell --start-clean
            """
        case .unknownModule(let name):
            """
            no module or command is named '\(name)'.\(Self.hint(for: name)) The modules are those of Registrations.swift: \
            \(Registrations.names.joined(separator: ", ")). Try: swift run Shell \(Registrations.names[0]), or, after \
            adding a pair to Package.swift: Scripts/registrations
            """
        case .moduleLeftOut(let name):
            """
            \(name) is left out of this build, so it makes no calls. A build has the modules whose traits are \
            on. Try: swift run --traits \(Registrations.traits(with: name)) Shell \(name)
            """
        case .notOneURL(let count):
            """
            open takes one URL, and \(count) were given. Quote a URL that the shell would take apart. Try: \
            swift run Shell open 'app://moduleA/describe'
            """
        case .tooMany(let command, let word):
            "\(command) takes no arguments, and '\(word)' was given. Try: swift run Shell \(command)"
        case .badServer(let text):
            """
            the environment's \(OperatorServer.variable) is '\(text)', which is no http or https URL with a host and without a user, so \
            no server can be asked for the banner. Try: \(OperatorServer.variable)=http://localhost:8080 \
            swift run Shell, or unset it
            """
        }
    }

    private static func hint(for name: String) -> String {
        let known = ["open", "modules", "trace"] + Registrations.names
        return Guess.hint(among: known.map { Guess(written: name, meant: $0, shown: $0) })
    }
}
