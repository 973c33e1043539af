import Providers
import TestSupport
import Testing

@Suite("Picking one provider")
struct PickTests {
    let providers = Providers<WorkerProtocol>()

    @Test("pick returns nil if the set is empty or no provider matches")
    func none() {
        #expect(providers.pick() == nil)
        providers.add(Worker(name: "A"), tags: ["fast"])
        #expect(providers.pick { $0.tags.contains("slow") } == nil)
        let slow = Providers<WorkerProtocol>(tag: { "slow" })
        slow.add(Worker(name: "A"), tags: ["fast"])
        #expect(slow.pick() == nil)
    }

    @Test(
        "pick returns the match with the highest priority; among equal priorities, the provider added first")
    func priority() {
        providers.add(Worker(name: "low"), priority: -1)
        providers.add(Worker(name: "first"))
        providers.add(Worker(name: "second"))
        providers.add(Worker(name: "high"), tags: ["rare"], priority: 7)
        providers.add(Worker(name: "high too"), tags: ["rare"], priority: 7)
        #expect(providers.pick()?.name == "high")
        #expect(providers.pick { !$0.tags.contains("rare") }?.name == "first")
        #expect(providers.pick { $0.priority < 0 }?.name == "low")
    }

    @Test("The caller's condition may use tags and members of the interface")
    func condition() {
        providers.add(Worker(name: "A"), tags: ["fast", "cheap"])
        providers.add(Worker(name: "B"), tags: ["fast"])
        #expect(providers.pick { ["fast", "cheap"].allSatisfy($0.tags.contains) }?.name == "A")
        #expect(providers.pick { $0.implementation.name == "B" }?.name == "B")
    }

    @Test("pick requires both the injected condition and the caller's condition")
    func both() {
        let providers = Providers<WorkerProtocol>(tag: { "allowed" })
        providers.add(Worker(name: "A"), tags: ["fast"])
        providers.add(Worker(name: "B"), tags: ["allowed"])
        providers.add(Worker(name: "C"), tags: ["allowed", "fast"])
        #expect(providers.pick()?.name == "B")
        #expect(providers.pick { $0.tags.contains("fast") }?.name == "C")
    }

    @Test("A condition reads its state once per choice, so a change cannot make it reject every provider")
    func readsOnce() {
        let reads = Shared(0)
        // Returns "high" and "low" in turn, as if the network changed between any two reads.
        let providers = Providers<WorkerProtocol>(tag: {
            reads.update { $0 += 1 }
            return reads.value.isMultiple(of: 2) ? "low" : "high"
        })
        providers.add(Worker(name: "for low"), tags: ["low"])
        providers.add(Worker(name: "for high"), tags: ["high"])
        #expect(providers.pick()?.name == "for high")
        #expect(providers.pick()?.name == "for low")
        #expect(reads.value == 2)
        // `firstSuccess` also reads the state once: only the provider for "high" matches.
        #expect(throws: ProvidersError<WorkError>.self) {
            try providers.firstSuccess { provider throws(WorkError) in
                throw WorkError(description: provider.name)
            }
        }
        #expect(reads.value == 3)
    }

    @Test("A condition may compare any state with a provider's properties")
    func state() {
        let battery = Shared(80)
        let providers = Providers<WorkerProtocol>(condition: {
            let level = battery.value
            return { level >= $0.priority }
        })
        providers.add(Worker(name: "thrifty"), priority: 0)
        providers.add(Worker(name: "hungry"), priority: 50)
        #expect(providers.pick()?.name == "hungry")
        battery.value = 20
        #expect(providers.pick()?.name == "thrifty")
    }

    @Test("Conditions may add and remove providers, because they are called outside the lock")
    func reentrancy() {
        let change = Shared<@Sendable () -> Void>({})
        let providers = Providers<WorkerProtocol>(condition: {
            change.value()
            return { _ in true }
        })
        let handle = providers.add(Worker(name: "A"))
        change.value = { [unowned providers] in
            providers.remove(handle)
            providers.add(Worker(name: "B"))
        }
        #expect(providers.pick()?.name == "A")
        #expect(providers.pick { _ in providers.all.count == 2 }?.name == "B")
    }
}
