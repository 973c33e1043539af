import TestSupport
import Testing

@testable import APIServiceTesting

@Suite("The clock for tests", .timeLimit(.minutes(10)), .waitLimit)
struct VirtualClockTests {
    private let clock = VirtualClock()

    @Test("Its time passes only when it is advanced, exactly")
    func time() {
        let start = clock.now
        clock.advance(by: .seconds(2))
        #expect(start.duration(to: clock.now) == .seconds(2))
        #expect(clock.now == start.advanced(by: .seconds(2)))
        #expect(start < clock.now && !(clock.now < clock.now) && !(clock.now < start))
        #expect(clock.minimumResolution == .zero)
    }

    @Test("A task sleeps until its deadline is reached, and not at all if the deadline has passed")
    func deadline() async throws {
        let isAwake = Shared(false)
        let sleeper = Task { [clock] in
            try await clock.sleep(for: .seconds(2))
            isAwake.update { $0 = true }
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleeps == [.seconds(1)] && !isAwake.value)
        clock.advance(by: .seconds(1))
        try await sleeper.value
        #expect(isAwake.value && clock.sleeps.isEmpty)
        try await clock.sleep(until: clock.now, tolerance: nil)
        try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)), tolerance: nil)
    }

    // In no order that a test could see: each task resumes on a thread of the pool.
    @Test("Tasks whose deadlines have passed wake, and the others sleep on")
    func due() async throws {
        let woken = Shared<[Int]>([])
        let tasks = [3, 1, 2, 4].map { seconds in
            Task { [clock] in
                try await clock.sleep(for: .seconds(seconds))
                woken.update { $0.append(seconds) }
            }
        }
        await clock.waitForSleepers(4)
        #expect(clock.sleeps == [1, 2, 3, 4].map { .seconds($0) })
        clock.advance(by: .seconds(3))
        for task in tasks.dropLast() { try await task.value }
        #expect(woken.value.sorted() == [1, 2, 3])
        #expect(clock.sleeps == [.seconds(1)])
        tasks[3].cancel()
    }

    @Test("A cancelled task wakes with an error, also if it was cancelled before it slept")
    func cancelled() async {
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        let late = Task { [clock] in
            await untilCancelled()
            try await clock.sleep(for: .seconds(1))
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(clock.sleeps.isEmpty)
    }

    @Test("A wait for more sleepers than there are ends when its task is cancelled, before or while it waits")
    func abandonedWait() async throws {
        let isOver = Shared(false)
        let wait = Task { [clock] in await clock.waitForSleepers(2) }
        let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        while clock.watchers < 1 { await Task.yield() }
        wait.cancel()
        await wait.value
        #expect(clock.watchers == 0)
        let late = Task { [clock] in
            await untilCancelled()
            await clock.waitForSleepers(2)
            isOver.update { $0 = true }
        }
        late.cancel()
        await late.value
        #expect(isOver.value)
        // A wait that was given up does not keep a later one from its end.
        let second = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        try await sleeper.value
        try await second.value
    }
}
