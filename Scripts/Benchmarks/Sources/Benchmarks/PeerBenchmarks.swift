#if Peers
import ApiCenter
import FactoryKit
import Swinject

/// Factory's container, which declares one property per dependency.
private final class FactoryCenter: SharedContainer {
    static let shared = FactoryCenter()
    let manager = ContainerManager()

    let number = Int.random(in: 1...9)
    var answering: Factory<any Answering> { self { [number] in StructImp(number: number) } }
    var sharedImp: Factory<any Shared> { self { ClassImp() }.singleton }
}

/// ApiCenter against other registries: the same struct that each call builds, and the same object that all calls share.
/// Each library is used as its README shows for several threads.
func peerBenchmarks() -> [Benchmark] {
    let number = Int.random(in: 1...9)
    let center = ApiCenter()
    center.registerApi(type: Answering.self) { StructImp(number: number) }
    center.register(Shared.self, scope: .once) { ClassImp() }

    let container = Swinject.Container()
    container.register(Answering.self) { _ in StructImp(number: number) }
    container.register(Shared.self) { _ in ClassImp() }.inObjectScope(.container)
    nonisolated(unsafe) let resolver = container.synchronize()
    let factory = FactoryCenter.shared

    @Sendable func ours(_ rounds: Int) {
        for _ in 0..<rounds { consume(center.api(type: Answering.self)?.answer()) }
    }
    @Sendable func oursShared(_ rounds: Int) {
        for _ in 0..<rounds { consume(center.api(type: Shared.self)?.answer()) }
    }
    @Sendable func swinject(_ rounds: Int) {
        for _ in 0..<rounds { consume(unsafe resolver.resolve(Answering.self)?.answer()) }
    }
    @Sendable func swinjectShared(_ rounds: Int) {
        for _ in 0..<rounds { consume(unsafe resolver.resolve(Shared.self)?.answer()) }
    }
    @Sendable func factories(_ rounds: Int) {
        for _ in 0..<rounds { consume(factory.answering().answer()) }
    }
    @Sendable func factoriesShared(_ rounds: Int) {
        for _ in 0..<rounds { consume(factory.sharedImp().answer()) }
    }
    return [
        Benchmark("Peers: a struct IMP", against: "Swinject", ours: ours, theirs: swinject),
        Benchmark("Peers: a struct IMP", against: "Factory", ours: ours, theirs: factories),
        Benchmark("Peers: one object", against: "Swinject", ours: oursShared, theirs: swinjectShared),
        Benchmark("Peers: one object", against: "Factory", ours: oursShared, theirs: factoriesShared),
        Benchmark(
            "Peers: two threads, a struct IMP", against: "Swinject", ours: twice(ours),
            theirs: twice(swinject)),
        Benchmark(
            "Peers: two threads, a struct IMP", against: "Factory", ours: twice(ours),
            theirs: twice(factories)),
    ]
}
#else
/// None without the trait `Peers`, because the other libraries are downloaded and compiled.
func peerBenchmarks() -> [Benchmark] { [] }
#endif
