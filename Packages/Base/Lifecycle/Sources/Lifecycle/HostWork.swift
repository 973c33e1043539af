/// A module's part in the preparation or in the delivery of an event, or a step of the app. The part marks its tasks, so
/// that the host recognises the events that they send.
///
/// Tasks that a module starts inherit the mark and may outlive the part, which then counts no more.
final class HostWork: Sendable {
    /// The parts, of any host, that the current task belongs to, the innermost last. Some of them may have ended.
    @TaskLocal static var current: [HostWork] = []

    let part: ModuleHost.Part
    private let host: ObjectIdentifier
    /// When the part is out of time, by the host's stopwatch.
    let end: Duration
    /// The events that are delivered while the part waits for them.
    let events = EventQueue()

    init(_ part: ModuleHost.Part, of host: ModuleHost, until end: Duration) {
        (self.part, self.host, self.end) = (part, ObjectIdentifier(host), end)
    }

    /// Runs `operation` as this part, nested in the current task's unfinished parts, and waits for the events that the part
    /// has sent. (Ended parts are dropped. Otherwise they would accumulate in an endless chain of events in which a task
    /// from each delivery sends the next event.)
    func run<Result>(operation: () async -> Result) async -> Result {
        let result = await Self.$current.withValue(
            Self.current.filter(\.events.isOpen) + [self], operation: operation)
        await events.turn(of: events.close())
        return result
    }

    /// The innermost unfinished part of `host` that the current task belongs to.
    static func underWay(of host: ModuleHost) -> HostWork? {
        current.last { $0.host == ObjectIdentifier(host) && $0.events.isOpen }
    }
}
