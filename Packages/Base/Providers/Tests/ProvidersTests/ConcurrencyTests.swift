import Dispatch
import Providers
import TestSupport
import Testing

@Suite("Providers used by many threads", .waitLimit)
struct ConcurrencyTests {
    #if DEBUG
    private let rounds = 1_000
    #else
    private let rounds = 20_000
    #endif

    @Test("Concurrent additions, removals, picks and calls never lose a provider")
    func stress() {
        let mode = Shared(0)
        let providers = Providers<WorkerProtocol>(tag: { "\(mode.value)" })
        let lasting = ["0", "1"].map { providers.add(Worker(name: "lasting"), tags: [$0]) }
        let wrong = Shared(0)
        race(6) { [rounds] thread in
            var mine: [ProviderHandle] = []
            for round in 0..<rounds {
                switch thread {
                case 0, 1:
                    mine.append(providers.add(Worker(name: "passing"), tags: ["0", "1"], priority: -1))
                    if mine.count > 5, !providers.remove(mine.removeFirst()) { wrong.update { $0 += 1 } }
                case 2: mode.value = round % 2
                case 3:
                    // A lasting provider always matches and has the highest priority.
                    if providers.pick()?.name != "lasting" { wrong.update { $0 += 1 } }
                case 4:
                    let names = providers.callAll { $0.name }
                    if names.filter({ $0 == "lasting" }).count != 2 { wrong.update { $0 += 1 } }
                default:
                    let name = try? providers.firstSuccess { try $0.work() }
                    if name != "lasting" { wrong.update { $0 += 1 } }
                }
            }
            for handle in mine where !providers.remove(handle) { wrong.update { $0 += 1 } }
        }
        #expect(wrong.value == 0)
        #expect(providers.all.map { ObjectIdentifier($0.handle) } == lasting.map(ObjectIdentifier.init))
    }

    @Test("If several threads remove the same handle, exactly one succeeds")
    func removedOnce() {
        let providers = Providers<WorkerProtocol>()
        for _ in 0..<rounds / 20 {
            let handle = providers.add(Worker(name: "A"))
            let removed = Shared(0)
            race(4) { _ in if providers.remove(handle) { removed.update { $0 += 1 } } }
            #expect(removed.value == 1)
        }
        #expect(providers.all.isEmpty)
    }

    @Test("A busy provider does not block other threads from using the set")
    func calledUnderNoLock() {
        let providers = Providers<WorkerProtocol>()
        let isInside = DispatchSemaphore(value: 0)
        let mayLeave = DispatchSemaphore(value: 0)
        let handle = providers.add(
            Worker(name: "busy") { () throws(WorkError) in
                isInside.signal()
                mayLeave.wait()
            })
        race(2) { thread in
            if thread == 0 {
                _ = providers.callAll { try $0.work() }
            } else {
                // The other thread stays inside the provider until `mayLeave` is signalled.
                isInside.wait()
                providers.add(Worker(name: "new"), priority: 1)
                #expect(providers.pick()?.name == "new")
                #expect(providers.remove(handle))
                #expect(providers.callAll { $0.name } == ["new"])
                mayLeave.signal()
            }
        }
        #expect(providers.all.map(\.implementation.name) == ["new"])
    }
}
