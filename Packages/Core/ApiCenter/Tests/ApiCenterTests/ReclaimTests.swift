import ApiCenter
import Dispatch
import Testing

@Suite("Freeing removed builders")
struct ReclaimTests {
    let center = ApiCenter()

    /// Registers a builder that captures a token. Freeing the token increments `freed`.
    private func registerToken(_ freed: Shared<Int>, replacing: Bool = false) {
        let token = Token { freed.update { $0 += 1 } }
        let build: @Sendable () -> Numbering = {
            withExtendedLifetime(token) { Number(number: 1) }
        }
        if replacing {
            center.replaceApi(type: Numbering.self, impBuilder: build)
        } else {
            center.registerApi(type: Numbering.self, impBuilder: build)
        }
    }

    @Test("If no call is running a builder, removeApi frees the builder before returning")
    func removal() {
        let freed = Shared(0)
        registerToken(freed)
        _ = center.api(type: Numbering.self)
        #expect(freed.value == 0)
        center.removeApi(api: Numbering.self)
        #expect(freed.value == 1)
    }

    @Test("A builder is freed by replaceApi, by removeAll and by the deallocation of its center")
    func otherWays() {
        let freed = Shared(0)
        registerToken(freed)
        registerToken(freed, replacing: true)
        #expect(freed.value == 1)
        center.removeAll()
        #expect(freed.value == 2)
        let another = ApiCenter()
        let token = Token { freed.update { $0 += 1 } }
        another.registerApi(type: Token.self) { token }
        _ = consume token
        _ = consume another
        #expect(freed.value == 3)
    }

    @Test("A builder that was registered before the table grew is freed when its Api is removed")
    func afterGrowth() {
        let freed = Shared(0)
        registerToken(freed)
        for api in manyApis(count: 200) { api.register(in: center) }
        #expect(freed.value == 0)
        center.removeApi(api: Numbering.self)
        #expect(freed.value == 1)
    }

    @Test("A builder that removes its own Api stays alive while it runs, and is freed when it returns")
    func selfRemoval() {
        let freed = Shared(0)
        let freedInside = Shared(-1)
        let token = Token { freed.update { $0 += 1 } }
        center.registerApi(type: Token.self) { center in
            center.removeApi(api: Token.self)
            freedInside.update { $0 = freed.value }
            return withExtendedLifetime(token) { Token {} }
        }
        _ = consume token
        #expect(center.api(type: Token.self) != nil)
        #expect(freedInside.value == 0)
        #expect(freed.value == 1)
    }

    @Test("The last thread to leave a removed builder frees the builder")
    func lastReader() {
        let freed = Shared(0)
        let inside = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let left = DispatchGroup()
        let token = Token { freed.update { $0 += 1 } }
        center.registerApi(type: Numbering.self) {
            inside.signal()
            goOn.wait(for: "the removal of the builder")
            return withExtendedLifetime(token) { Number(number: 1) }
        }
        _ = consume token
        for _ in 0..<3 {
            Thread.run(in: left) { _ = center.api(type: Numbering.self) }
        }
        for _ in 0..<3 { inside.wait(for: "a reader in the builder") }
        center.removeApi(api: Numbering.self)
        #expect(center.api(type: Numbering.self) == nil)
        #expect(freed.value == 0)
        for _ in 0..<3 { goOn.signal() }
        left.wait(for: "three readers")
        #expect(freed.value == 1)
    }

    @Test("What nested calls in every slot keep alive is freed when they return, and may use the center")
    func removalWithoutSlots() {
        let (freed, freedInside, depth) = (Shared(0), Shared(-1), Shared(0))
        let token = Token { [center] in
            freed.update { $0 += 1 }
            _ = center.api(type: Bool.self)
        }
        center.registerApi(type: Token.self) { token }
        _ = consume token
        // The removed builder waits for this call, so the center has to note it under its lock.
        center.registerApi(type: String.self) { "" }
        center.registerApi(type: Bool.self) { center in
            center.removeApi(api: String.self)
            return true
        }
        center.registerApi(type: Int.self) { center in
            depth.update { $0 += 1 }
            if depth.value < 80 { return (center.api(type: Int.self) ?? 0) + 1 }
            center.removeApi(api: Token.self)
            freedInside.update { $0 = freed.value }
            return 1
        }
        #expect(center.api(type: Int.self) == 80)
        #expect(freedInside.value == 0)
        #expect(freed.value == 1)
        #expect(!center.isRegisteredApi(api: String.self))
    }

