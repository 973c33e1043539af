import Foundation
import GRPCCore
import RemotePairs
import TestSupport
import Testing

@Suite("Streams from another process", .oneAtATime, .waitLimit)
struct StreamTests {
    private func passage(_ number: Int) -> DoorPassage {
        DoorPassage(number: number, passenger: "Mia", station: "Zoo")
    }

    @Test("The elements arrive in order, and the stream ends")
    func elements() async throws {
        var door = TestDoor()
        door.onPassages = { station in
            AsyncThrowingStream { continuation in
                for number in 0..<500 {
                    continuation.yield(DoorPassage(number: number, passenger: "Mia", station: station))
                }
                continuation.finish()
            }
        }
        try await Loopback.serve(door) { loopback in
            var numbers: [Int] = []
            for try await passage in try await loopback.door.passages(at: "Zoo") {
                #expect(passage.station == "Zoo")
                numbers.append(passage.number)
            }
            #expect(numbers == Array(0..<500))
        }
    }

    @Test(
        "A declared error arrives unchanged, whether it is thrown instead of a stream or at the stream's end")
    func typedErrors() async throws {
        var door = TestDoor()
        door.onPassages = { station throws(DoorApiError) in
            if station == "?" { throw .unknownCode }
            return AsyncThrowingStream { continuation in
                continuation.yield(DoorPassage(number: 1, passenger: "Mia", station: nil))
                continuation.finish(throwing: DoorApiError.closed(until: 2))
            }
        }
        try await Loopback.serve(door) { loopback in
            await #expect(throws: DoorApiError.unknownCode) { try await loopback.door.passages(at: "?") }
            var iterator = try await loopback.door.passages(at: "Zoo").makeAsyncIterator()
            #expect(try await iterator.next()?.number == 1)
            await #expect(throws: DoorApiError.closed(until: 2)) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
        }
    }

    @Test("An error that the Api does not declare ends the stream with a RemoteError")
    func undeclaredErrors() async throws {
        var door = TestDoor()
        door.onPassages = { _ in AsyncThrowingStream { $0.finish(throwing: TestDoor.Undeclared()) } }
        try await Loopback.serve(door) { loopback in
            var iterator = try await loopback.door.passages(at: "Zoo").makeAsyncIterator()
            let error = await thrown { _ = try await iterator.next() } as? RemoteError
            #expect(error?.code == .failed)
            #expect(error?.detail == "the IMP threw Undeclared()")
        }
    }

    @Test("A stream that the server cancels fails as unreachable, not as cancelled")
    func cancelledByServer() async throws {
        var door = TestDoor()
        door.onPassages = { _ in
            AsyncThrowingStream { $0.finish(throwing: RPCError(code: .cancelled, message: "no time left")) }
        }
        try await Loopback.serve(door) { loopback in
            var iterator = try await loopback.door.passages(at: "Zoo").makeAsyncIterator()
            let error = await thrown { _ = try await iterator.next() } as? RemoteError
            #expect(error?.code == .unreachable)
            #expect(error?.detail.hasPrefix("no time left. ") == true)
        }
    }

    @Test("A slow reader stops the producer after 512 KiB and 64 elements")
    func backPressure() async throws {
        let produced = Shared(0)
        let text = String(repeating: "a", count: 1 << 10)
        var door = TestDoor()
        door.onPassages = { _ in
            AsyncThrowingStream {
                produced.value += 1
                return DoorPassage(number: produced.value, passenger: text, station: nil)
            }
        }
        try await Loopback.serve(door) { loopback in
            var iterator = try await loopback.door.passages(at: "Zoo").makeAsyncIterator()
            #expect(try await iterator.next()?.number == 1)
            // The producer has stopped if it produces nothing during many other calls.
            var before = -1
            while produced.value != before, produced.value < 600 {
                before = produced.value
                for _ in 0..<200 { _ = try await loopback.door.code(for: "Mia") }
            }
            #expect(produced.value < 600)
            for number in 2...1500 { #expect(try await iterator.next()?.number == number) }
        }
    }

    @Test("Releasing a stream, or cancelling its reader, stops the producer", arguments: [true, false])
    func cancelling(byReleasing: Bool) async throws {
        let stopped = Moment()
        var door = TestDoor()
        door.onPassages = { _ in
            AsyncThrowingStream { continuation in
                continuation.onTermination = { _ in stopped.happens() }
                continuation.yield(DoorPassage(number: 1, passenger: "Mia", station: nil))
            }
        }
        try await Loopback.serve(door) { loopback in
            if byReleasing {
                var stream: AsyncThrowingStream? = try await loopback.door.passages(at: "Zoo")
                for try await _ in try #require(stream) { break }
                stream = nil
            } else {
                let first = Moment()
                let reader = Task {
                    for try await _ in try await loopback.door.passages(at: "Zoo") { first.happens() }
                }
                await first.wait()
                reader.cancel()
                _ = await reader.result
            }
            await stopped.wait()
        }
    }

    @Test("A stream may stay open past the deadline for calls")
    func longStreams() async throws {
        let elapsed = Moment()
        var door = TestDoor()
        door.onPassages = { _ in
            AsyncThrowingStream(unfolding: {
                await elapsed.wait()
                return DoorPassage(number: 1, passenger: "Mia", station: nil)
            })
        }
        door.onRing = { _ in await Moment().wait() }
        try await Loopback.serve(door, calling: .deadline(.seconds(1))) { loopback in
            // On a busy machine, the deadline may pass before the stream is open.
            var stream: AsyncThrowingStream<DoorPassage, any Error>?
            while stream == nil { stream = try? await loopback.door.passages(at: "Zoo") }
            var iterator = try #require(stream).makeAsyncIterator()
            // This call lasts until its deadline.
            await #expect(throws: DoorApiError.self) { try await loopback.door.ring(times: 1) }
            elapsed.happens()
            #expect(try await iterator.next()?.number == 1)
        }
    }

    @Test("A stream that the server does not open in time fails")
    func openingDeadline() async throws {
        var door = TestDoor()
        door.onPassages = { _ in
            await Moment().wait()
            return AsyncThrowingStream { $0.finish() }
        }
        try await Loopback.serve(door, calling: .deadline(.milliseconds(200))) { loopback in
            let error = await thrown { _ = try await loopback.door.passages(at: "Zoo") } as? DoorApiError
            #expect(error?.text.contains("no answer arrived within 0.2 s") == true)
        }
    }
}
