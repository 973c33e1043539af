/// The outcome of one phase of the lifecycle, which is either registration or one event.
public struct LifecycleReport: Sendable, Hashable {
    /// How a module's part of the phase ended.
    public enum Outcome: Sendable, Hashable {
        /// The module completed its part.
        case succeeded
        /// The module threw an error. The associated value is the error's description.
        case failed(String)
        /// The module was still busy when its time limit expired. The associated value is this limit: the
        /// module's own, or the rest of the event's. The module's task was cancelled, and the host no longer
        /// waits for the task.
        case timedOut(Duration)
        /// The module was not called: it had failed to register, or earlier modules had used up the event's
        /// time.
        case skipped
    }

    /// One module's part of the phase.
    public struct Entry: Sendable, Hashable {
        /// The module's name.
        public let module: String
        /// How long the module's part took.
        public let duration: Duration
        /// How the module's part ended.
        public let outcome: Outcome
    }

    /// The name of the phase: `register`, or the event's description.
    public let phase: String

    /// One entry per module, in the order the modules were called.
    public let entries: [Entry]

    /// The entries of the modules that did not succeed.
    public var failures: [Entry] { entries.filter { $0.outcome != .succeeded } }
}
