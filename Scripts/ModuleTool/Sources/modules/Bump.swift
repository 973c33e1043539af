import ArgumentParser
import ModuleEdits
import ModuleVersions

/// `modules bump`: raises versions.
struct Bump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Raises the versions of a pair, or of a library, and writes the change note.",
        discussion: """
            Raises the IMP's version and the Api's, each by the step from its own number, moves the floor to the \
            IMP's new version, writes the note below the Api's new version in VERSIONS.md and the IMP's into its \
            module type. Nothing is ever lowered. A row that is not consistent has to be mended first. A library \
            (any package of the second table) has one version, and a note.

            Examples:
              modules bump Ride patch --note "Cancelled rides no longer count."
              modules bump Ride minor --note "estimate() is new." --note "start() is faster."
              modules bump Ride major --api-only --note "start() is gone; use begin(at:)."
              modules bump ApiCenter minor --note "allRegisteredApi() is new."
            """)

    @Argument(
        help: "A pair, an alternative IMP, which raises the Api it implements, or a library.")
    var name: String

    @Argument(
        help: """
            major: callers have to change something; minor: they could use something new; patch: nothing \
            changed for them.
            """)
    var step: VersionStep

    @Option(help: "What changed, for those who call the Api. May be repeated, for several things.")
    var note: [String]

    @Flag(help: "The Api changed and the IMP did not: only the Api's version rises.")
    var apiOnly = false

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(BumpModule(name: name, step: step, notes: note, isApiOnly: apiOnly))
    }
}

extension VersionStep: ExpressibleByArgument {}
