import Foundation

/// The benchmarks of an edit in a large tree: the cost of the next SwiftPM command.
func editBenchmarks() -> [Benchmark] {
    let trees = EditedTrees()
    return times(
        "edit: an IMP of 250, in a focus on all", against: "in the root", clock: .milliseconds(4000), runs: 3
    ) { try trees.build(EditedTrees.all) }
        + times(
            "edit: an IMP of 250, --product, in a focus on all", against: "in the root",
            processor: .ratio(1.0 / 10), runs: 3
        ) { try trees.build(EditedTrees.app) }
        + times(
            "edit: none, --product, in a focus on all", against: "in the root",
            processor: .ratio(1.0 / 10), runs: 3
        ) { try trees.unchangedApp() }
        + times(
            "edit: none, the app of 250 pairs in a new terminal, with the making of a focus on all",
            against: "in the root", processor: .ratio(1.0 / 5), runs: 1
        ) { try trees.firstCommand() }
        + times(
            "edit: an IMP of 250, its tests, in a focus on all", against: "in the root", runs: 3
        ) { try trees.build(EditedTrees.tests) }
        + times(
            "edit: an IMP of 250, its tests, in a focus on it", against: "in a focus on all", runs: 3
        ) { try trees.testsInSmallFocus() }
        + times("edit: an IMP of 400, the app in a focus", against: "the root with 1 of 40 traits", runs: 1) {
            try trees.appsOfGroup()
        }
        + times("edit: a pair of 250, the app in the root", against: "direct imports", runs: 3) {
            try trees.apps()
        }
        + [
            Benchmark(
                "edit: a pair of 250, modules compiled for the app", against: "direct imports",
                limit: .amount(2), measure: .amount(unit: ""), runs: 1
            ) {
                let (pairs, direct) = try trees.apps()
                let ours = Double(pairs.compiled.count)
                return .init(ours: ours, baseline: Double(direct.compiled.count), value: ours)
            }
        ]
}

/// Two benchmarks of the same runs: one of wall-clock time, for which developers wait, and one of processor time, which
/// other work on the machine affects less.
private func times(
    _ name: String, against baseline: String, clock: Benchmark.Limit = .none,
    processor: Benchmark.Limit = .none, runs: Int, sample: @escaping () throws -> (ours: Run, baseline: Run)
) -> [Benchmark] {
    var samples: [(ours: Run, baseline: Run)] = []
    func benchmark(_ kind: String, _ limit: Benchmark.Limit, _ time: KeyPath<Run, Double>) -> Benchmark {
        var index = 0
        return Benchmark("\(name), \(kind)", against: baseline, limit: limit, runs: runs) {
            if index == samples.count { samples.append(try sample()) }
            defer { index += 1 }
            let (ours, baseline) = (
                samples[index].ours[keyPath: time], samples[index].baseline[keyPath: time]
            )
            return .init(
                ours: ours, baseline: baseline, value: limit.isAbsolute ? ours / 1e6 : ours / baseline)
        }
    }
    return [
        benchmark("clock", clock, \.clockNanoseconds), benchmark("processor", processor, \.nanoseconds),
    ]
}

/// Trees with one edited module, built on first use.
private final class EditedTrees {
    private let trees = CheckedTrees()
    private lazy var direct = Swift.Result {
        try GeneratedTree(pairs: 250, in: trees.folder, tool: trees.tool(.standard), isDirect: true)
    }

    /// The edited module, which ten others call. The edit adds a private function.
    private static let name = GeneratedTree.name(13)
    private var isBuilt: Set<String> = []
    /// The last selection of `modules focus`, by folder.
    private var focused: [String: String] = [:]
    private var edits = 0

    /// Runs a command after an edit of the IMP, in a focus on all pairs and in the root.
    func build(_ arguments: [String]) throws -> (ours: Run, baseline: Run) {
        let tree = try trees.tree(250)
        let packages = [try focus("--all", in: tree), tree.folder]
        try prepare(arguments, in: packages)
        try edit(tree)
        return (try swift(arguments, in: packages[0]), try swift(arguments, in: packages[1]))
    }

    /// Builds the app when nothing has changed.
    func unchangedApp() throws -> (ours: Run, baseline: Run) {
        let tree = try trees.tree(250)
        let packages = [try focus("--all", in: tree), tree.folder]
        // The first build has compiled the edits of other benchmarks.
        for _ in 1...2 { _ = try packages.map { try Run(command(Self.app, in: $0), allowing: [0]) } }
        let runs = try packages.map { try Run(command(Self.app, in: $0), allowing: [0]) }
        return (runs[0], runs[1])
    }

