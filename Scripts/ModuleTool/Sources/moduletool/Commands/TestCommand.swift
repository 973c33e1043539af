import ArgumentParser
import Foundation
import ModuleFocus
import ModuleGraph
import ModuleKit
import ModuleTestCache
import ModuleTree

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs the test targets whose inputs have not passed yet.",
        discussion: """
            The inputs of a test target are its files, those of the targets that it links, manifests, pins, the \
            toolchain and what `reads` in \(Configuration.path) names. Once all tests of a target have run and passed, \
            a record under the digest of the inputs is stored, and the target does not run again until an input \
            changes. A target that may read other files always runs, until `reads` says what it reads. The results \
            are in a folder that all clones of this user share, or in another folder, or on a server, which gets the \
            token in \(HTTPStore.tokenVariable).

            Examples:
              modules test                          run what has not passed yet
              modules test --explain RideTests      show which inputs have changed
              modules test --cache /mnt/team/tests  share the results in a folder
              modules test --cache https://cache.example.com   or on a server for Bazel's caches
              modules test --all                    run everything, and report wrong records
              modules test --focus                  after an edit: in the package of `modules focus`, which builds
                faster; its results do not count for the tree's own packages
              modules test -- -c release            pass options to swift build
            """)

    @Option(
        help: ArgumentHelp(
            "The folder or server that stores the results; by default MODULES_TEST_CACHE.",
            valueName: "folder|url"))
    var cache: String?

    @Flag(inversion: .prefixedNo, help: "Store nothing; the default for a shared cache in pull requests.")
    var readOnly: Bool?

    @Flag(help: "Also run the targets whose result is known, and report those that fail.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Leave out targets that no change since this revision affects.", valueName: "revision"))
    var since: String?

    @Option(
        help: ArgumentHelp(
            "Show which inputs of a test target have changed, and run nothing.", valueName: "target"))
    var explain: String?

    @Flag(help: "List what would run, and run nothing.")
    var list = false

    @Flag(help: "Build the tests that would run, and run none.")
    var buildOnly = false

    @Option(
        help: ArgumentHelp("The package to test, from the root; by default the root.", valueName: "folder"))
    var package = ""

    @Flag(
        help: """
            Run the tests in the package that `modules focus` makes, with all packages or those of its last run. \
            Their results are stored, but do not count without this option.
            """)
    var focus = false

    @OptionGroup var tree: TreeOptions

    @Argument(parsing: .postTerminator, help: ArgumentHelp("Options for swift build.", valueName: "options"))
    var options: [String] = []

    func validate() throws {
        guard !focus || package.isEmpty else {
            throw ValidationError("--focus makes a package of its own. Give either --focus or --package.")
        }
    }

    func run() throws {
        let options = try SwiftOptions(self.options)
        guard !focus || !options.selectTraits else {
            throw ValidationError(
                "The package of a focus has no traits. Leave out --focus, or these options.")
        }
        let root = tree.rootPath()
        let place = PathText.join(root, focus ? FocusFolder.path : package)
        var made = focus ? try tree.makeFocus() : nil
        var read = try made?.tree ?? tree.read()
        var folder: BuildFolder?
        // The lock ends with this object.
        defer { withExtendedLifetime(folder) {} }
        if !list, explain == nil {
            var hasWaited = false
            let tested = try made?.package.name ?? tested(in: read).manifest.name
            folder = try BuildFolder(of: tested, in: place, options) { name in
                Main.complain(Main.named("another Scripts/modules test uses \(name); waiting for its end"))
                hasWaited = true
            }
            if hasWaited {
                if made != nil { made = try tree.makeFocus() }
                read = try made?.tree ?? tree.read()
            }
        }
        if made == nil { _ = try tested(in: read) }
        let machine = try machine()
        var all = try targets(in: read, machine, options, made)
        if try folder?.touch(all, in: root) == true {
            made?.acceptTime()
            all = try targets(in: read, machine, options, made)
        }
        guard made == nil || !all.isEmpty else {
            throw Diagnostic(
                .configuration, at: FocusFolder.path, "has no tests",
                why: "The packages of the last focus have none, or stay packages of their own.",
                fix: "Leave out --focus, or run: Scripts/modules focus --all")
        }
        var targets = all
        if let since {
            let affected = Set(try Affected(read, since: since).tests)
            targets = all.filter { affected.contains($0.name) }
        }
        if let explain {
            targets = all.filter { $0.name == explain }
            guard !targets.isEmpty else {
                throw Diagnostic(
                    .configuration, at: explain, "is not a test target here",
                    fix: Spelling.choice(for: explain, among: all.map(\.name)))
            }
        }
        let history = TestHistory(package: place)
        let before = explain == nil ? [] : history.changes(of: targets[0])
        let (store, isReadOnly) = try store()
        let plan = TestPlan(targets, all: self.all, store: store, isReadOnly: isReadOnly, history: history)
        if !buildOnly || list || explain != nil { show(plan) }
        if explain != nil {
            return before.filter { plan.states[0].state != .runs(reason: $0) }.forEach {
                print("       \($0)")
            }
        }
        guard let folder, !plan.wanted.isEmpty else { return }
        // Otherwise the output of swift would come before this list.
        fflush(nil)
        // The build gets a signal, also one that comes before it has started.
        let inputs = try self.plan(in: read, machine, options, made)
        let status = try Interruption.held {
            try folder.build(made == nil ? plan.wanted : all, of: all, from: inputs)
        }
        try Interruption.check("no test has run")
        try requireCurrent(made)
        if status != 0 { throw ExitCode(1) }
        if buildOnly { return }
        let run = try TestRun(folder, of: all, in: place, options)
        // An interruption ends the running tests, and leaves the results of those that have ended.
        try Interruption.held {
            var outcomes: [String: TestOutcome] = [:]
            for target in plan.wanted where !Interruption.isRequested {
                outcomes[target.name] = try run.run(target)
            }
            try requireCurrent(made)
            let after = try self.targets(
                in: tree.read(), self.machine(), options, made, only: Set(plan.wanted.map(\.name)))
            let hasFailed = show(plan.finish(outcomes, after: after, isCurrent: run.isCurrent))
            fflush(nil)
            try Interruption.check("the results of the targets that have passed are stored")
            if hasFailed { throw ExitCode(1) }
        }
    }

    private func store() throws -> (any ResultStore, isReadOnly: Bool) {
        let environment = ProcessInfo.processInfo.environment
        let variable = environment["MODULES_TEST_CACHE"] ?? ""
        let place = cache ?? (variable.isEmpty ? FolderStore.usual : variable)
        let warning = FirstWarning { Main.complain("warning: \($0)") }
        let isReadOnly = readOnly ?? (place != FolderStore.usual && HTTPStore.isPullRequest(environment))
        if place.hasPrefix("http://") || place.hasPrefix("https://") {
            let token = environment[HTTPStore.tokenVariable]
            return (HTTPStore(place, token: token, warning: warning), isReadOnly)
        }
        guard !place.contains("://"), !place.isEmpty else {
            throw Diagnostic(
                .configuration, at: "'\(place)'", "is neither a folder nor a server for HTTP",
                why: "The results would be stored in a folder of this name.",
                fix: "Give a folder, or an address that starts with http:// or https://.")
        }
        return (FolderStore(place, warning: warning), isReadOnly)
    }

    /// The package whose tests run.
    private func tested(in tree: Tree) throws -> LocalPackage {
        let found = tree.package(in: PathText.join("", package))
        if let found, found.targets.contains(where: { $0.kind == .test }) { return found }
        let others = tree.packages.filter { $0.targets.contains { $0.kind == .test } }
            .map { $0.path.isEmpty ? "--package ." : "--package \($0.path)" }
        throw Diagnostic(
            .configuration, at: package.isEmpty ? "the root" : package, "is not a package with tests",
            why: "The tests of one package run together.",
            fix: others.isEmpty
                ? "Add a test target." : Spelling.choice(for: "--package \(package)", among: others))
    }

    /// The toolchain with which the tests are built.
    private func machine() throws -> Machine { try Machine(in: PathText.join(tree.rootPath(), package)) }

    private func targets(
        in tree: Tree, _ machine: Machine, _ options: SwiftOptions, _ made: MadeFocus?,
        only wanted: Set<String>? = nil
    ) throws -> [TestTarget] {
        let inputs = try TestInputs(tree, machine: machine, options: options)
        guard let made else { return try inputs.targets(of: tested(in: tree), only: wanted) }
        return try inputs.targets(
            of: tree.package(in: made.focus.package.path) ?? made.focus.package, focus: made.tests,
            only: wanted)
    }

    /// What the plan of the build is made from, if that is known.
    private func plan(
        in tree: Tree, _ machine: Machine, _ options: SwiftOptions, _ made: MadeFocus?
    ) throws -> PlanInputs? {
        let packages = try made?.focus.packages ?? tree.dependencies(of: tested(in: tree))
        let folder = made == nil ? PathText.join("", package) : FocusFolder.path
        return PlanInputs(tree, of: packages, in: folder, machine: machine, options: options)
    }

    /// Throws if another command has changed the focus, because the build may lack tests of this one.
    private func requireCurrent(_ made: MadeFocus?) throws {
        guard let made, !made.isCurrent else { return }
        try Interruption.check("no result is stored")
        throw Diagnostic(
            .refused, at: FocusFolder.path, "another command has changed the focus during this run",
            why: "Tests of the other focus may have been built instead, so no result counts.",
            fix: "Run Scripts/modules focus NAME, and then Scripts/modules test --focus.")
    }

    // MARK: Output

    private func show(_ plan: TestPlan) {
        let states = plan.states
        let width = states.map(\.target.name.count).max() ?? 0
        for (target, state) in states {
            let name = target.name.padding(toLength: width, withPad: " ", startingAt: 0)
            switch state {
            case .known(let record): print("known  \(name)  passed in \(text(record.seconds))")
            case .runs(let reason): print("runs   \(name)  \(reason)")
            }
        }
        let hasKnown = plan.wanted.count < states.count
        let saved = hasKnown ? " When the others last ran, they took \(text(plan.knownSeconds))." : ""
        print("\(plan.wanted.count) of \(states.count) test targets have to run." + saved)
    }

    /// Prints what happened. Returns whether a target failed.
    private func show(_ verdicts: [(target: TestTarget, verdict: TestPlan.Verdict)]) -> Bool {
        var hasFailed = false
        print("")
        for (target, verdict) in verdicts {
            switch verdict {
            case .stored(let record):
                let tests = Spelling.count(record.tests, "test")
                print("passed \(target.name): \(tests) in \(text(record.seconds))")
            case .passed(let reason): print("passed \(target.name), not stored: \(reason)")
            case .failed(let reason, let tests):
                hasFailed = true
                print("failed \(target.name): \(reason)")
                tests.forEach { print("       \($0)") }
            case .hole(let tests):
                hasFailed = true
                print("failed \(target.name), although it was known to pass with the same inputs")
                tests.forEach { print("       \($0)") }
                print(
                    """
                      why:  It depends on something that is not an input, or fails now and then.
                      fix:  List what it reads under `reads` in \(Configuration.path), or make it reliable.
                    """)
            }
        }
        return hasFailed
    }

    private func text(_ seconds: Double) -> String { String(format: "%.1f s", seconds) }
}
