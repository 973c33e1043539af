import Dispatch

/// Runs tasks on a thread of their own, outside the pool of threads that Swift shares among all tasks.
///
/// The pool has about one thread for each core. If modules blocked all of them, no time limit could expire. The queue is
/// serial, so Dispatch gives it a thread however many others are blocked.
final class Lane: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: The name of the thread, for debuggers.
    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
