import ArgumentParser
import ModuleRemote
import ModuleScaffold

struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Removes a module pair, or a package that `remote` generated, and every entry for it.",
        discussion: """
            Deletes both packages and removes the pair from the app's manifest and registrations and from \
            VERSIONS.md, making all changes or none. The command refuses, with exit code 1, to remove a pair \
            that other packages still use, and lists these uses. It also refuses to delete uncommitted work.

            Examples:
              modules remove Wallet
              modules remove GateRemote         what `modules remote Gate` added
              modules remove Wallet --dry-run   what would change
            """)

    @Argument(help: "The name of the pair or of the generated package.", completion: .pairs)
    var name: String

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(RemoveModule(name: name, generated: RemotePackage.found))
    }
}
