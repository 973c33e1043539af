import ArgumentParser
import ModuleTree

struct FocusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus",
        abstract:
            "Creates a package of the app, a few pairs and their tests. It builds fast even in a large tree.",
        discussion: """
            The package is in \(FocusFolder.path); open it with `swift` or Xcode. Its sources are the \
            tree's own files. It keeps the named pairs, their tests, the app, and the Apis and libraries that these \
            import. Another pair stays only if the app imports it without a trait. If a manifest, the configuration \
            or the list of modules changes afterwards, the package does not build until `modules focus` is run again.

            Examples:
              modules focus Ride             work on one pair
              modules focus Ride --callers   with the pairs that call it, to change its Api
              modules focus                  recreate the package with the same pairs
            """)

    @Argument(help: "The pairs; by default those of the previous run.")
    var names: [String] = []

    @Flag(help: "Also keep the pairs that call the named ones, with their tests.")
    var callers = false

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let folder = FocusFolder(root: tree.rootURL())
        let last = names.isEmpty ? try folder.arguments() : []
        let names = names + last.filter { $0 != "--callers" }
        let callers = callers || last.contains("--callers")
        guard !names.isEmpty else {
            throw Diagnostic(
                .configuration, "no pairs were given", why: "there is no package in \(FocusFolder.path) yet",
                fix: "Scripts/modules focus NAME")
        }
        let focus = try Focus(on: names, callers: callers, in: try tree.read())
        try folder.make(focus, arguments: names + (callers ? ["--callers"] : []))
        let pairs = focus.imps.map(\.name).joined(separator: ", ")
        print("Created \(FocusFolder.path) with the app and \(pairs).")
        let tests = focus.targets.contains { $0.target.kind == .test }
        print("Next: swift \(tests ? "test" : "build") --package-path \(FocusFolder.path)")
        for app in focus.targets where app.target.kind == .executable {
            print("Next: swift run --package-path \(FocusFolder.path) \(app.target.name)")
        }
    }
}
