import Synchronization

/// The delivery of one event. The delivery marks its tasks, and an event sent from a marked task is delivered
/// immediately instead of being queued.
///
/// Tasks that a module starts inherit the mark and may outlive the delivery, so the mark records whether the
/// delivery has finished.
final class Delivery: Sendable {
    /// The deliveries, from any host, that the current task is part of. Some of these deliveries may have
    /// ended.
    @TaskLocal static var current: [Delivery] = []

    private let host: ObjectIdentifier
    private let isOver = Atomic(false)

    private init(of host: ModuleHost) {
        self.host = ObjectIdentifier(host)
    }

    /// Runs `operation` as part of a delivery of `host`, nested in the current task's unfinished deliveries.
    /// (Finished deliveries are dropped. Otherwise they would accumulate in an endless chain of events in which a
    /// task from each delivery sends the next event.)
    static func of<Result>(_ host: ModuleHost, operation: () async -> Result) async -> Result {
        let delivery = Delivery(of: host)
        defer { delivery.isOver.store(true, ordering: .releasing) }
        return await $current.withValue(current.filter(\.isUnderWay) + [delivery], operation: operation)
    }

    /// Whether the current task is part of an unfinished delivery of `host`.
    static func isUnderWay(of host: ModuleHost) -> Bool {
        current.contains { $0.host == ObjectIdentifier(host) && $0.isUnderWay }
    }

    private var isUnderWay: Bool { !isOver.load(ordering: .acquiring) }
}
