import ArgumentParser
import ModuleFocus
import ModuleKit

struct FocusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus",
        abstract:
            "Creates one package of the app, all its pairs or a few, and their tests. It builds fast even in a large tree.",
        discussion: """
            The package is in \(FocusFolder.path); open it with `swift` or Xcode. Its sources are the \
            tree's own files, and the targets of all packages are its own targets. With names, it contains the named \
            pairs, their tests, the app, and the Apis and libraries that these import; another pair belongs to it only \
            if the app imports it without a trait. Commands that edit the tree create the package again. If a manifest, \
            the configuration or the list of modules changes otherwise, the package does not build until \
            `modules focus` is run again.

            Examples:
              modules focus --all            work on the whole app
              modules focus Ride             work on one pair
              modules focus Ride --callers   with the pairs that call it, to change its Api
              modules focus                  recreate the package with the same pairs
            """)

    /// The command as the user starts it.
    static var command: String { Main.named("Scripts/modules focus") }

    @Argument(help: "The pairs; by default those of the previous run.", completion: .pairs)
    var names: [String] = []

    @Flag(help: "All packages that the app depends on, with all tests.")
    var all = false

    @Flag(help: "Also keep the pairs that call the named ones, with their tests.")
    var callers = false

    @OptionGroup var tree: TreeOptions

    func validate() throws {
        guard !all || names.isEmpty && !callers else {
            throw ValidationError("--all includes all pairs. Give either --all or names.")
        }
    }

    func run() throws {
        let given = names + (callers ? ["--callers"] : []) + (all ? ["--all"] : [])
        let last = names.isEmpty && !all ? try FocusFolder(root: tree.rootURL()).arguments() : []
        guard !names.isEmpty || all || !last.isEmpty else {
            throw Diagnostic(
                .configuration, "no pairs were given", why: "There is no package in \(FocusFolder.path) yet.",
                fix: "Name a pair, or pass --all: Scripts/modules focus NAME")
        }
        guard !callers || !last.contains("--all") else {
            throw ValidationError("The last focus has all pairs. Name the pairs whose callers you need.")
        }
        let made = try tree.makeFocus(given)
        let pairs =
            made.focus.imps.map { $0.map(\.name).joined(separator: ", ") }
            ?? "all packages that it depends on"
        print("Created \(FocusFolder.path) with the app and \(pairs).")
        for (package, reason) in made.staying {
            print("\(package.path) stays a package of its own: \(reason).")
        }
        let tests = made.package.targets.contains { $0.kind == .test }
        print("Next: swift \(tests ? "test" : "build") --package-path \(FocusFolder.path)")
        for program in made.package.programs {
            print("Next: swift run --package-path \(FocusFolder.path) \(program)")
        }
    }
}

extension TreeOptions {
    /// Makes the package of a focus.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of `modules focus`; without names, the last focus is made again, or one on all.
    ///   - isAfterEdit: Whether a command has just edited the tree, so that a focus whose pairs it has removed is deleted.
    func makeFocus(_ arguments: [String] = [], isAfterEdit: Bool = false) throws -> MadeFocus {
        let made = try MadeFocus(
            arguments, isAfterEdit: isAfterEdit, at: rootURL(), command: FocusCommand.command,
            onWait: EditOptions.sayWaiting
        ) { try read() }
        if !made.removed.isEmpty {
            let names = made.removed.joined(separator: " and ")
            Main.complain("note: the focus continues without \(names), which this tree no longer has")
        }
        return made
    }
}
