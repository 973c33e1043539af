import ArgumentParser
import ModuleEdits
import ModuleVersions

/// `modules bump`: raises the versions of a pair or a library.
struct Bump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Raises the versions of a pair or a library, and writes the change notes.",
        discussion: """
            For a pair, raises the IMP's version and the Api's version by the same step, each from its own \
            value; moves the floor to the IMP's new version; adds the notes to the Api's new version in VERSIONS.md; \
            and writes the IMP's new version into its module type. No version is ever lowered. An inconsistent \
            row has to be fixed first. A library (any package in the second table) has only one version.

            Examples:
              modules bump Ride patch --note "Cancelled rides no longer count."
              modules bump Ride minor --note "estimate() is new." --note "start() is faster."
              modules bump Ride major --api-only --note "start() is gone; use begin(at:)."
              modules bump ApiCenter minor --note "allRegisteredApi() is new."
            """)

    @Argument(
        help: "A pair, a library, or an alternative IMP. Bumping an alternative IMP also raises its Api.")
    var name: String

    @Argument(
        help: """
            major: callers have to change their code; minor: callers can use something new; patch: nothing \
            changes for callers.
            """)
    var step: VersionStep

    @Option(help: "What changed for callers of the Api. Repeat the option for several changes.")
    var note: [String]

    @Flag(help: "Raise only the Api's version, because the IMP did not change.")
    var apiOnly = false

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(BumpModule(name: name, step: step, notes: note, isApiOnly: apiOnly))
    }
}

extension VersionStep: ExpressibleByArgument {}
