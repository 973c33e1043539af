import AppModules
import Demo

/// The parsed command line of the Shell.
struct Arguments: Equatable {
    enum Command: Equatable {
        /// Show the modules, their calls and the sample day. With callers, show only the calls that
        /// these modules make.
        case show(callers: [String])
        /// Show what each module registers.
        case modules
        /// Show the calls of the sample day.
        case trace
        /// Open a URL as an outside caller would.
        case open(String)
        /// Show the app's pages in a browser.
        case app
    }

    private(set) var format = ReportFormat.text
    private(set) var wantsHelp = false
    private(set) var command = Command.show(callers: [])
    /// The folder that holds the app's data; nil for the default folder.
    private(set) var data: String?
    private(set) var startsClean = false
    /// The port of the app in the browser; 0 for any free one.
    private(set) var port = 0
    private(set) var opensBrowser = true

    /// Parses the words of a command line. If an option is repeated, its last value is used.
    init(_ words: [String]) throws(UsageError) {
        var names: [String] = []
        var rest = words[...]
        var appOption: String?
        while let word = rest.popFirst() {
            let (option, attached) = word.splitAtEqualsSign
            func value() throws(UsageError) -> String {
                if let attached, !attached.isEmpty { return attached }
                guard attached == nil, let next = rest.popFirst(), !next.isEmpty, !next.hasPrefix("-")
                else { throw .noValue(option) }
                return next
            }
            switch option {
            case "--json" where attached == nil: format = .json
            case "--help" where attached == nil: wantsHelp = true
            case "-h": wantsHelp = true
            case "--start-clean" where attached == nil: startsClean = true
            case "--data": data = try value()
            case "--no-browser" where attached == nil: (opensBrowser, appOption) = (false, option)
            case "--port":
                let text = try value()
                guard let number = UInt16(text) else { throw .badPort(text) }
                (port, appOption) = (Int(number), option)
            case _ where word.hasPrefix("-"): throw .unknownOption(word)
            default: names.append(word)
            }
        }
        if wantsHelp { return }
        command = try Command(names)
        if command == .app, format == .json { throw .jsonOfApp }
        if let appOption, command != .app { throw .optionOfApp(appOption) }
        if startsClean, !usesData { throw .nothingToClean }
    }

    /// Whether the command reads and writes stored data. `modules` never uses stored data. `trace` and `Shell
    /// MODULE ...` use stored data only with `--data`.
    var usesData: Bool {
        switch command {
        case .modules: false
        case .trace: data != nil
        case .show(let callers): callers.isEmpty || data != nil
        case .open, .app: true
        }
    }
}

extension Arguments.Command {
    fileprivate init(_ names: [String]) throws(UsageError) {
        switch names.first {
        case nil: self = .show(callers: [])
        case "open":
            guard names.count == 2 else { throw .notOneURL(names.count - 1) }
            self = .open(names[1])
        case "app", "modules", "trace":
            guard names.count == 1 else { throw .tooMany(names[0], names[1]) }
            self = names[0] == "app" ? .app : names[0] == "trace" ? .trace : .modules
        default:
            if let name = names.first(where: { !Registrations.names.contains($0) }) {
                throw .unknownModule(name)
            }
            self = .show(callers: names)
        }
    }
}

extension String {
    /// Splits `--data=x` into `--data` and `x`.
    fileprivate var splitAtEqualsSign: (String, String?) {
        guard hasPrefix("--"), let sign = firstIndex(of: "=") else { return (self, nil) }
        return (String(self[..<sign]), String(self[index(after: sign)...]))
    }
}
