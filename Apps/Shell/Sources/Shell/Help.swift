import AppModules
import Demo

extension Arguments {
    static let help = """
        Registers every module of this build, has the modules call each other, and
        simulates a passenger's day with the app.

        USAGE
          swift run Shell                  Show the modules, their calls, and a day
          swift run Shell MODULE ...       Show only the calls that these modules make
          swift run Shell modules          Show what each module registers
          swift run Shell trace            Show the calls of a new passenger's day
          swift run Shell open URL         Open a URL as a call from outside the app
          swift run Shell app              Show the app's pages in a browser, and the
                                           calls between its modules while they happen

        ARGUMENTS
          MODULE     One of:
        \(Registrations.names.joined(separator: " ").wrapped(at: 64).map { "             \($0)" }
            .joined(separator: "\n"))
          open URL   Call the route that matches this URL, as an outside caller would,
                     and print the result. The scheme does not matter. If no route
                     matches, SCHEME://TARGET/ACTION calls an action by name.

        OPTIONS
          --data DIR       The folder that holds the app's data. Each run continues
                           from the previous one. Default: ModularApp in the
                           platform's folder for application data. By default, MODULE
                           and trace keep their data in memory only.
          --start-clean    Set unreadable data files aside and start without them.
          --json           Print one JSON object instead of text.
          --port N         With app: the port on this machine. Default: any free one.
          --no-browser     With app: print the address, but open no browser.
          --help           Show this help.

        ENVIRONMENT
          HOME_BANNER_URL  Request the banner from this http or https URL. The default
                           path is /home/banner.

        EXIT CODES
          0  every module was registered and launched, and the URL, if any, was opened
          1  a module failed, the data could not be used, or the URL was refused; see
             standard error
          2  the arguments or the environment were invalid
          A duplicate registration, or a circular dependency between builders, stops
          the process with a message and a signal (exit code 132 or 133 in a shell).

        EXAMPLES
          swift run Shell app --port 8080
          swift run Shell open app://journeys/3
          swift run Shell trace --json
          swift run --disable-default-traits --traits ModuleA Shell
        """
}
