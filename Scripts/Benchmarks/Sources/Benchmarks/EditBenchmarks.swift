import Foundation

/// The benchmarks of an edit in a large tree: the cost of the next SwiftPM command.
func editBenchmarks() -> [Benchmark] {
    let trees = EditedTrees()
    return times(
        "edit: an IMP of 250, its tests after a build of the app, in a focus", against: "in the root",
        limit: .ratio(1.0 / 8), runs: 1
    ) { try trees.tests(afterApp: true) }
        + times("edit: an IMP of 250, its tests again, in a focus", against: "in the root", runs: 3) {
            try trees.tests()
        }
        + times("edit: an IMP of 400, the app in a focus", against: "the root with 1 of 40 traits", runs: 1) {
            try trees.appsOfGroup()
        }
        + times("edit: a pair of 250, the app", against: "direct imports", runs: 3) { try trees.apps() }
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

/// Two benchmarks of the same runs: one of wall-clock time, to which the limit applies because developers wait for it,
/// and one of processor time, which other work on the machine affects less.
private func times(
    _ name: String, against baseline: String, limit: Benchmark.Limit = .none, runs: Int,
    sample: @escaping () throws -> (ours: Run, baseline: Run)
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
            return .init(ours: ours, baseline: baseline, value: ours / baseline)
        }
    }
    return [
        benchmark("clock", limit, \.clockNanoseconds), benchmark("processor", .none, \.nanoseconds),
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
    private var edits = 0

    /// Tests the edited IMP, in a focus and in the root.
    ///
    /// - Parameter afterApp: Whether to build the app before each test, as `swift run` does.
    func tests(afterApp: Bool = false) throws -> (ours: Run, baseline: Run) {
        let tree = try trees.tree(250)
        let packages = [try focus(in: tree), tree.folder]
        try prepare(Self.tests, in: packages)
        if afterApp { for package in packages { _ = try Run(command(Self.app, in: package), allowing: [0]) } }
        try edit(tree)
        return (try swift(Self.tests, in: packages[0]), try swift(Self.tests, in: packages[1]))
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
        let focus = try focus(in: tree)
        let group = Self.app + ["--disable-default-traits", "--traits", "Group001"]
        try prepare(Self.app, in: [focus])
        try prepare(group, in: [tree.folder])
        try edit(tree)
        return (try swift(Self.app, in: focus), try swift(group, in: tree.folder))
    }

    private static let app = ["build", "--product", "Shell"]
    private static let tests = ["test", "--filter", "\(name)Tests"]

    private func focus(in tree: GeneratedTree) throws -> URL {
        let folder = tree.folder.appending(path: ".modules/in-focus")
        if isBuilt.insert(folder.path).inserted {
            _ = try Run(
                [trees.tool(.standard), "focus", Self.name, "--root", tree.folder.path], allowing: [0])
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
        ["/usr/bin/env", "swift", arguments[0], "--package-path", package.path] + arguments.dropFirst()
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
