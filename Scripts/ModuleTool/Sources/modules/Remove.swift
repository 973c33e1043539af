import ArgumentParser
import ModuleEdits

/// `modules remove`: removes a pair.
struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Removes a module pair from everywhere.",
        discussion: """
            Deletes both packages and takes the pair out of Package.swift, VERSIONS.md and the Shell's \
            registrations, all of it or nothing. A pair that others still use is not removed: the places are \
            listed, and the exit code is 1.

            Examples:
              modules remove Wallet
              modules remove Wallet --dry-run   what would change
            """)

    @Argument(help: "The name of the pair.")
    var name: String

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(RemoveModule(name: name))
    }
}
