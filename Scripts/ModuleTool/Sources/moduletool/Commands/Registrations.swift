import ArgumentParser
import ModuleScaffold

struct Registrations: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generates each app's list of modules from the pairs in its manifest.",
        discussion: """
            Run this command after editing Package.swift yourself. new-module and remove update the list too.

            `modules check registrations-current` shows the lines that differ, and writes nothing.
            """)

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(MakeRegistrations())
    }
}
