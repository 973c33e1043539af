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
            import; all other pairs are left out. If a manifest, the configuration or the list of modules changes \
            afterwards, the package does not build until `modules focus` is run again.

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
        let last = names.isEmpty ? try folder.arguments.map { try Self.parse($0) } : nil
        let (names, callers) = (last?.names ?? names, callers || last?.callers == true)
        guard !names.isEmpty else {
            throw Diagnostic(
                .configuration, "no pairs were given", why: "there is no package in \(FocusFolder.path) yet",
                fix: "modules focus NAME")
        }
        let read = try tree.read()
        let focus = try Focus(on: names, callers: callers, in: read)
        try folder.make(focus, arguments: names + (callers ? ["--callers"] : []))
        print(summary(focus, of: names, pairs: read.packages.count { $0.role == .imp }))
        let tests = focus.targets.contains { $0.target.kind == .test }
        print("Next: swift \(tests ? "test" : "build") --package-path \(FocusFolder.path)")
        for app in focus.targets where app.target.kind == .executable {
            print("Next: swift run --package-path \(FocusFolder.path) \(app.target.name)")
        }
    }

    private func summary(_ focus: Focus, of names: [String], pairs: Int) -> String {
        let others = focus.imps.map(\.name).filter { !names.contains($0) }
        let apps = focus.targets.map(\.target).filter { $0.kind == .executable }.map(\.name)
        return "Created \(FocusFolder.path) with \(names.joined(separator: ", "))"
            + (others.isEmpty ? "" : ", called by \(others.joined(separator: ", "))")
            + (apps.isEmpty ? "" : ", and the app \(apps.joined(separator: ", "))")
            + ". \(pairs - focus.imps.count) of \(pairs) pairs are left out."
    }
}
