import ArgumentParser
import Foundation

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures our code against baselines, in alternating runs.",
        discussion: """
            Each number is the median over all pairs of runs. A value above its limit is marked; with \
            --check it is an error.

            EXAMPLES
              Scripts/bench
              Scripts/bench --filter ApiCenter --pairs 101
              Scripts/bench --check
              Scripts/bench --check --filter modules    only the checker; builds it first, which takes minutes
              Scripts/bench --check --filter edit       edits in trees of 250 modules; takes an hour
              Scripts/bench --instructions look-up      instructions per operation, counted by callgrind

            EXIT CODES
              0  done        1  a value is above its limit (--check), or a measurement failed
              3  --instructions needs valgrind, which is not installed
            """)

    @Flag(help: "Exit with 1 when a value is above its limit.")
    var check = false

    @Option(help: "Run only the benchmarks whose names contain this text.")
    var filter: String?

    @Option(help: "The number of pairs of runs per benchmark.")
    var pairs = ProcessInfo.processInfo.environment["BENCH_PAIRS"].flatMap(Int.init) ?? 31

    @Option(
        help: ArgumentHelp(
            "Count the instructions per operation of a scenario instead: \(Scenario.names).",
            valueName: "scenario"))
    var instructions: String?

    /// Performs the scenario's operation this many times, in the process that callgrind watches.
    @Option(help: .hidden)
    var rounds: Int?

    func validate() throws {
        guard pairs > 0 else { throw ValidationError("--pairs must be 1 or more: a median needs a value.") }
        guard let instructions else { return }
        guard filter == nil, !check else {
            throw ValidationError(
                "--instructions cannot be combined with --filter or --check: it has no limits.")
        }
        guard Scenario.all.contains(where: { $0.name == instructions }) else {
            throw ValidationError(
                "No scenario is called '\(instructions)'. The scenarios are: \(Scenario.names).")
        }
    }

    func run() throws {
        if let scenario = Scenario.all.first(where: { $0.name == instructions }) {
            return try count(scenario)
        }
        // These benchmarks run only on request: the checker's benchmarks compile swift-syntax for the tool, which takes
        // minutes, and the edit benchmarks build generated trees, which takes an hour.
        let all =
            try allBenchmarks() + (filter?.hasPrefix("modules") == true ? moduleToolBenchmarks() : [])
            + (filter?.hasPrefix("edit") == true ? editBenchmarks() : [])
        let benchmarks = all.filter { filter.map($0.name.contains) ?? true }
        guard !benchmarks.isEmpty else {
            throw ValidationError(
                """
                No benchmark's name contains '\(filter ?? "")'. Without --filter, all benchmarks run except \
                those whose names begin with 'modules' or 'edit'.
                """)
        }
        print("| Benchmark | Against | Ours | Baseline | Value | Limit | |")
        print("|---|---|--:|--:|--:|--:|---|")
        var failed = 0
        for benchmark in benchmarks {
            let result = try Result(benchmark, pairs: pairs)
            print(result.row)
            fflush(nil)  // A row of a benchmark that takes minutes is seen at once, in a file too.
            if !result.isWithinLimit { failed += 1 }
        }
        if failed > 0 {
            let message = "\(failed) of \(benchmarks.count) benchmarks are above the limit.\n"
            FileHandle.standardError.write(Data(message.utf8))
            if check { throw ExitCode(1) }
        }
    }

    /// Prints a scenario's instructions per operation, or performs the operations if this is the process to watch.
    private func count(_ scenario: Scenario) throws {
        if let rounds { return try scenario.prepare()(rounds) }
        guard let valgrind = Scenario.valgrind else {
            let message = """
                bench: no folder in PATH contains valgrind, whose tool callgrind counts the instructions for \
                --instructions. Install it (on Linux, the package is called valgrind), or measure times: leave \
                --instructions out.

                """
            FileHandle.standardError.write(Data(message.utf8))
            throw ExitCode(3)
        }
        let instructions = try scenario.instructions(valgrind: valgrind)
        print("\(scenario.name): \(String(format: "%.0f", instructions)) instructions")
    }
}

/// All benchmarks except those of the checker and of edits, grouped by package.
func allBenchmarks() throws -> [Benchmark] {
    try apiCenterBenchmarks() + routeBenchmarks() + providerBenchmarks() + apiServiceBenchmarks()
        + adapterBenchmarks() + peerBenchmarks()
}
