import Providers
import Synchronization

private protocol Logging: Sendable {
    func log(_ line: String)
}

private struct Log: Logging {
    func log(_ line: String) { consume(line.utf8.count) }
}

/// The benchmarks of Base/Providers.
func providerBenchmarks() -> [Benchmark] {
    let providers = Providers<any Logging>()
    for tag in ["file", "console", "remote"] { providers.add(Log(), tags: [tag]) }
    let array = Mutex<[any Logging]>([Log(), Log(), Log()])
    return [
        Benchmark(
            "Providers: pick one of three", against: "the first of an array under a Mutex",
            ours: { for _ in 0..<$0 { providers.pick()?.log("line") } },
            theirs: { for _ in 0..<$0 { array.withLock { $0.first }?.log("line") } }),
        Benchmark(
            "Providers: call all three", against: "an array under a Mutex",
            ours: { for _ in 0..<$0 { providers.callAll { $0.log("line") } } },
            theirs: { for _ in 0..<$0 { for log in array.withLock({ $0 }) { log.log("line") } } }),
    ]
}
