import APIService
import APIServiceTesting
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("A call from an actor", .timeLimit(.minutes(10)), .waitLimit)
struct CallerTests {
    /// An actor whose code runs on a queue of its own.
    private actor Caller {
        private final class Executor: SerialExecutor {
            let queue = DispatchQueue(label: "caller")
            init() { queue.setSpecific(key: Caller.mark, value: true) }
            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        private static let mark = DispatchSpecificKey<Bool>()
        private let executor = Executor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        /// Whether the calling code runs on the queue of an actor of this type.
        static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

        /// Sends a request from the actor's code. Returns whether it was parsed there.
        func parses(with service: APIService) async throws -> Bool {
            #expect(Self.isCurrent)
            let place = try await service.sendRequest(TestRequest(Place.self))
            #expect(Self.isCurrent)
            return place.isCaller
        }
    }

    private struct Place: APIParsable {
        let isCaller: Bool
        static func parse(data: Data) throws -> Self { Self(isCaller: Caller.isCurrent) }
    }

    @Test("Its response is parsed off the actor, and the call returns to the actor")
    func leavesActor() async throws {
        let service = APIService(client: StubAPIClient { _ in .text("") }, config: testSettings())
        #expect(try await !Caller().parses(with: service))
    }
}
