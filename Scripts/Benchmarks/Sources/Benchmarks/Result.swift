import Foundation

/// The medians of a benchmark's samples.
struct Result {
    private let benchmark: Benchmark
    private let ours, baseline, value: Double

    /// Takes a warm-up pair, which is discarded, and then the samples. Our code runs first in every other
    /// pair.
    init(_ benchmark: Benchmark, pairs: Int) throws {
        self.benchmark = benchmark
        _ = try benchmark.sample(true)
        let samples = try (0..<min(pairs, benchmark.runs)).map { try benchmark.sample($0.isMultiple(of: 2)) }
        ours = Self.median(samples.map(\.ours))
        baseline = Self.median(samples.map(\.baseline))
        value = Self.median(samples.map(\.value))
    }

    var isWithinLimit: Bool { benchmark.limit.allows(value) }

    /// The benchmark's row of the Markdown table.
    var row: String {
        let cells = [
            benchmark.name, benchmark.baseline, number(ours), number(baseline), shown(value), limit,
            isWithinLimit ? "" : "above",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private var limit: String {
        switch benchmark.limit {
        case .none: ""
        case .ratio(let most), .milliseconds(let most), .amount(let most): shown(most)
        }
    }

    private func number(_ number: Double) -> String {
        switch benchmark.measure {
        case .time: time(number)
        case .slowdown: String(format: "x %.2f", number)
        case .amount(let unit): String(format: "%.1f", number) + unit
        }
    }

    private func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: String(format: "%.1f ns", nanoseconds)
        case ..<1e6: String(format: "%.1f us", nanoseconds / 1e3)
        case ..<1e9: String(format: "%.2f ms", nanoseconds / 1e6)
        default: String(format: "%.1f s", nanoseconds / 1e9)
        }
    }

    private func shown(_ value: Double) -> String {
        if case .amount(let unit) = benchmark.measure { return String(format: "%.1f", value) + unit }
        if benchmark.limit.isAbsolute { return String(format: "%.2f ms", value) }
        return value < 0.5 ? String(format: "1/%.1f", 1 / value) : String(format: "%.2f", value)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
