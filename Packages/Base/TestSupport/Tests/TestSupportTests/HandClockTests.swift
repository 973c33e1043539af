import TestSupport
import Testing

@Suite("HandClock", .timeLimit(.minutes(10)), .waitLimit)
struct HandClockTests {
    @Test("The clock wakes each task at its deadline, and no earlier")
    func advance() async throws {
        let clock = HandClock(), woken = Shared<[Int]>([])
        let sleepers = [1, 2].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.update { $0.append(seconds) }
            }
        }
        await clock.untilAsleep(2)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleeperCount == 2)
        clock.advance(by: .milliseconds(1))
        try await sleepers[0].value
        #expect(woken.value == [1] && clock.sleeperCount == 1)
        #expect(clock.now.offset == .seconds(1))
        clock.advance(by: .seconds(1))
        try await sleepers[1].value
        #expect(woken.value == [1, 2] && clock.sleeperCount == 0)
    }

    @Test("The duration between two instants does not depend on the time before them")
    func duration() {
        let clock = HandClock()
        clock.advance(by: .seconds(1))
        let now = clock.now, later = now.advanced(by: .seconds(2))
        #expect(now < later && now.duration(to: later) == .seconds(2))
    }

    @Test("A cancelled task sleeps on, and throws when the clock wakes it")
    func cancelled() async throws {
        let clock = HandClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.untilAsleep()
        sleeper.cancel()
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
