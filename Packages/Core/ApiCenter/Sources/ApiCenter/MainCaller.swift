import Dispatch
import Synchronization

/// Where the caller of an `onMain` builder stands.
///
/// Only the runtime knows it exactly, and only in `assumeIsolated`, which stops the process. Queue and thread
/// tell less: in a queue's `sync` the main actor's code is on that queue, and on Linux the main queue leaves the
/// main thread. So this answers for tasks alone, and leaves the rest to the runtime.
enum MainCaller {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is a task that runs elsewhere than on the main actor.
    static var isElsewhere: Bool {
        // Nothing is done with the task but to see that there is one.
        let isInTask = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
        guard isInTask, DispatchQueue.getSpecific(key: key) != true else { return false }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        // A task of the main actor's runs at once, on this thread, if the caller is there; else it waits its turn.
        let answer = Answer()
        Task.immediate { @MainActor in answer.thread.store(currentThread(), ordering: .relaxed) }
        return answer.thread.load(ordering: .relaxed) != currentThread()
    }

    /// The thread that the task ran on; 0 before.
    private final class Answer: Sendable {
        let thread = Atomic<ThreadID>(0)
    }
}
