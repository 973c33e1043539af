extension Arguments {
    static let help = """
        Registers every module of this build, lets them call each other, and plays a
        passenger's day with the app.

        USAGE
          swift run Shell                  The modules, their calls, and a day
          swift run Shell MODULE ...       The calls of these modules on a first day
          swift run Shell modules          What each module registers
          swift run Shell trace            The calls of a first day
          swift run Shell open URL         What the app answers to a URL from outside

        ARGUMENTS
          MODULE     One of:
        \(Registrations.names.joined(separator: " ").wrapped(at: 64).map { "             \($0)" }
            .joined(separator: "\n"))
          open URL   Call the route of this URL, as a call from outside the app, and
                     print what it answers. Any scheme will do. Where no route fits,
                     SCHEME://TARGET/ACTION reaches an action by name.

        OPTIONS
          --data DIR       Where the app's data is. A run goes on from the one before.
                           By default: ModularApp in the platform's folder for
                           applications' data. For MODULE and trace: nowhere.
          --start-clean    Set aside data files that cannot be read, and begin anew.
          --json           One JSON object instead of text.
          --format FORMAT  For trace: text, json, or mermaid, a sequence diagram.
          --help           This text.

        ENVIRONMENT
          HOME_BANNER_URL  Ask this server for the banner: an http or https URL. With no
                           path, /home/banner is asked for. All other answers are
                           recorded ones.

        EXIT CODES
          0  every module was registered and launched, and the URL, if any, opened
          1  a module failed, data could not be used, or the URL was refused: see
             standard error
          2  the arguments or the environment were wrong
          A duplicate registration, or builders that need each other, stop the
          process with a message and a signal (exit code 132 or 133 in a shell).

        EXAMPLES
          swift run Shell open app://journeys/3
          swift run Shell trace --format mermaid
          swift run --disable-default-traits --traits ModuleA Shell
        """
}
