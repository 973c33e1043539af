import Foundation
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension CopyDeepTests {
    @Suite("The commands of the READMEs", .serialized)
    struct ReadmeCommandTests {
        @Test("The commands in README.md work in sequence in a fresh copy of the tree")
        func commands() throws {
            let copy = try TreeCopy()
            for command in try Readme("README.md", in: Tree.root).commands {
                if command == "Scripts/test" {
                    // Scripts/test runs this test, so only check that CI runs the same command.
                    #expect(try Tree.text(".ci/run").contains("Scripts/test\n"))
                    continue
                }
                let run = try copy.bash(command)
                #expect(run.status == 0, "\(command)\n\(run.output)\(run.errors)")
                if command.hasPrefix("swift run Shell") { #expect(!run.output.isEmpty, "\(command)") }
            }
        }

        @Test("The command in Exporting.md makes an application use a local copy of a module")
        func forcedVersion() throws {
            let block = try #require(
                try Readme("Scripts/ModuleTool/Exporting.md", in: Tree.root).blocks(in: "sh").first {
                    $0.note?.contains("by version") == true
                })
            let copy = try TreeCopy()
            // An application that depends on a release of ModuleAApi, with a working copy of ModuleAApi beside
            // it.
            let prepared = try copy.bash(
                """
                set -e
                rm -rf Released Work App
                mkdir -p Released Work App/Sources/App
                cp -R Packages/Business/ModuleAApi Released/ModuleAApi
                cp -R Packages/Business/ModuleAApi Work/ModuleAApi
                cd Released/ModuleAApi
                git init --quiet
                git add .
                git -c user.name=Test -c user.email=test@example.com commit --quiet --message 1.0.0
                git tag 1.0.0
                cd ../..
                mv App Work/App
                echo 'public let isTheWorkingCopy = true' >>Work/ModuleAApi/Sources/ModuleAApi/Copy.swift
                echo 'import ModuleAApi' >Work/App/Sources/App/main.swift
                echo 'print(isTheWorkingCopy)' >>Work/App/Sources/App/main.swift
                cat >Work/App/Package.swift <<EOF
                // swift-tools-version: 6.3
                import PackageDescription
                let package = Package(
                    name: "App", platforms: [.macOS(.v15)],
                    dependencies: [.package(url: "file://$PWD/Released/ModuleAApi", from: "1.0.0")],
                    targets: [.executableTarget(name: "App", dependencies: ["ModuleAApi"])])
                EOF
                """)
            try #require(prepared.status == 0, "\(prepared.errors)")
            let released = try copy.bash("cd Work/App && swift build 2>&1")
            #expect(released.status != 0 && released.output.contains("cannot find 'isTheWorkingCopy'"))
            let forced = try copy.bash("cd Work/App && \(block.text) swift run App")
            #expect(forced.status == 0 && forced.output.contains("true"), "\(forced.errors)")
        }
    }

    /// A separate suite, because it compiles the libraries that the benchmarks use as baselines.
    @Suite("The commands of the benchmarks' README")
    struct BenchmarkCommandTests {
        @Test("The commands work in sequence in a fresh copy of the tree")
        func commands() throws {
            let copy = try TreeCopy()
            for command in try Readme("Scripts/Benchmarks/README.md", in: Tree.root).commands {
                // The variables shorten the benchmarks, because this test checks commands and not speed.
                let run = try copy.bash("export BENCH_PAIRS=1 BENCH_CONFIGURATION=debug; \(command)")
                // On a busy machine a measurement may exceed its limit, and the command then exits with code 1.
                let isMeasured = command.contains("--check") && run.errors.contains("above the limit")
                // The commands that count instructions end with 3 on a machine without valgrind.
                let isUncounted = command.contains("--instructions") && run.errors.contains("valgrind")
                #expect(
                    run.status == (isMeasured ? 1 : isUncounted ? 3 : 0),
                    "\(command)\n\(run.output)\(run.errors)")
            }
            let bench = "Scripts/Benchmarks/.build/debug/Benchmarks --instructions"
            let without = try copy.bash("PATH=/nowhere; \(bench) look-up")
            #expect(without.status == 3 && without.errors.contains("no folder in PATH contains valgrind"))
            let unknown = try copy.bash("\(bench) lookup")
            #expect(unknown.status == 64 && unknown.errors.contains("The scenarios are: look-up"))
            let limited = try copy.bash("\(bench) look-up --check")
            #expect(limited.status == 64 && limited.errors.contains("cannot be combined"))

            // This valgrind counts 5,000 instructions for a start and 7 for each operation.
            let counted = try copy.bash(
                """
                mkdir counting
                cat >counting/valgrind <<'EOF'
                #!/bin/sh
                for argument; do
                    case $argument in --callgrind-out-file=*) file=${argument#*=} ;; esac
                done
                echo "totals: $((5000 + 7 * argument))" >"$file"
                EOF
                chmod +x counting/valgrind
                PATH=$PWD/counting:$PATH \(bench) look-up
                """)
            #expect(counted.status == 0 && counted.output == "look-up: 7 instructions\n", "\(counted.errors)")
        }
    }
}

extension Readme {
    /// The commands of all `sh` blocks without a preceding note (an HTML comment).
    fileprivate var commands: [String] {
        get throws {
            let commands = blocks(in: "sh").filter { $0.note == nil }.flatMap(\.lines)
            try #require(!commands.isEmpty)
            return commands
        }
    }
}
#endif
