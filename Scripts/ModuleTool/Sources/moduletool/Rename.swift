import ArgumentParser
import ModuleEdits

struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Renames a module pair everywhere.",
        discussion: """
            Renames the folders, packages, products, targets and traits of the pair, the types whose names begin with \
            its name, and all uses of these names: in sources, manifests, comments, READMEs, VERSIONS.md, the app's \
            registrations and the diagrams. It makes all changes or none. A string changes only if it is nothing but \
            the name, a path, or a name such as RideApi; the command lists what to check. Older change notes \
            do not change.

            The versions continue under the new name. For callers outside this tree, the renamed Api is a new \
            package, and the old one gets no more versions; the change note says so. `modules release` raises the \
            versions of the callers, whose sources have changed.

            The command refuses a name that new-module refuses or that the callers already use, and a pair with \
            uncommitted work.

            Examples:
              modules rename Ride Trip
              modules rename Ride Trip --dry-run   what would change
            """)

    @Argument(help: "The name of the pair.", completion: .pairs)
    var old: String

    @Argument(help: "The new name: letters and digits, beginning with a capital letter.")
    var new: String

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(RenameModule(old, to: new))
    }
}
