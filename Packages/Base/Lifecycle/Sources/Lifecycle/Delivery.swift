/// An event that has its place in the queue of a host. See ``ModuleHost/post(_:immediately:)``.
public struct Delivery: Sendable {
    private let task: Task<LifecycleReport, Never>
    private let onCancel: @Sendable () -> Void

    /// Creates a delivery that `deliver` carries out in a task of its own. A library that wraps a host uses this
    /// initialiser to add to the host's report.
    ///
    /// - Parameters:
    ///   - onCancel: Runs in ``cancel()``, which may be called before the task begins.
    ///   - deliver: Returns the report of the delivery.
    public init(
        onCancel: @escaping @Sendable () -> Void, _ deliver: @escaping @Sendable () async -> LifecycleReport
    ) {
        (task, self.onCancel) = (Task(operation: deliver), onCancel)
    }

    init(_ task: Task<LifecycleReport, Never>) { (self.task, onCancel) = (task, {}) }

    /// Waits until every module has handled the event or has exceeded its time limit, and returns the report.
    ///
    /// Cancelling the task that waits cancels nothing else; see ``cancel()``.
    public var report: LifecycleReport {
        get async { await task.value }
    }

    /// Cancels the module that is handling the event. The remaining modules still get the event, in tasks that are
    /// already cancelled. Has no effect after the delivery.
    public func cancel() {
        task.cancel()
        onCancel()
    }
}