    @Test("Thousands of replaced builders stay alive during a running call and are freed when it returns")
    func manyWaiting() {
        let freed = Shared(0), freedInside = Shared(-1)
        center.registerApi(type: Int.self) { [center] in
            // Each replaced builder stays alive until the builder that runs here returns. The cost of a
            // replacement must not grow with the number of replaced builders.
            for _ in 0..<5000 {
                let token = Token { freed.update { $0 += 1 } }
                center.replaceApi(type: Token.self) { token }
            }
            freedInside.update { $0 = freed.value }
            return 1
        }
        #expect(center.api(type: Int.self) == 1)
        #expect(freedInside.value == 0)
        #expect(freed.value == 4999)
        center.removeAll()
        #expect(freed.value == 5000)
    }

    @Test("The deinit of an object captured by a builder may use the center")
    func deinitUsesTheCenter() {
        let names = Shared<[String]>([])
        let token = Token { [center] in
            center.registerApi(type: Int.self) { 1 }
            names.update { $0 = center.allRegisteredApi() }
        }
        center.registerApi(type: Token.self) { token }
        _ = consume token
        center.removeApi(api: Token.self)
        #expect(names.value == ["Swift.Int"])
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("Memory stays flat over many rounds of replacing and removing while other threads read")
    func memoryIsFlat() async {
        // Runs in a separate process, because other tests use memory too.
        await #expect(processExitsWith: .success) { Self.replaceWhileOthersRead() }
    }

    /// Not async, because the function blocks while it waits for threads.
    private static func replaceWhileOthersRead() {
        #if DEBUG
        let rounds = isUnderThreadSanitizer ? 10_000 : 100_000
        #else
        let rounds = 1_000_000
        #endif
        let center = ApiCenter()
        let freed = Shared(0)
        let isOver = Shared(false)
        let readers = DispatchGroup()
        let reads = (0..<2).map { _ in Shared(0) }
        for count in reads {
            Thread.run(in: readers) {
                while !isOver.value {
                    _ = center.api(type: Numbering.self)?.number
                    count.update { $0 += 1 }
                }
            }
        }
        var memory = 0
        // The last two marks. A mark consists of a round and the number of reads by each reader up to that round.
        // Every call that was in progress at one mark has returned by the next mark.
        var marks = [(round: 0, reads: [0, 0]), (round: 0, reads: [0, 0])]
        var round = 0, checks = 0, late = 0
        // On a busy machine, the readers may need more rounds until a check is possible.
        while round < rounds || checks == 0 && round < 100 * rounds {
            round += 1
            // From this round on, memory must not grow.
            if round == rounds / 10 { memory = residentMemory() }
            let now = round % 100 == 1 ? reads.map(\.value) : nil
            let token = Token { freed.update { $0 += 1 } }
            center.replaceApi(type: Numbering.self) { [round] in
                withExtendedLifetime(token) { Number(number: round) }
            }
            if round.isMultiple(of: 3) { continue }
            center.removeApi(api: Numbering.self)
            guard let now, zip(now, marks[1].reads).allSatisfy({ $0 >= $1 + 3 }) else { continue }
            // The guarantee: a builder that was replaced before a mark has no readers at the next mark, and has
            // been freed by the mark after that. (A reader that the system suspends keeps objects alive, but
            // also delays the next mark.)
            if marks[0].round > 0 {
                if freed.value < marks[0].round { late += 1 }
                checks += 1
            }
            marks = [marks[1], (round, reads.map(\.value))]
        }
        #expect(late == 0)
        #expect(checks > 0, "the readers did not get far enough in \(round) rounds")
        // The bound is far less than one object per round. Runs under ThreadSanitizer are exempt, because the
        // sanitizer's history uses memory too.
        let bound = max(4 << 20, round * 16)
        if !isUnderThreadSanitizer { #expect(residentMemory() - memory < bound) }
        isOver.update { $0 = true }
        readers.wait(for: "two readers")
        center.removeAll()
        #expect(freed.value == round)
    }
    #endif
}
