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
        /// The module was not called: it had failed to register or to prepare, it was left out for another reason, or
        /// earlier modules had used up the phase's time.
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

        /// Creates an entry.
        public init(module: String, duration: Duration, outcome: Outcome) {
            (self.module, self.duration, self.outcome) = (module, duration, outcome)
        }
    }

    /// The name of the phase: `register`, `prepare`, or the event's description.
    public let phase: String

    /// One entry per module, in the order the modules were called.
    public var entries: [Entry]

    /// Problems that concern no single module, such as ApiCenter being linked twice (see `ApiCenter.linkedTwice`), which
    /// the registration and the preparation report.
    public var warnings: [String]

    /// Creates a report, for a phase that a library adds to those of a host.
    public init(phase: String, entries: [Entry], warnings: [String] = []) {
        (self.phase, self.entries, self.warnings) = (phase, entries, warnings)
    }

    /// The entries of the modules that did not succeed.
    public var failures: [Entry] { entries.filter { $0.outcome != .succeeded } }
}

/// Observes the phases of a host, for a log or a trace.
///
/// The observer runs when a module begins a phase: `register`, `prepare`, or an event's description. It returns a
/// function that runs when the host no longer waits for the module, with the outcome. A module that is skipped does not
/// begin. Both functions run on any thread, possibly on several at once. They must not block it, because time limits
/// wait for them.
public typealias LifecycleObserver =
    @Sendable (_ phase: String, _ module: String) -> @Sendable (LifecycleReport.Outcome) -> Void
