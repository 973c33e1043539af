import APIServiceTesting
import TestSupport
import Testing

@testable import APIService

@Suite("Deadlines that share one sleeping task", .waitLimit)
struct DeadlineTests {
    private let clock = VirtualClock()
    private let deadlines: Deadlines

    init() { deadlines = Deadlines(clock: clock) }

    /// Waits until the signal fires, and returns its reason.
    private func end(_ signal: CancelSignal) async -> APIError {
        await withCheckedContinuation { waiter in signal.onFire { waiter.resume(returning: $0) } }
    }

    @Test(
        "Signals added in any order fire at their own deadlines, and only one task sleeps"
    )
    func limits() async {
        let signals = (0..<3).map { _ in CancelSignal() }
        _ = deadlines.add(signals[0], after: .seconds(60))
        _ = deadlines.add(signals[1], after: .seconds(60))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        _ = deadlines.add(signals[2], after: .seconds(20))
        while clock.sleeps != [.seconds(20)] { await Task.yield() }
        clock.advance(by: .seconds(20))
        #expect(await end(signals[2]) == .timedOut)
        #expect(signals[0].reason == nil)
        await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(30)])
        clock.advance(by: .seconds(30))
        #expect(await end(signals[0]) == .timedOut)
        #expect(await end(signals[1]) == .timedOut)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("A removed deadline never fires, and no task sleeps once all deadlines are gone")
    func removed() async {
        let signals = [CancelSignal(), CancelSignal()]
        let first = deadlines.add(signals[0], after: .seconds(1))
        _ = deadlines.add(signals[1], after: .seconds(3))
        await clock.waitForSleepers(1)
        deadlines.remove(first)
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(1)
        #expect(clock.sleeps == [.seconds(2)])
        clock.advance(by: .seconds(2))
        #expect(await end(signals[1]) == .timedOut)
        #expect(signals[0].reason == nil)
        #expect(clock.sleeps.isEmpty)
    }
}
