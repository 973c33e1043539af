import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

@Suite("The task of an exchange in an async function", .waitLimit)
struct APIStreamTaskTests {
    @Test("The first end is the last event")
    func ended() async {
        let events = Recorded<[APIStreamEvent]>([])
        let done = Door()
        let task = APIStreamTask({ event in events.update { $0.append(event) } }) { emit in
            for event in [APIStreamEvent.end(nil), .piece(Data([1])), .end(.cancelled)] { emit(event) }
            done.open()
        }
        task.resume()
        await done.pass()
        task.cancel()
        guard case .end(nil) = events.value.first else {
            Issue.record("\(events.value)")
            return
        }
        #expect(events.value.count == 1)
    }

    @Test("An exchange starts once, and not after it was cancelled", arguments: [false, true])
    func starts(isCancelled: Bool) async {
        let (runs, go, ended) = (Recorded(0), Door(), Door())
        let task = APIStreamTask({ _ in ended.open() }) { emit in
            _ = runs.next()
            await go.pass()
            emit(.end(nil))
        }
        if isCancelled { task.cancel() }
        for _ in 0..<2 { task.resume() }
        go.open()
        await ended.pass()
        #expect(runs.value == (isCancelled ? 0 : 1))
    }

    @Test("Cancelling an exchange cancels the task of its work")
    func cancelled() async {
        let (started, cancelled) = (Door(), Door())
        let task = APIStreamTask({ _ in }) { _ in
            started.open()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            cancelled.open()
        }
        task.resume()
        await started.pass()
        task.cancel()
        await cancelled.pass()
    }
}