    /// Builds the unchanged app in an environment in which SwiftPM has not evaluated the manifests. Ours includes the
    /// command that makes the focus.
    func firstCommand() throws -> (ours: Run, baseline: Run) {
        _ = try unchangedApp()
        let tree = try trees.tree(250)
        let environment = ["TERMINAL": UUID().uuidString]
        let made = try Run(
            [trees.tool(.standard), "focus", "--all", "--root", tree.folder.path], allowing: [0])
        let runs = try [try focus("--all", in: tree), tree.folder].map {
            try Run(command(Self.app, in: $0), environment: environment, allowing: [0])
        }
        return (made + runs[0], runs[1])
    }

    /// Tests the edited IMP, in a focus on this IMP and in a focus on all pairs.
    func testsInSmallFocus() throws -> (ours: Run, baseline: Run) {
        let tree = try trees.tree(250)
        let runs = try ["--all", Self.name].map { selection in
            let package = try focus(selection, in: tree)
            // The focuses share a build folder, so the first build after a change of focus does more than an edit.
            _ = try Run(command(Self.tests, in: package), allowing: [0])
            try edit(tree)
            return try swift(Self.tests, in: package)
        }
        _ = try focus("--all", in: tree)
        return (runs[1], runs[0])
    }

    /// Builds the app with the edited module, in a tree of pairs and in a tree of direct imports.
    func apps() throws -> (ours: Run, baseline: Run) {
        let (pairs, direct) = (try trees.tree(250), try direct.get())
        for tree in [pairs, direct] {
            try prepare(Self.app, in: [tree.folder])
            try edit(tree)
        }
        return (try swift(Self.app, in: pairs.folder), try swift(Self.app, in: direct.folder))
    }

    /// Builds the app with the edited module, in a focus and in a root with only the ten pairs of the module's trait.
    func appsOfGroup() throws -> (ours: Run, baseline: Run) {
        let tree = try trees.tree(400)
        let focus = try focus(Self.name, in: tree)
        let group = Self.app + ["--disable-default-traits", "--traits", "Group001"]
        try prepare(Self.app, in: [focus])
        try prepare(group, in: [tree.folder])
        try edit(tree)
        return (try swift(Self.app, in: focus), try swift(group, in: tree.folder))
    }

    /// For this command, SwiftPM keeps its plan. With `--product`, it evaluates the package graph each time.
    fileprivate static let all = ["build"]
    fileprivate static let app = all + ["--product", "Shell"]
    fileprivate static let tests = ["test", "--filter", "\(name)Tests"]

    /// The package of a focus. All focuses of a tree are in one folder, so each replaces the last.
    private func focus(_ selection: String, in tree: GeneratedTree) throws -> URL {
        let folder = tree.folder.appending(path: ".modules/in-focus")
        if focused.updateValue(selection, forKey: folder.path) != selection {
            _ = try Run(
                [trees.tool(.standard), "focus", selection, "--root", tree.folder.path], allowing: [0])
        }
        return folder
    }

    /// Runs a command once in each package.
    private func prepare(_ arguments: [String], in packages: [URL]) throws {
        for package in packages where isBuilt.insert(package.path + arguments.description).inserted {
            _ = try Run(command(arguments, in: package), allowing: [0])
        }
    }

    private func edit(_ tree: GeneratedTree) throws {
        // The compiler can miss an edit that is made within the same second as the previous build.
        Thread.sleep(forTimeInterval: 1.1)
        let file = tree.folder.appending(
            path: "Packages/Business/\(Self.name)/Sources/\(Self.name)/\(Self.name)Service.swift")
        edits += 1
        let text = try String(contentsOf: file, encoding: .utf8)
        try (text.replacing(/private func edit\d+\(\) {}\n/, with: "") + "private func edit\(edits)() {}\n")
            .write(to: file, atomically: true, encoding: .utf8)
    }

    private func command(_ arguments: [String], in package: URL) -> [String] {
        // Without this variable, SwiftPM orders the traits at random, and a new order compiles everything in the root.
        [
            "/usr/bin/env", "SWIFT_DETERMINISTIC_HASHING=1", "swift", arguments[0], "--package-path",
            package.path,
        ] + arguments.dropFirst()
    }

    /// Runs a command, and throws unless the command compiled the edited module.
    private func swift(_ arguments: [String], in package: URL) throws -> Run {
        let run = try Run(
            command(arguments, in: package), allowing: [0],
            output: trees.folder.appending(path: "output").path)
        guard run.compiled.contains(Self.name) else {
            throw Run.Failure(description: "The edit was not compiled.")
        }
        return run
    }
}
