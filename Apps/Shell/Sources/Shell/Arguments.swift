/// What the Shell was asked for on its command line.
struct Arguments: Equatable {
    enum Format {
        case text, json
    }

    enum Command: Equatable {
        /// Show the calls of these modules; none stands for all.
        case show(callers: [String])
        /// Open a URL as if it came from outside.
        case open(String)
    }

    static let help = """
        Registers every module of this build, lets them call each other, and reports the launch.

        USAGE
          swift run Shell [--json] [MODULE ...]
          swift run Shell [--json] open URL

        ARGUMENTS
          MODULE     Show the calls of these modules only: \(Registrations.names.joined(separator: ", ")).
          open URL   Call the route of this URL, as a call from outside the app, and print what it answers.

        OPTIONS
          --json     One JSON object instead of text.
          --help     This text.

        EXIT CODES
          0  every module was registered and launched, and the URL, if any, was opened
          1  a module failed to register or to launch, or the URL was refused: see standard error
          2  the arguments were wrong

        EXAMPLES
          swift run Shell ModuleA
          swift run Shell open app://moduleA/describe
          swift run --disable-default-traits --traits ModuleA Shell     (leaves the other modules out)
        """

    private(set) var format = Format.text
    private(set) var wantsHelp = false
    private(set) var command = Command.show(callers: [])

    init(_ words: [String]) throws(UsageError) {
        var names: [String] = []
        for word in words {
            switch word {
            case "--json": format = .json
            case "--help", "-h": wantsHelp = true
            case _ where word.hasPrefix("-"): throw .unknownOption(word)
            default: names.append(word)
            }
        }
        if wantsHelp { return }
        if names.first == "open" {
            guard names.count == 2 else { throw .notOneURL(names.count - 1) }
            command = .open(names[1])
        } else {
            if let name = names.first(where: { !Registrations.names.contains($0) }) {
                throw .unknownModule(name)
            }
            command = .show(callers: names)
        }
    }
}

/// A command line that the Shell cannot act on.
///
/// The process ends with exit code 2.
enum UsageError: Error, Equatable, CustomStringConvertible {
    case unknownOption(String)
    case unknownModule(String)
    case moduleLeftOut(String)
    case notOneURL(Int)

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
        case .notOneURL(let count):
            """
            open takes one URL, and \(count) were given. Quote a URL that the shell would take apart. Try: \
            swift run Shell open 'app://moduleA/describe'
            """
        }
    }
}
