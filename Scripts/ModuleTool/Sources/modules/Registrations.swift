import ArgumentParser
import ModuleEdits

/// `modules registrations`: writes the Shell's list of modules anew.
struct Registrations: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the Shell's list of modules from the pairs in Package.swift.",
        discussion: """
            new-module and remove do this too; it is for whoever edited Package.swift by hand.

            Examples:
              modules registrations
              modules registrations --check   exit with 1 when something would be written
            """)

    @Flag(help: "Write nothing; exit with 1, and show the lines, when the list is another.")
    var check = false

    @OptionGroup var options: EditOptions

    func run() throws {
        guard check else { return try options.make(MakeRegistrations()) }
        try options.root.validate()
        try MakeRegistrations().check(options.root)
    }
}
