import Foundation

/// Changes one operator, constant or statement of a package at a time, and reports the changes that no test notices.
@main struct Mutate {
    static let help = """
        Changes a package's sources, one change at a time, in a copy of the tree, and reports the changes that no test notices.

        usage: Scripts/mutate PACKAGE... [--count N] [--seed N] [--limit SECONDS] [--minimum PERCENT] [--file NAME]
                              [--again REPORT] [--tests FOLDER] [--filter TESTS] [--quick] [--root]
          PACKAGE             the folder of a package, such as Packages/Base/Routes. Several packages are built at once, with
                              --quick, in the package around them, which has to declare their test targets
          --count N           the number of changes of each package that compile; 40 by default
          --seed N            chooses the changes; 1 by default
          --limit SECONDS     the time after which tests count as hung; 300 by default. The root's tests have three times as much
          --minimum PERCENT   fail if a smaller part of the changes is noticed; 95 by default
          --file NAME         change only the source files with this name, or in folders with it
          --again REPORT      make only the changes that this file, the output of an earlier run, lists as not noticed
          --tests FOLDER      run the tests of the package in this folder; PACKAGE by default
          --filter TESTS      run only the tests that this expression finds, as in swift test. What they do not notice can be
                              judged by all tests with --again
          --quick             make only changes that need no build of their own
          --root              run the root's tests for a change that the package's own tests do not notice
        Scripts/Mutate/equivalent.txt lists changes that change nothing. A change also counts as not noticed if the tests hang:
        a test must end each wait itself, and say what it waited for. Tests that use half of the limit in processor time are
        ended: the change looped, which is reported and counts as noticed.
        """

