import Synchronization

/// An event under way, as those know who send another from inside it.
///
/// A task that a module starts inherits it, and may live on; so it knows whether it is over.
final class Delivery: Sendable {
    /// The deliveries that the task is part of, of whichever hosts: those that are under way, and a few that
    /// ended since the last one began.
    @TaskLocal static var current: [Delivery] = []

    private let host: ObjectIdentifier
    private let isOver = Atomic(false)

    private init(of host: ModuleHost) {
        self.host = ObjectIdentifier(host)
    }

    /// Runs `operation` as part of a delivery of that host, and of those around it that are not over. (Those
    /// that are must go: events that follow from each other without end would keep all before them.)
    static func of<Result>(_ host: ModuleHost, operation: () async -> Result) async -> Result {
        let delivery = Delivery(of: host)
        defer { delivery.isOver.store(true, ordering: .releasing) }
        return await $current.withValue(current.filter(\.isUnderWay) + [delivery], operation: operation)
    }

    /// Whether the task is part of a delivery of that host that is not over.
    static func isUnderWay(of host: ModuleHost) -> Bool {
        current.contains { $0.host == ObjectIdentifier(host) && $0.isUnderWay }
    }

    private var isUnderWay: Bool { !isOver.load(ordering: .acquiring) }
}
