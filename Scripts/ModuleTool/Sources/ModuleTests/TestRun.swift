import Foundation
import ModuleTree

/// One run of some test targets of a package, by `swift test`.
package struct TestRun {
    /// The exit status of `swift test`.
    package private(set) var status: Int32 = 0
    /// The outcomes by the name of the target's module; empty if it is unknown which tests failed.
    package private(set) var outcomes: [String: TestOutcome] = [:]

    init(status: Int32, outcomes: [String: TestOutcome]) { (self.status, self.outcomes) = (status, outcomes) }

    /// Builds a package with some of its tests, and returns the exit status of `swift build`, whose output is shown.
    ///
    /// Test targets that were built before stay in the build, so that the variable with their names keeps its value: for
    /// each new value, SwiftPM evaluates all manifests again, which takes longer than compiling a few targets.
    ///
    /// - Parameters:
    ///   - targets: The targets to test.
    ///   - package: All test targets of the package.
    ///   - folder: The absolute path of the package.
    ///   - options: The options for `swift test`; `swift build` gets those that are not about running tests.
    package static func build(
        _ targets: [TestTarget], of package: [TestTarget], in folder: String, options: [String]
    ) throws -> Int32 {
        let scratch = PathText.join(folder, options.scratchPath)
        let modules = ["debug", "release"].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: "\(scratch)/\($0)/Modules")) ?? []
        }
        let built = package.filter { modules.contains($0.module + ".swiftmodule") }
        let (all, names) = (Set(package.flatMap(\.tests)), Set((targets + built).flatMap(\.tests)))
        let some = "\(ManifestVariables.testTargets)=\(names.sorted().joined(separator: ","))"
        // SwiftPM passes traits to the compiler in the order of a hash table. Without this variable, the order would
        // differ from build to build, and everything that has traits would be compiled again. Tests run without it.
        let variables = ["SWIFT_DETERMINISTIC_HASHING=1"] + (names == all ? [] : [some])
        let arguments = variables + ["swift", "build", "--build-tests"] + options.forBuilds
        return try Command.show(arguments, in: folder).status
    }

    /// Runs the tests of some targets of a package that is built. The output is shown.
    package init(
        _ targets: [TestTarget], of package: [TestTarget], in folder: String, options: [String]
    ) throws {
        let list = try Command.run(["swift", "test", "list", "--skip-build"] + options.forBuilds, in: folder)
        status = list.status
        guard status == 0 else { return }
        let events = FileManager.default.temporaryDirectory.appending(path: "moduletool-\(UUID())")
        defer { try? FileManager.default.removeItem(at: events) }
        let (modules, all) = (Set(targets.map(\.module)), Set(package.map(\.module)))
        // A filter for the targets would leave out their tests in extensions of types of other modules.
        let others = all.subtracting(modules).sorted().joined(separator: "|")
        let arguments =
            ["swift", "test", "--skip-build"] + options
            + (others.isEmpty ? [] : ["--skip", "^(\(others))\\."])
            + ["--event-stream-output-path", events.path, "--event-stream-version", "0"]
        let output = try Command.show(arguments, in: folder)
        status = output.status
        let stream = FileManager.default.contents(atPath: events.path) ?? Data()
        outcomes = Self.outcomes(
            status: status, stream: stream, text: output.text, list: list.text, modules: modules, all: all)
    }

    /// Whether each target has passed, from everything that a run has written.
    ///
    /// - Parameters:
    ///   - modules: The modules of the targets that were to run.
    ///   - all: The modules of all test targets of the package. Tests in other modules, such as a library with tests,
    ///     count for every target.
    /// - Returns: Nothing if a failure belongs to no test, for example after a crash.
    static func outcomes(
        status: Int32, stream: Data, text: String, list: String, modules: Set<String>, all: Set<String>
    ) -> [String: TestOutcome] {
        let events = TestEvents(stream)
        var xctest = XCTestOutput(text, list: list, modules: modules).outcomes
        // XCTest does not say whether its process ended by itself: another failure would hide a crash.
        if status != 0 { for module in xctest.keys { xctest[module]?.passed = [] } }
        var outcomes = events.outcomes.merging(xctest) { $0.joined($1) }
        for (module, shared) in outcomes where !all.contains(module) {
            for target in modules { outcomes[target] = (outcomes[target] ?? .init()).joined(shared) }
        }
        let isExplained = status == 0 || outcomes.values.contains { !$0.failed.isEmpty }
        return events.isWhole && isExplained ? outcomes : [:]
    }

    /// The options that would leave out tests, test something other than the current files, or that `swift build` rejects.
    private static let refused = [
        "--filter", "--skip", "--specifier", "-s", "--skip-build", "--package-path", "--list-tests", "-l",
        "--disable-xctest", "--disable-swift-testing", "--xunit-output", "--event-stream-output-path",
        "--event-stream-version", "--test-product", "--num-workers", "--attachments-path", "list", "last",
    ]

    /// Refuses options with which a passed run would say less than "all tests of these files pass".
    package static func check(_ options: [String]) throws {
        for option in options where refused.contains(String(option.prefix { $0 != "=" })) {
            throw Diagnostic(
                .configuration, at: option, "cannot be used here",
                why: "a result is stored only if all tests of a target ran with the current files",
                fix: "remove \(option), or use swift test itself")
        }
    }
}

extension [String] {
    /// The build folder that these options of `swift` name.
    var scratchPath: String {
        firstIndex(of: "--scratch-path").flatMap { dropFirst($0 + 1).first } ?? ".build"
    }

    /// Those of these options of `swift test` that `swift build` accepts.
    fileprivate var forBuilds: [String] { filter { !["--parallel", "--no-parallel"].contains($0) } }
}
