/// What the Shell was asked for on its command line.
struct Arguments: Equatable {
    enum Format {
        case text, json
    }

    static let help = """
        Registers every module of this build, lets them call each other, and reports the launch.

        USAGE
          swift run Shell [--json] [MODULE ...]

        ARGUMENTS
          MODULE   Show the calls of these modules only: \(Registrations.names.joined(separator: ", ")).

        OPTIONS
          --json   One JSON object instead of text.
          --help   This text.

        EXIT CODES
          0  every module was registered and launched
          1  a module failed to register or to launch; which one and why is on standard error
          2  the arguments were wrong

        A module is left out by its trait:
          swift run --disable-default-traits --traits \(Registrations.names[0]) Shell
        """

    private(set) var format = Format.text
    private(set) var wantsHelp = false
    /// The modules whose calls are to be shown; none stands for all.
    private(set) var callers: [String] = []

    init(_ words: [String]) throws(UsageError) {
        for word in words {
            switch word {
            case "--json": format = .json
            case "--help", "-h": wantsHelp = true
            case _ where word.hasPrefix("-"): throw .unknownOption(word)
            case _ where Registrations.names.contains(word): callers.append(word)
            default: throw .unknownModule(word)
            }
        }
    }
}

/// A command line that the Shell cannot act on. The process ends with exit code 2.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknownOption(String)
    case unknownModule(String)
    case moduleLeftOut(String)

    var description: String {
        switch self {
        case .unknownOption(let option):
            "unknown option '\(option)'. There are --json and --help. Try: swift run Shell --help"
        case .unknownModule(let name):
            """
            no module is named '\(name)'. The modules are the pairs that Package.swift lists: \
            \(Registrations.names.joined(separator: ", ")). Try: swift run Shell \(Registrations.names[0])
            """
        case .moduleLeftOut(let name):
            """
            \(name) is left out of this build, so it makes no calls. A build has the modules whose traits are \
            on. Try: swift run --traits \(name) Shell \(name)
            """
        }
    }
}
