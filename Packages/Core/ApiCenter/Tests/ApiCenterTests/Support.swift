import ApiCenter
import Dispatch
import Foundation
import Synchronization

/// An Api with state, for tests.
protocol Counting: Sendable {
    func increment()
    var count: Int { get }
}

final class Counter: Counting {
    private let value = Atomic(0)
    func increment() { value.wrappingAdd(1, ordering: .relaxed) }
    var count: Int { value.load(ordering: .relaxed) }
}

/// An Api that returns a number, for tests.
protocol Numbering: Sendable {
    var number: Int { get }
}

struct Number: Numbering {
    let number: Int
}

/// An object that reports its deinit.
final class Token: Sendable {
    private let onDeinit: @Sendable () -> Void
    init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
    deinit { onDeinit() }
}

/// A value that threads share under a lock.
///
/// Unchecked: the value is accessed only while the lock is held. (A `Mutex` would be simpler, but
/// ThreadSanitizer does not recognise it.)
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var storage: Value
    init(_ value: Value) { storage = value }
    var value: Value { lock.withLock { storage } }
    func update(_ change: (inout Value) -> Void) { lock.withLock { change(&storage) } }
}

/// Runs test code on dedicated threads, so that the code may block.
enum Thread {
    static func run(
        in group: DispatchGroup, stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
    ) {
        group.enter()
        let thread = Foundation.Thread {
            body()
            group.leave()
        }
        thread.stackSize = stackSize
        thread.start()
    }

    static var isMain: Bool { Foundation.Thread.isMainThread }

    /// Lets other threads run.
    static func yield() { sched_yield() }

    /// Waits until a condition holds. Stops the process after ten minutes, or after the number of seconds in the
    /// environment variable `TEST_WAIT_LIMIT`.
    static func wait(for what: String, until isReached: () -> Bool) {
        let start = ContinuousClock.now
        while !isReached() {
            if start.duration(to: .now) >= .seconds(waitLimit) { stop(waitingFor: what) }
            yield()
        }
    }

    fileprivate static let waitLimit =
        ProcessInfo.processInfo.environment["TEST_WAIT_LIMIT"].flatMap(Double.init) ?? 600

    fileprivate static func stop(waitingFor what: String) -> Never {
        fatalError("a test has waited \(waitLimit) seconds for \(what)")
    }

    /// Runs `body` on `count` threads concurrently and returns when all threads are done.
    static func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let done = DispatchGroup()
        let ready = DispatchGroup()
        let start = DispatchSemaphore(value: 0)
        for index in 0..<count {
            ready.enter()
            run(in: done) {
                ready.leave()
                start.wait(for: "the other threads of a race")
                body(index)
            }
        }
        ready.wait(for: "the start of \(count) threads")
        for _ in 0..<count { start.signal() }
        done.wait(for: "\(count) threads")
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, with the limit of ``Thread/wait(for:until:)``.
    @available(*, noasync)
    func wait(for what: String) {
        if wait(timeout: .now() + Thread.waitLimit) == .timedOut { Thread.stop(waitingFor: what) }
    }
}

extension DispatchGroup {
    /// Waits until all threads of the group have ended, with the limit of ``Thread/wait(for:until:)``.
    @available(*, noasync)
    func wait(for what: String) {
        if wait(timeout: .now() + Thread.waitLimit) == .timedOut { Thread.stop(waitingFor: what) }
    }
}

/// The process's resident memory in bytes; 0 on systems without /proc.
func residentMemory() -> Int {
    guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
}

/// Whether this process was built with `--sanitize=thread`.
let isUnderThreadSanitizer = {
    // A handle for the program and its loaded libraries. The symbol is only looked up, never called.
    let program = unsafe dlopen(nil, RTLD_NOW)
    return unsafe dlsym(program, "__tsan_init") != nil
}()
