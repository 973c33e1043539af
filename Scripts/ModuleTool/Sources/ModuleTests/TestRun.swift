import Foundation
import ModuleTree

/// One run of some test targets of a package, by `swift build` and `swift test`.
package struct TestRun {
    /// The exit status of `swift build` or `swift test`.
    package private(set) var status: Int32 = 0
    /// Whether the tests were built.
    package private(set) var isBuilt = true
    /// The outcomes by the name of the target's module; empty if it is unknown which tests failed.
    package private(set) var outcomes: [String: TestOutcome] = [:]

    init(status: Int32, outcomes: [String: TestOutcome]) { (self.status, self.outcomes) = (status, outcomes) }

    /// Builds the package with all its tests, and runs the tests of some targets. The output of both is shown.
    ///
    /// - Parameters:
    ///   - targets: The targets to test.
    ///   - all: The modules of all test targets of the package.
    ///   - folder: The absolute path of the package.
    ///   - options: The options for `swift test`; `swift build` gets those that are not about running tests.
    package init(_ targets: [TestTarget], of all: Set<String>, in folder: String, options: [String]) throws {
        let shared = options.filter { !["--parallel", "--no-parallel"].contains($0) }
        let names = Set(targets.flatMap(\.tests)).sorted().joined(separator: ",")
        // SwiftPM passes traits to the compiler in the order of a hash table. Without this variable, the order would
        // differ from build to build, and everything that has traits would be compiled again. Tests run without it.
        let variables = ["SWIFT_DETERMINISTIC_HASHING=1", "\(ManifestVariables.testTargets)=\(names)"]
        status = try Command.show(variables + ["swift", "build", "--build-tests"] + shared, in: folder).status
        isBuilt = status == 0
        guard isBuilt else { return }
        let list = try Command.run(["swift", "test", "list", "--skip-build"] + shared, in: folder)
        status = list.status
        guard status == 0 else { return }
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "moduletool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let modules = Set(targets.map(\.module))
        // A filter for the targets would leave out their tests in extensions of types of other modules.
        let others = all.subtracting(modules).sorted().joined(separator: "|")
        let arguments =
            ["swift", "test", "--skip-build"] + options
            + (others.isEmpty ? [] : ["--skip", "^(\(others))\\."])
            + ["--event-stream-output-path", scratch.path, "--event-stream-version", "0"]
        let output = try Command.show(arguments, in: folder)
        status = output.status
        let stream = FileManager.default.contents(atPath: scratch.path) ?? Data()
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
        for option in options {
            let name = String(option.prefix { $0 != "=" })
            guard refused.contains(name) else { continue }
            throw Diagnostic(
                .configuration, at: name, "cannot be used here",
                why: "a result is stored only if all tests of a target ran with the current files",
                fix: "remove \(name), or use swift test itself")
        }
    }
}
