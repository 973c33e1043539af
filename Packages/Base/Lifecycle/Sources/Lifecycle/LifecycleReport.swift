/// The outcome of one phase of the lifecycle: registration, preparation, or one event.
public struct LifecycleReport: Sendable, Hashable {
    /// How the phase ended for a module.
    public enum Outcome: Sendable, Hashable {
        /// The module completed the phase.
        case succeeded
        /// The module threw an error. The associated value is the error's description.
        case failed(String)
        /// The module was still busy when its time limit expired. The associated value is this limit: the
        /// module's own limit, or the time that was left for the event. The host has cancelled the module's task
        /// and no longer waits for it.
        case timedOut(Duration)
        /// The module was not called: it had failed to register or to prepare, or earlier modules had used up the
        /// phase's time.
        case skipped
    }

    /// The result of the phase for one module.
    public struct Entry: Sendable, Hashable {
        /// The module's name.
        public let module: String
        /// How long the module took.
        public let duration: Duration
        /// How the phase ended for the module.
        public let outcome: Outcome
    }

    /// The name of the phase: `register`, `prepare`, or the event's description.
    public let phase: String

    /// One entry per module, in the order the modules were called.
    public let entries: [Entry]

    /// Problems of the process that concern all modules. So far there is one: ApiCenter is linked twice (see
    /// `ApiCenter.linkedTwice`). The registration and the preparation report it.
    public var warnings: [String] = []

    /// The entries of the modules that did not succeed.
    public var failures: [Entry] { entries.filter { $0.outcome != .succeeded } }
}
