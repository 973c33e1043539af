import ArgumentParser
import Foundation
import ModuleKit
import ModuleScaffold

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sets up module pairs, in an empty folder or in a repository with an app.",
        discussion: """
            In an empty folder, creates a working repository: an app, one pair, the configuration, VERSIONS.md, a \
            workflow for GitHub, and the script Scripts/modules. In a repository with packages or an Xcode project, \
            writes a configuration with a layer for each folder that contains packages, and the package \
            Apps/AppModules, which links the pairs. If several folders contain libraries, it prints the layers for \
            you to put in order. It changes no existing sources, and changes a manifest only to link that package.

            ApiCenter, Lifecycle, Launch and Routes come as copies from the tool's own repository, or by URL and version from \
            repositories that `modules export` made.

            Examples:
              modules init --app Acme              in the current folder
              modules init acme --app Acme --packages "https://github.com/acme/{name}"
              modules init acme --app Acme --check-builds
              modules init acme --app Acme --no-versions
              modules init acme --app Acme --ios
              modules init ~/old --dry-run         what would change
            """)

    @Argument(help: "The folder; by default the current folder.")
    var folder: String?

    @Option(help: "The name of the app; optional in a repository with one app.")
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The origin of the packages and the tool: 'copy', or an address template.",
            valueName: "copy|template"))
    var packages = "copy"

    @Flag(
        help: "Check imports, layers and registrations in each build of the app: adds the plugin ModuleCheck."
    )
    var checkBuilds = false

    @Flag(
        help: """
            The app ships as one: its packages get no versions, no VERSIONS.md and no change notes.
            """)
    var noVersions = false

    @Flag(
        name: .customLong("ios"),
        help: """
            Write the app in SwiftUI too: its entry, a window, and a screen with a preview. A target of an Xcode \
            project starts it.
            """)
    var isForIOS = false

    @OptionGroup var options: EditOptions

    func run() throws {
        var options = options
        // Otherwise, the root would be the launcher's repository.
        options.tree.root = folder ?? options.tree.root ?? "."
        try options.make(
            InitTree(
                app: app, starter: try OriginOptions.packages(packages), checksBuilds: checkBuilds,
                versions: noVersions ? .none : .table, isForIOS: isForIOS))
        // Without a repository, the rules about versions could not be checked.
        let root = options.tree.rootPath()
        let existing = sequence(first: root) { $0.isEmpty ? nil : PathText.split($0).folder }
            .first(where: FileManager.default.fileExists)
        guard try Git.output(["rev-parse", "--git-dir"], in: existing ?? "/").status != 0 else {
            return
        }
        if options.dryRun { return print("Without --dry-run, init would also run: git init") }
        print("Ran git init, because the folder was not in a git repository.")
        let made = try Git.output(["init", "--quiet", "--initial-branch=main"], in: root)
        guard made.status == 0 else {
            throw Diagnostic(
                .environment, at: root, "git init failed: \(made.standardError)",
                why: "The rules about versions read git's history.", fix: "Run: git -C \(root) init")
        }
    }
}
