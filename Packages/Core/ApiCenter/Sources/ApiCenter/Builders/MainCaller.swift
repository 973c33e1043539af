import Dispatch
import Synchronization

/// Detects callers of an `onMain` builder that are not on the main actor.
///
/// Only the runtime knows reliably whether code is on the main actor, but its check, `assumeIsolated`, stops
/// the process if the code is not. The current queue and thread are weaker evidence: inside the `sync` of
/// another queue, main-actor code runs on that queue, and on Linux the main queue may leave the main thread.
/// So this type decides only for callers in a task, and leaves all other callers to the runtime.
enum MainCaller {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is a task that is known to run off the main actor.
    static var isElsewhere: Bool {
        // The task is only compared with nil.
        let isInTask = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
        guard isInTask, DispatchQueue.getSpecific(key: key) != true else { return false }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        // If the caller is on the main actor, an immediate task of that actor runs synchronously on this
        // thread; otherwise the task is enqueued.
        let answer = Answer()
        Task.immediate { @MainActor in answer.thread.store(currentThread(), ordering: .relaxed) }
        return answer.thread.load(ordering: .relaxed) != currentThread()
    }

    /// The thread that ran the immediate task; 0 until it has run.
    private final class Answer: Sendable { let thread = Atomic<ThreadID>(0) }
}
