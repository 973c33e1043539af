import ArgumentParser
import ModuleReleases
import ModuleRemote
import ModuleRules
import ModuleTree
import ModuleVersions

struct Bump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Raises the versions of a pair or a library, and writes the change notes.",
        discussion: """
            For a pair, raises the IMP's version and the Api's version by the same step, each from its own \
            value; moves the floor to the IMP's new version; writes the notes to the Api's CHANGELOG.md; \
            and writes the IMP's new version into its module type. No version is ever lowered. Fix \
            an inconsistent row of VERSIONS.md first. A library (any package in the second table there) has only one \
            version.

            `bump` also writes the new versions into a package that `remote` generated for the pair, and raises the \
            package's version.

            Without a step, takes the smallest step that the changes since the last release need, and says \
            why. A package that was never released needs an explicit step. An IMP that has not changed keeps its \
            version. Changes that CHANGELOG.md lists below \
            `## Unreleased` become part of the note. From version 1.0.0, a declaration is removed only after a release \
            that marks it deprecated, unless a comment or .modules.yml allows it.

            Examples:
              modules bump Ride --note "Cancelled rides no longer count."
              modules bump Ride minor --note "estimate() is new." --note "start() is faster."
              modules bump Ride major --api-only --note "start() is gone; use begin(at:)."
              modules bump ApiCenter minor --note "allRegisteredApi() is new."
            """)

    @Argument(
        help: "A pair, a library, or an alternative IMP. Bumping an alternative IMP also bumps its Api.",
        completion: .packages)
    var name: String

    @Argument(
        help: """
            major: callers have to change their code; minor: callers can use something new; patch: nothing \
            changes for callers. By default, the smallest step that the changes need.
            """)
    var step: VersionStep?

    @Option(help: "What changed for callers of the Api. Repeat the option for several changes.")
    var note: [String] = []

    @Flag(help: "Raise only the Api's version, because the IMP did not change.")
    var apiOnly = false

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(
            MakeReleases(
                name, step, notes: note, isApiOnly: apiOnly,
                needed: { tree in
                    // Outside a repository, no release is known that a given step could be too small for.
                    let hasHistory = try GitRepository.uncommitted(in: [], root: tree.root) != nil
                    return step == nil || hasHistory ? try neededRaises(of: tree) : []
                }, released: releasedVersions, generated: RemotePackage.found))
    }
}

struct Release: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Raises the version of everything that changed since its last release.",
        discussion: """
            Does what `bump` without a step does, for every pair and library that changed since its last release. \
            The notes are the changes that each CHANGELOG.md lists below `## Unreleased`, and those on the command \
            line. A package that was never released keeps its version, and its unreleased changes join the note of \
            this version; a git tag on the commit then releases it.

            Examples:
              modules release --dry-run
              modules release --note "A link in a doc comment no longer dangles."
            """)

    @Option(help: "A change in all raised packages. Repeat the option for several changes.")
    var note: [String] = []

    @OptionGroup var options: EditOptions

    func run() throws {
        try options.make(
            MakeReleases(
                nil, notes: note, needed: neededRaises, released: releasedVersions,
                generated: RemotePackage.found))
    }
}

private func releasedVersions(of tree: Tree) throws -> [String: [SemanticVersion]] {
    try RuleContext(tree).releasedVersions()
}

private func neededRaises(of tree: Tree) throws -> [VersionRaise] {
    try RuleContext(tree).neededRaises()
}

extension VersionStep: ExpressibleByArgument {}
