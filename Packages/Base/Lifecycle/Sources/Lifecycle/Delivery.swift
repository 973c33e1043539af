import Synchronization

/// An event under way, as those know who send another from inside it.
///
/// A task that a module starts inherits it, and may live on; so it knows whether it is over.
final class Delivery: Sendable {
    /// The innermost delivery that the task is part of, of whichever host.
    @TaskLocal static var current: Delivery?

    private let host: ObjectIdentifier
    private let outer: Delivery?
    private let isOver = Atomic(false)

    init(of host: ModuleHost) {
        self.host = ObjectIdentifier(host)
        outer = Self.current
    }

    func end() { isOver.store(true, ordering: .releasing) }

    /// Whether this delivery, or one around it, is one of that host and is not over.
    func isUnderWay(of host: ModuleHost) -> Bool {
        if self.host == ObjectIdentifier(host), !isOver.load(ordering: .acquiring) { return true }
        return outer?.isUnderWay(of: host) ?? false
    }
}
