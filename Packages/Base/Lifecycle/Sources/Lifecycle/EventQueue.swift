/// Runs operations one at a time, in the order they reach the queue.
actor EventQueue {
    private var last: Task<LifecycleReport, Never>?

    /// Runs `operation` after all earlier operations. Cancelling the caller cancels `operation`.
    func run(_ operation: @escaping @Sendable () async -> LifecycleReport) async -> LifecycleReport {
        let task = Task { [last] in
            _ = await last?.value
            return await operation()
        }
        last = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
