/// Runs operations one after the other, in the order in which they reach the queue.
actor EventQueue {
    private var last: Task<LifecycleReport, Never>?

    /// Runs `operation` when all earlier ones are done. Cancelling the caller cancels it.
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
