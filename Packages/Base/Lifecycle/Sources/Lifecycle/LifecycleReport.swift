/// How one phase of the lifecycle went: registering, or one event. One entry a module, in the order in which
/// they were called.
public struct LifecycleReport: Sendable, Hashable {
    /// How a module's part went.
    public enum Outcome: Sendable, Hashable {
        /// It is done.
        case succeeded
        /// It threw; the error's description.
        case failed(String)
        /// It was still busy after this time: its limit, or what was left of the event's. Its task was cancelled and not waited for any longer.
        case timedOut(Duration)
        /// It was not called: it had failed to register, or those before it had used up the event's time.
        case skipped
    }

    /// One module's part.
    public struct Entry: Sendable, Hashable {
        /// The module's name.
        public let module: String
        /// How long it took.
        public let duration: Duration
        /// How it went.
        public let outcome: Outcome
    }

    /// `register`, or the event's description.
    public let phase: String

    /// The modules' parts, in the order in which they were called.
    public let entries: [Entry]

    /// The parts that did not succeed.
    public var failures: [Entry] { entries.filter { $0.outcome != .succeeded } }
}
