import GateApi
import Locking

/// The streams that report passages as they happen. Thread-safe.
final class PassageStreams: Sendable {
    private typealias Continuation = AsyncThrowingStream<GatePassage, any Error>.Continuation

    private struct State {
        var streams: [Int: (station: String, continuation: Continuation)] = [:]
        var count = 0
    }

    private let state = Locked(State())

    /// Opens a stream that buffers only the newest 100 passages, so that a stalled loop does not exhaust the memory.
    func stream(of station: String) -> AsyncThrowingStream<GatePassage, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: GatePassage.self, bufferingPolicy: .bufferingNewest(100))
        let number = state.withLock { state in
            state.count += 1
            state.streams[state.count] = (station, continuation)
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ passage: GatePassage) {
        // Yields outside the lock, because a stream that terminates meanwhile calls `onTermination`, which takes the
        // lock.
        for (station, continuation) in state.withLock({ Array($0.streams.values) })
        where station == passage.station { continuation.yield(passage) }
    }

    deinit {
        for (_, continuation) in state.withLock({ Array($0.streams.values) }) { continuation.finish() }
    }
}
