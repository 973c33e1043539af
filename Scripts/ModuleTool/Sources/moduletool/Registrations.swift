import ArgumentParser
import ModuleEdits

struct Registrations: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generates each app's list of modules from the pairs in its manifest.",
        discussion: """
            Run this command after editing Package.swift yourself. new-module, remove and rename update the list too.

            Examples:
              modules registrations
              modules registrations --check   exit with 1 if the list is out of date
            """)

    @Flag(help: "Write nothing. If the list is out of date, show the lines that differ and exit with 1.")
    var check = false

    @OptionGroup var options: EditOptions

    func run() throws {
        guard check else { return try options.make(MakeRegistrations()) }
        try options.root.validate()
        try MakeRegistrations().check(options.root)
    }
}
