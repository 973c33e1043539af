import ApiCenter

/// An Api whose IMP each call builds.
protocol Answering: Sendable {
    func answer() -> Int
}

struct StructImp: Answering {
    let number: Int
    func answer() -> Int { number }
}

/// An Api whose IMP is one object.
protocol Shared: Sendable {
    func answer() -> Int
}

private protocol Nested: Sendable {
    func answer() -> Int
}

extension StructImp: Nested {}

final class ClassImp: Shared {
    func answer() -> Int { 2 }
}

/// The benchmarks of Core/ApiCenter.
func apiCenterBenchmarks() -> [Benchmark] {
    let number = Int.random(in: 1...9)
    let singleton = ClassImp()
    let center = ApiCenter(), mutex = MutexCenter()
    let seed = SeedCenter()
    // A realistic number of other registrations.
    for api in thousandApis.prefix(100) { api(center) }
    center.registerApi(type: Answering.self) { StructImp(number: number) }
    seed.registerApi(type: Answering.self) { StructImp(number: number) }
    mutex.registerApi(type: Answering.self) { StructImp(number: number) }
    center.registerApi(type: Shared.self) { singleton }
    seed.registerApi(type: Shared.self) { singleton }
    mutex.registerApi(type: Shared.self) { singleton }

    center.registerApi(type: Nested.self) { StructImp(number: $0.api(type: Answering.self)?.answer() ?? 0) }
    let observed = ApiCenter()
    observed.registerApi(type: Answering.self) { StructImp(number: number) }
    observed.addObserver { consume($0.isRegistered) }
    let builtOnce = ApiCenter()
    builtOnce.register(Shared.self, scope: .once) { ClassImp() }
    let inSession = ApiCenter()
    inSession.register(Shared.self, scope: .session(ClassImp.self)) { ClassImp() }

    let direct: @Sendable () -> Answering = { StructImp(number: number) }
    let directShared: @Sendable () -> Shared = { singleton }

    @Sendable func resolve(_ rounds: Int) {
        for _ in 0..<rounds { consume(center.api(type: Answering.self)?.answer()) }
    }
    @Sendable func resolveShared(_ rounds: Int) {
        for _ in 0..<rounds { consume(center.api(type: Shared.self)?.answer()) }
    }
    func resolveSeed(_ rounds: Int) {
        for _ in 0..<rounds { consume(seed.api(type: Answering.self)?.answer()) }
    }
    func resolveMutex(_ rounds: Int) {
        for _ in 0..<rounds { consume(mutex.api(type: Answering.self)?.answer()) }
    }
    func resolveSeedShared(_ rounds: Int) {
        for _ in 0..<rounds { consume(seed.api(type: Shared.self)?.answer()) }
    }

    return [
        Benchmark(
            "ApiCenter: a struct IMP", against: "the seed's registry", limit: .ratio(1.0 / 6),
            ours: resolve, theirs: resolveSeed),
        Benchmark(
            "ApiCenter: a struct IMP", against: "a dictionary under a Mutex", limit: .ratio(1.0 / 4),
            ours: resolve, theirs: resolveMutex),
        Benchmark(
            "ApiCenter: a class singleton", against: "the seed's registry", limit: .ratio(1.0 / 6),
            ours: resolveShared, theirs: resolveSeedShared),
        Benchmark(
            "ApiCenter: a class singleton", against: "a dictionary under a Mutex",
            ours: resolveShared,
            theirs: { for _ in 0..<$0 { consume(mutex.api(type: Shared.self)?.answer()) } }),
        Benchmark(
            "ApiCenter: once", against: "a class singleton",
            ours: { for _ in 0..<$0 { consume(builtOnce.api(type: Shared.self)?.answer()) } },
            theirs: resolveShared),
        Benchmark(
            "ApiCenter: an IMP of a session", against: "once",
            ours: { for _ in 0..<$0 { consume(inSession.api(type: Shared.self)?.answer()) } },
            theirs: { for _ in 0..<$0 { consume(builtOnce.api(type: Shared.self)?.answer()) } }),
        Benchmark(
            "ApiCenter: a builder that asks for another Api", against: "a struct IMP",
            ours: { for _ in 0..<$0 { consume(center.api(type: Nested.self)?.answer()) } },
            theirs: resolve),
        Benchmark(
            "ApiCenter: with an observer", against: "without an observer",
            ours: { for _ in 0..<$0 { consume(observed.api(type: Answering.self)?.answer()) } },
            theirs: resolve),
        Benchmark(
            "ApiCenter: inside an override", against: "without an override",
            ours: { rounds in
                center.withOverrides {
                    $0.register(Answering.self) { StructImp(number: number) }
                } operation: {
                    resolve(rounds)
                }
            },
            theirs: resolve),
        Benchmark(
            scaling: "ApiCenter: two threads, a struct IMP", against: "the same loop without a registry",
            limit: .ratio(1.15),
            ours: resolve,
            theirs: { for _ in 0..<$0 { consume(direct().answer()) } }),
        Benchmark(
            scaling: "ApiCenter: two threads, a class singleton", against: "the same loop without a registry",
            limit: .ratio(1.15),
            ours: resolveShared,
            theirs: { for _ in 0..<$0 { consume(directShared().answer()) } }),
        Benchmark(
            "ApiCenter: 1,000 registrations", against: "the seed's registry", limit: .milliseconds(1),
            ours: { rounds in
                for _ in 0..<rounds {
                    let center = ApiCenter()
                    for api in thousandApis { api(center) }
                }
            },
            theirs: { rounds in
                for _ in 0..<rounds {
                    let seed = SeedCenter()
                    for api in thousandSeedApis { api(seed) }
                }
            }),
    ]
}

extension Scenario {
    /// One call to `api` for an Api whose IMP is a number, which costs nothing to build and to copy. The center contains
    /// no other Api, because their addresses, which change from run to run, decide how many slots a call visits.
    static let lookUp = Scenario(name: "look-up", rounds: 100_000) {
        let center = ApiCenter(), number = Int.random(in: 1...9)
        center.register(Int.self) { number }
        return { for _ in 0..<$0 { consume(center.api(type: Int.self) != nil) } }
    }
}

/// An Api to register. It is generic, so that each `Tag` makes a distinct Api.
private struct Next<Tag>: Sendable {}

private let thousandApis = tags(1000).map { registration($0) }
private let thousandSeedApis = tags(1000).map { seedRegistration($0) }

private func registration<Tag>(_ tag: Tag.Type) -> @Sendable (ApiCenter) -> Void {
    { $0.registerApi(type: Next<Tag>.self) { Next<Tag>() } }
}

private func seedRegistration<Tag>(_ tag: Tag.Type) -> @Sendable (SeedCenter) -> Void {
    { $0.registerApi(type: Next<Tag>.self) { Next<Tag>() } }
}

private struct Pair<One, Other> {}

/// `count` distinct types, built by nesting ``Pair``.
private func tags(_ count: Int) -> [Any.Type] {
    let digits: [Any.Type] = [
        Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        Float.self, Double.self,
    ]
    func paired<One, Other>(_ one: One.Type, _ other: Other.Type) -> Any.Type { Pair<One, Other>.self }
    var types = digits
    while types.count < count {
        types = types.flatMap { one in digits.map { other in paired(one, other) } }
    }
    return Array(types.prefix(count))
}