    static func main() {
        do { exit(try Mutate(CommandLine.arguments.dropFirst()).run() ? 0 : 1) } catch {
            FileHandle.standardError.write(Data("mutate: \(error)\n".utf8))
            exit(2)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// What tests say about a change: one of them failed, all passed, or they had to be ended.
    private enum Result { case noticed, survived, hung, looped }

    private var numbers = ["--count": 40, "--seed": 1, "--limit": 300, "--minimum": 95]
    private var (packages, names, usesRoot, isQuick) = ([String](), [String: String](), false, false)

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                print(Self.help)
                exit(0)
            case "--root": usesRoot = true
            case "--quick": isQuick = true
            case "--file", "--again", "--tests", "--filter":
                guard let name = rest.popFirst() else {
                    throw Failure("\(argument) needs a name. See: Scripts/mutate --help")
                }
                names[argument] = name
            case let option where numbers[option] != nil:
                guard let number = rest.popFirst().flatMap({ Int($0) }), number >= 0 else {
                    throw Failure("\(option) needs a number. See: Scripts/mutate --help")
                }
                numbers[option] = number
            case let path where !path.hasPrefix("-"):
                packages.append(path.hasSuffix("/") ? String(path.dropLast()) : path)
            default: throw Failure("unknown argument '\(argument)'. See: Scripts/mutate --help")
            }
        }
        for package in packages.isEmpty ? ["PACKAGE"] : packages
        where !FileManager.default.fileExists(atPath: package + "/Package.swift") {
            throw Failure("\(package) is not the folder of a package. See: Scripts/mutate --help")
        }
        for option in ["--tests", "--filter"] where packages.count != 1 && names[option] != nil {
            throw Failure("\(option) needs one PACKAGE. See: Scripts/mutate --help")
        }
        if packages.count > 1 { isQuick = true }
    }

    /// Returns whether enough changes were noticed.
    func run() throws -> Bool {
        guard let copy = ProcessInfo.processInfo.environment["MUTATE_COPY"] else {
            throw Failure("MUTATE_COPY names no folder. Run Scripts/mutate, which makes one")
        }
        let isMany = packages.count > 1
        let tests = names["--tests"] ?? packages[0]
        let tested = isMany ? copy : "\(copy)/\(tests)"
        for package in isMany ? packages : [tests]
        where !FileManager.default.fileExists(atPath: "\(copy)/\(package)/Tests") {
            throw Failure("\(package) has no tests. Name a package that tests it: --tests FOLDER")
        }
        let equivalent = Set(
            ((try? String(contentsOfFile: "Scripts/Mutate/equivalent.txt", encoding: .utf8)) ?? "")
                .components(separatedBy: "\n").compactMap { $0.components(separatedBy: "  # ").first })
        let report = try names["--again"].map { try String(contentsOfFile: $0, encoding: .utf8) }
        let missed = report?.components(separatedBy: "\n").filter { !$0.hasPrefix("looped: ") }
        let count = numbers["--count"] ?? 40
        var all: [Mutation] = []
        let samples = try packages.map { package in
            var random = SplitMix(state: UInt64(numbers["--seed"] ?? 1))
            let own = try mutations(of: package, in: copy).filter { mutation in
                !equivalent.contains(mutation.name)
                    && missed?.contains { $0.contains(": \(mutation.name) (line ") } != false
            }.shuffled(using: &random)
            all += own
            return (package: package, numbers: all.count - own.count..<all.count)
        }
        // The sample is the first changes in this order, whether they compile as switches or not.
        let switched = try build(
            samples.flatMap { $0.numbers.prefix(isQuick ? 2 * count : count) }, of: all, in: copy, tested)
        var (isWhole, isRootChecked) = (true, false)
        for (package, numbers) in samples {
            let filter = isMany ? try testTargets(of: package, in: copy) : names["--filter"] ?? ""
            try checkUnchanged(tested, isMany ? package : tests, filter)
            var (judged, results) = (0, [Result: Int]())
            func judge(_ own: Result?, _ number: Int) throws {
                guard var result = own else { return }
                let mutation = all[number]
                if result == .survived, usesRoot {
                    // The root's tests are already built with the switches of several packages.
                    if !isRootChecked { try isMany ? checkUnchanged(copy, "the root") : checkRoot(copy) }
                    isRootChecked = true
                    result =
                        try isMany
                        ? test(copy, mutant: number)
                        : self.result(of: mutation, in: copy, testing: copy, "") ?? result
                }
                judged += 1
                results[result, default: 0] += 1
                if result != .noticed { say("\(result): \(mutation.name) (line \(mutation.line))") }
            }
            for number in numbers where switched.contains(number) && judged < count {
                try judge(test(tested, filter, mutant: number), number)
            }
            // The others need a build each.
            for number in numbers where !isQuick && !switched.contains(number) && judged < count {
                try judge(result(of: all[number], in: copy, testing: tested, filter), number)
            }
            let isPart = !isMany && (isQuick || names["--file"] != nil || report != nil)
            guard judged > 0 || !isPart else {
                throw Failure(
                    "\(package) has no changes to judge: an option leaves them out, or they are in equivalent.txt, or do not compile"
                )
            }
            let (looped, noticed) = (
                results[.looped] ?? 0, (results[.noticed] ?? 0) + (results[.looped] ?? 0)
            )
            say(
                "\(package): \(noticed) of \(judged) changes noticed\(looped > 0 ? " (\(looped) looped)" : ""), "
                    + "of \(numbers.count) possible ones")
            if noticed * 100 < judged * (self.numbers["--minimum"] ?? 95) { isWhole = false }
        }
        return isWhole
    }

    /// An expression that finds the tests of a package's test targets.
    private func testTargets(of package: String, in copy: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(copy)/\(package)/Tests").sorted()
        return "^(\(names.filter { !$0.hasPrefix(".") }.joined(separator: "|")))\\."
    }

    /// Prints a line at once, so that a run that is interrupted has reported what it found.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Builds the root's tests, and throws if they do not pass without a change.
    private func checkRoot(_ copy: String) throws {
        guard try shell("\(Self.build) > /dev/null 2>&1", copy) == 0 else {
            throw Failure(
                "the tests of the root do not compile without a change: see swift build --build-tests")
        }
        try checkUnchanged(copy, "the root")
    }

    /// Throws if the tests of a folder do not pass without a change, because a failure would say nothing about changes.
    private func checkUnchanged(_ folder: String, _ name: String, _ filter: String = "") throws {
        switch try test(folder, filter) {
        case .survived: return
        case .noticed:
            throw Failure(
                "the tests of \(name) fail without a change, in a copy of the tree\(filter != names["--filter"] ? "" : ", or --filter finds none"). "
                    + "Fix them first: swift test")
        case .hung, .looped:
            throw Failure(
                "the tests of \(name) exceed the limit without a change, or use half of it in processor time. "
                    + "Try a larger --limit")
        }
    }

    /// Builds the tests with as many of the changes as compile as switches, and puts the sources back.
    ///
    /// - Returns: The numbers of these changes.
    private func build(
        _ sample: [Int], of mutations: [Mutation], in copy: String, _ tested: String
    ) throws -> Set<Int> {
        let files = Dictionary(grouping: sample) { "\(copy)/\(mutations[$0].file)" }
        let originals = try files.keys.map { ($0, try String(contentsOfFile: $0, encoding: .utf8)) }
        var left = Set(sample)
        defer {
            for (path, text) in originals { try? text.write(toFile: path, atomically: true, encoding: .utf8) }
        }
        while true {
            var switches: [String: Switches] = [:]
            for (path, text) in originals {
                let chosen = (files[path] ?? []).filter(left.contains).map { ($0, mutations[$0]) }
                let made = Switches(text, chosen)
                switches[path] = made
                try (chosen.isEmpty ? text : made.text).write(toFile: path, atomically: true, encoding: .utf8)
            }
            left.formIntersection(switches.values.flatMap { $0.numbers.values.joined() })
            let log = tested + "/.build/mutate.log"
            if try shell("mkdir -p \"$0/.build\"; \(Self.build) > '\(log)' 2>&1", tested) == 0 {
                return left
            }
            guard !left.isEmpty else {
                throw Failure(
                    "\(packages.joined(separator: ", ")) cannot be built without a change: see swift build")
            }
            var wrong: Set<Int> = []
            for match in try String(contentsOfFile: log, encoding: .utf8)
                .matches(of: /(\/[^\n:]+):(\d+):\d+: error:/)
            {
                // The change that causes an error at another line is most likely the nearest one before that line.
                guard let numbers = switches[String(match.output.1)]?.numbers, let line = Int(match.output.2)
                else { continue }
                let nearest = numbers.keys.filter { $0 <= line }.max() ?? numbers.keys.min()
                wrong.formUnion(nearest.flatMap { numbers[$0] } ?? [])
            }
            left = wrong.isDisjoint(with: left) ? [] : left.subtracting(wrong)
        }
    }

    private static let build = "swift build --build-tests -debug-info-format none --package-path \"$0\""

    private func mutations(of package: String, in copy: String) throws -> [Mutation] {
        let sources = "\(package)/Sources"
        let files =
            FileManager.default.enumerator(atPath: "\(copy)/\(sources)")?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.sorted()
            .filter { path in names["--file"].map { path.components(separatedBy: "/").contains($0) } != false
            }
            .flatMap {
                let file = "\(sources)/\($0)"
                return Mutation.all(
                    in: try String(contentsOfFile: "\(copy)/\(file)", encoding: .utf8), file: file)
            }
    }

    /// Makes a change, builds and runs the tests of a folder, and puts the source back.
    ///
    /// - Returns: Nil if the change does not compile.
    private func result(
        of mutation: Mutation, in copy: String, testing tested: String, _ filter: String
    ) throws -> Result? {
        let path = "\(copy)/\(mutation.file)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var lines = text.components(separatedBy: "\n")
        lines[mutation.line - 1] = mutation.after
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? text.write(toFile: path, atomically: true, encoding: .utf8) }
        guard try shell("\(Self.build) > /dev/null 2>&1", tested) == 0 else { return nil }
        return try test(tested, filter)
    }

    /// Runs the tests of a folder, with the change of this number, until one of them fails.
    ///
    /// - Parameter filter: An expression that finds the tests to run; by default all.
    private func test(_ folder: String, _ filter: String = "", mutant: Int = -1) throws -> Result {
        // SwiftPM starts the tests in a process group of their own. Their arguments name a file in `.build`, as do those of a
        // built program that a test has started. Foundation waits for what is left behind, such as a system tool.
        let isRoot = filter.isEmpty && folder == ProcessInfo.processInfo.environment["MUTATE_COPY"]
        let limit = (numbers["--limit"] ?? 300) * (isRoot ? 3 : 1)
        let status = try shell(
            """
            end() { pkill -KILL -f "$0/.build/"; }
            stop() { touch "$0/.build/hung"; end; kill -KILL $tests; }
            trap 'stop; kill -KILL -- -$watch; exit 130' INT TERM
            rm -f "$0/.build/hung"
            (
                ulimit -S -t \(max(1, limit / 2))
                # A backtrace of a process that was killed would be waited for without an end.
                export SWIFT_BACKTRACE=enable=no MUTANT=\(mutant) TEST_WAIT_LIMIT=\(max(1, limit / 2))
                # On macOS, the tests are a bundle.
                tests=$(echo "$0"/.build/debug/*PackageTests.xctest)
                [ ! -f "$tests" ] || exec "$tests" --testing-library swift-testing ${1:+--filter "$1"} 2>&1
                exec swift test --skip-build -debug-info-format none --disable-xctest --package-path "$0" \
                    ${1:+--filter "$1"} 2>&1
            ) > >(grep -q -m 1 ' recorded an issue ' && end) & tests=$!
            # A process group of its own, which a signal ends as a whole. A subshell can lose a TERM while it starts.
            set -m; (sleep \(limit); stop) & watch=$!; set +m
            wait $tests; status=$?; kill -KILL -- -$watch
            [ ! -e "$0/.build/hung" ] || exit 2
            # The system ends a process that exceeds its processor time by signal 24.
            [ $status != 152 ] || exit 3
            exit $((status != 0))
            """, folder, filter)
        return switch status {
        case 0: .survived;
        case 2: .hung;
        case 3: .looped;
        default: .noticed
        }
    }

    private func shell(_ script: String, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-c", script] + arguments
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
