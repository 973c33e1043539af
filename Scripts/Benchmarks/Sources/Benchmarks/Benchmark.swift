/// A measurement of ours against a baseline, taken in the same run, since machines differ and are noisy.
struct Benchmark {
    /// One pair of runs.
    struct Sample {
        /// What ``Benchmark/measure`` says, ours and the baseline's.
        let ours, baseline: Double
        /// What is held against the limit.
        let value: Double
    }

    /// What the value must not exceed.
    enum Limit {
        case none
        /// Ours, as it is.
        case amount(Double)
        /// Ours divided by the baseline's.
        case ratio(Double)
        /// Ours, in milliseconds an operation.
        case milliseconds(Double)
    }

    /// What the numbers of a benchmark are.
    enum Measure {
        /// Nanoseconds an operation.
        case time
        /// How much longer an operation takes on two threads than on one.
        case slowdown
        /// So many of this unit, a space before it.
        case amount(unit: String)
    }

    /// What is measured: `ApiCenter: struct IMP`.
    let name: String
    /// What it is measured against.
    let baseline: String
    let limit: Limit
    /// What the numbers are.
    let measure: Measure
    /// The most pairs of runs to take of what runs for seconds.
    let runs: Int
    /// Takes one pair of runs, of as many operations each as it sees fit; ours first when told so.
    let sample: (_ oursFirst: Bool) throws -> Sample

    /// Whatever takes its own samples, of few runs.
    init(
        _ name: String, against baseline: String, limit: Limit, measure: Measure = .time, runs: Int,
        sample: @escaping () throws -> Sample
    ) {
        (self.name, self.baseline, self.limit, self.measure, self.runs) = (
            name, baseline, limit, measure, runs
        )
        self.sample = { _ in try sample() }
    }

    /// Ours and a baseline, each a loop over a number of operations.
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

    /// How much more an operation takes on two threads at once than on one, divided by the same of a
    /// baseline: 1 when ours shares no more between threads than the baseline does.
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

    /// An amount of ours, which is held against the limit if there is one, and the same of a baseline.
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
    /// Whether the value is ours alone.
    var isAbsolute: Bool {
        switch self {
        case .none, .ratio: false
        case .amount, .milliseconds: true
        }
    }

    /// Whether a value is within the limit.
    func allows(_ value: Double) -> Bool {
        switch self {
        case .none: true
        case .ratio(let most), .milliseconds(let most), .amount(let most): value <= most
        }
    }
}

/// A loop, and how many rounds of it take long enough to be measured.
final class Loop {
    private let body: (Int) -> Void
    private lazy var rounds = calibrated()

    init(_ body: @escaping (Int) -> Void) { self.body = body }

    /// Runs it once and returns the nanoseconds a round.
    func nanoseconds() -> Double { time(rounds) / Double(rounds) }

    /// As many rounds as take some 10 ms.
    private func calibrated() -> Int {
        var rounds = 1
        while rounds < 1 << 30 {
            let taken = time(rounds)
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

/// Keeps the compiler from leaving out what is measured.
@inline(never) @_optimize(none)
func consume<Value>(_ value: Value) {}
