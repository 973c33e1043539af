import Foundation
import ModuleKit

/// The built tests of a package, which run target by target: each in processes of its own.
///
/// The tests of a target whose result may be stored have an environment, a home and a temporary folder of their own, so
/// that there is little to read that is not an input.
package struct TestRun {
    private let bundle: String, package: String
    private let options: SwiftOptions
    /// The modules of all test targets by the names of the targets.
    private let modules: [String: String]
    /// The tests of XCTest, such as `GateTests.LedgerTests/testSave`.
    private let xctest: Set<String>
    private let built: [String: FileTimes?]

    /// - Parameters:
    ///   - all: All test targets of the package.
    ///   - package: The absolute path of the package.
    package init(_ folder: BuildFolder, of all: [TestTarget], in package: String, _ options: SwiftOptions)
        throws
    {
        (bundle, self.package, self.options) = (folder.bundle, package, options)
        built = Self.times(of: bundle)
        modules = Dictionary(all.map { ($0.name, $0.module) }) { first, _ in first }
        #if canImport(Darwin)
        let command = ["swift", "test", "list", "--skip-build"] + options.forBuilds + SwiftOptions.planning
        #else
        let command = [bundle, "--list-tests"]
        #endif
        let list = try Command.run(command, in: package)
        guard list.status == 0 else {
            throw Diagnostic(
                .environment, at: bundle, "does not list its tests: \(list.standardError)",
                why: "A target has passed only if all its tests have.", fix: "Run: swift test list")
        }
        xctest = Set(XCTestOutput.tests(in: list.text))
    }

    /// Whether no other build has replaced the tests.
    package var isCurrent: Bool { FileTimes(bundle) != nil && Self.times(of: bundle) == built }

    /// The times of the built tests and of the libraries beside them. On macOS, the tests are a folder, whose own times
    /// stay the same when the program in it is replaced.
    private static func times(of bundle: String) -> [String: FileTimes?] {
        let folder = PathText.split(bundle).folder
        let libraries = Command.names(in: folder)
        let inside = FileManager.default.enumerator(atPath: bundle)?.compactMap { $0 as? String } ?? []
        let paths =
            libraries.filter { [".so", ".dylib"].contains(where: $0.hasSuffix) }.map { "\(folder)/\($0)" }
            + inside.map { "\(bundle)/\($0)" } + [bundle]
        return Dictionary(paths.map { ($0, FileTimes($0)) }) { first, _ in first }
    }

    /// Runs the tests of a target, and shows the output.
    ///
    /// - Returns: Nil after an interrupt.
    package func run(_ target: TestTarget) throws -> TestOutcome? {
        // Tests may create sockets in this folder, whose paths may have about a hundred bytes.
        let place = FileManager.default.temporaryDirectory
            .appending(path: "mt-" + String(UInt32.random(in: .min ... .max), radix: 36)).path
        defer { try? FileManager.default.removeItem(atPath: place) }
        for folder in ["home", "tmp", "work"] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/\(folder)", withIntermediateDirectories: true)
        }
        var variables = target.environment.merging([
            "HOME": place + "/home", "CFFIXED_USER_HOME": place + "/home", "TMPDIR": place + "/tmp",
            "TZ": "UTC", "LANG": "C.UTF-8",
        ]) { first, _ in first }
        variables["PATH"] = Command.environment["PATH"]
        // A target that always runs may read what the tool does not know.
        if target.alwaysRuns != nil {
            variables = Command.environment
            // As `swift test` does.
            if isatty(STDOUT_FILENO) == 0 { variables["NO_COLOR"] = "1" }
        }
        let working = target.alwaysRuns == nil && !target.isListed ? place + "/work" : package

        // A test in an extension of a linked target's type has the name of that target's module. A test in a library
        // belongs to every target.
        let others = modules.filter { !target.tests.contains($0.key) }.values.sorted()
        let skip = others.isEmpty ? [] : ["--skip", "^(\(others.joined(separator: "|")))\\."]
        let mine = xctest.filter { test in !others.contains(String(test.prefix { $0 != "." })) }
        let events = [
            "--event-stream-output-path", place + "/events", "--event-stream-version", "0",
        ]
        var results: [(status: Int32, text: String, process: Int32)] = []
        let start = ContinuousClock.now
        for command in commands(skip + events, xctest: mine) where !Interruption.isRequested {
            results.append(try Command.show(command, in: working, variables))
        }
        guard !Interruption.isRequested, let first = results.first, let last = results.last else {
            return nil
        }
        let stream = FileManager.default.contents(atPath: place + "/events") ?? Data()
        var outcome = TestEvents(stream).outcome(status: first.status)
        if !mine.isEmpty {
            outcome = outcome.joined(XCTestOutput(last.text).outcome(of: mine, status: last.status))
        }
        outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
        return outcome
    }

    /// The commands that start Swift Testing and then XCTest.
    private func commands(_ arguments: [String], xctest: Set<String>) -> [[String]] {
        #if canImport(Darwin)
        // SwiftPM finds the programs in Xcode that load a test bundle. They run in the folder of the package.
        return [
            ["swift", "test", "--skip-build", "--package-path", package] + options.forBuilds
                + SwiftOptions.planning + options.forTests + arguments
        ]
        #else
        let classes = Set(xctest.map { String($0.prefix { $0 != "/" }) }).sorted().joined(separator: ",")
        return [[bundle, "--testing-library", "swift-testing"] + options.forTests + arguments]
            + (classes.isEmpty ? [] : [[bundle, classes]])
        #endif
    }
}
