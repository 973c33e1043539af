import Dispatch
import Foundation
import Providers

/// An interface for tests, with synchronous and async work that may fail.
protocol WorkerProtocol: Sendable {
    var name: String { get }
    func work() throws(WorkError) -> String
    func workLong() async throws(WorkError) -> String
}

struct WorkError: Error, Hashable, CustomStringConvertible {
    let description: String
}

/// A worker that runs a closure from the test.
struct Worker: WorkerProtocol {
    let name: String
    var onWork: @Sendable () throws(WorkError) -> Void = {}

    func work() throws(WorkError) -> String {
        try onWork()
        return name
    }

    func workLong() async throws(WorkError) -> String {
        await Task.yield()
        return try work()
    }

    /// A worker that always fails with an error that contains its name.
    static func failing(_ name: String) -> Worker {
        Worker(name: name) { () throws(WorkError) in throw WorkError(description: "\(name) is broken") }
    }
}

/// An object that runs a closure in its deinitialiser.
final class Token: Sendable {
    private let onDeinit: @Sendable () -> Void
    init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
    deinit { onDeinit() }
}

/// Runs `body` on `count` threads concurrently, and returns when all threads have finished.
func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = DispatchGroup()
    let ready = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    for index in 0..<count {
        ready.enter()
        done.enter()
        Thread {
            ready.leave()
            start.wait()
            body(index)
            done.leave()
        }.start()
    }
    ready.wait()
    for _ in 0..<count { start.signal() }
    done.wait()
}
