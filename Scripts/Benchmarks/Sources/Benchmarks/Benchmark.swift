/// A measurement of our code against a baseline. Both are measured alternately in one run, because machines
/// differ and their speed fluctuates.
struct Benchmark {
    /// The result of one pair of runs.
    struct Sample {
        /// The numbers of both runs, in the unit of ``Benchmark/measure``.
        let ours, baseline: Double
        /// The value to compare with the limit.
        let value: Double
    }

    /// The maximum for a benchmark's value.
    enum Limit {
        case none
        /// The value is our code's number.
        case amount(Double)
        /// The value is our code's number divided by the baseline's.
        case ratio(Double)
        /// The value is our code's number, in milliseconds per operation.
        case milliseconds(Double)
    }

    /// The meaning of a benchmark's numbers.
    enum Measure {
        /// Nanoseconds per operation.
        case time
        /// The time of an operation on two threads divided by its time on one.
        case slowdown
        /// An amount of this unit, which begins with a space: `" KiB"`.
        case amount(unit: String)
    }

    /// The package and the measured operation, such as `ApiCenter: a struct IMP`.
    let name: String
    /// The baseline's name.
    let baseline: String
    let limit: Limit
    let measure: Measure
    /// The maximum number of pairs. Benchmarks that run for seconds set it; the others have no maximum.
    let runs: Int
    /// Performs one pair of runs, our code first if `oursFirst` is true. Each run chooses its number of
    /// operations.
    let sample: (_ oursFirst: Bool) throws -> Sample

    /// Compares two measurements that `sample` takes, in at most `runs` pairs.
    init(
        _ name: String, against baseline: String, limit: Limit, measure: Measure = .time, runs: Int,
        sample: @escaping () throws -> Sample
    ) {
        (self.name, self.baseline, self.limit, self.measure, self.runs) = (
            name, baseline, limit, measure, runs
        )
        self.sample = { _ in try sample() }
    }

    /// Compares the times of two loops, each over a given number of operations.
    init(
        _ name: String, against baseline: String, limit: Limit = .none,
        ours: @escaping (Int) -> Void, theirs: @escaping (Int) -> Void
    ) {
        self.name = name
        self.baseline = baseline
        self.limit = limit
        measure = .time
        runs = .max
        let ours = Loop(ours), theirs = Loop(theirs)
        sample = { oursFirst in
            let (first, second) = oursFirst ? (ours, theirs) : (theirs, ours)
            let one = first.nanoseconds(), two = second.nanoseconds()
            let (a, b) = oursFirst ? (one, two) : (two, one)
            return Sample(ours: a, baseline: b, value: limit.isAbsolute ? a / 1e6 : a / b)
        }
    }

    /// Compares the slowdowns of two loops when two threads run a loop concurrently. The value is our slowdown
    /// divided by the baseline's. It is 1 if our code shares as little between threads as the baseline does.
    init(
        scaling name: String, against baseline: String, limit: Limit,
        ours: @escaping @Sendable (Int) -> Void, theirs: @escaping @Sendable (Int) -> Void
    ) {
        self.name = name
        self.baseline = baseline
        self.limit = limit
        measure = .slowdown
        runs = .max
        let oursAlone = Loop(ours), theirsAlone = Loop(theirs)
        let oursTwice = Loop(twice(ours)), theirsTwice = Loop(twice(theirs))
        sample = { oursFirst in
            func slowdown(_ twice: Loop, _ alone: Loop) -> Double {
                twice.nanoseconds() / alone.nanoseconds()
            }
            let first = oursFirst ? slowdown(oursTwice, oursAlone) : slowdown(theirsTwice, theirsAlone)
            let second = oursFirst ? slowdown(theirsTwice, theirsAlone) : slowdown(oursTwice, oursAlone)
            let (a, b) = oursFirst ? (first, second) : (second, first)
            return Sample(ours: a, baseline: b, value: a / b)
        }
    }

    /// Compares our amount with the limit, if any, and shows the baseline's amount beside it.
    init(
        amount name: String, against baseline: String, unit: String, limit: Double?,
        sample: @escaping () -> (ours: Double, baseline: Double)
    ) {
        self.name = name
        self.baseline = baseline
        self.limit = limit.map { .amount($0) } ?? .none
        measure = .amount(unit: unit)
        runs = .max
        self.sample = { _ in
            let (ours, baseline) = sample()
            return Sample(ours: ours, baseline: baseline, value: ours)
        }
    }
}

extension Benchmark.Limit {
    /// Whether the value is our code's number, not a ratio.
    var isAbsolute: Bool {
        switch self {
        case .none, .ratio: false
        case .amount, .milliseconds: true
        }
    }

    func allows(_ value: Double) -> Bool {
        switch self {
        case .none: true
        case .ratio(let most), .milliseconds(let most), .amount(let most): value <= most
        }
    }
}

/// A loop that runs long enough to be measured: about 10 ms.
final class Loop {
    private let body: (Int) -> Void
    private lazy var rounds = calibrated()

    init(_ body: @escaping (Int) -> Void) { self.body = body }

    /// Runs the loop once and returns the nanoseconds per round.
    func nanoseconds() -> Double { time(rounds) / Double(rounds) }

    /// The number of rounds that take about 10 ms.
    private func calibrated() -> Int {
        // The first round has extra costs, such as opening a connection.
        body(1)
        var rounds = 1
        while rounds < 1 << 30 {
            // Other work on the machine may delay one of the two runs.
            let taken = min(time(rounds), time(rounds))
            if taken > 5e6 { return max(1, Int(Double(rounds) * 1e7 / taken)) }
            rounds *= 4
        }
        return rounds
    }

    private func time(_ rounds: Int) -> Double {
        let components = ContinuousClock().measure { body(rounds) }.components
        return Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}

/// Keeps the optimizer from removing the measured code.
@inline(never) @_optimize(none)
func consume<Value>(_ value: Value) {}
