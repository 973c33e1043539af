/// What is registered while ``ApiCenter/allOrNothing(_:)`` runs, so that it can be taken back.
final class RegistrationLog: Sendable {
    /// The innermost log of the task.
    @TaskLocal static var current: RegistrationLog?

    /// A box, and the one that it replaced.
    typealias Entry = (box: AnyApiBox, replaced: AnyApiBox?)

    private let center: ApiCenter
    private let outer: RegistrationLog?
    private let entries = Locked<[Entry]>([])

    init(center: ApiCenter) {
        self.center = center
        outer = Self.current
    }

    /// Notes a registration of that center, here and in the logs around.
    func note(_ entry: Entry, in center: ApiCenter) {
        if center === self.center { entries.withLock { $0.append(entry) } }
        outer?.note(entry, in: center)
    }

    /// All that was noted, the last one first.
    var backwards: [Entry] { entries.withLock { $0 }.reversed() }
}

extension ApiCenter {
    /// Runs `registering`; if that throws, takes back what it has registered and replaced in this center.
    ///
    /// For those who let others register, as an app's host lets its modules: an Api whose module failed is then
    /// absent, and not half made. What was removed stays removed. What other tasks register meanwhile is left
    /// alone; so is an Api that somebody has registered anew or replaced since.
    ///
    /// - Throws: What `registering` throws.
    public func allOrNothing(_ registering: () throws -> Void) rethrows {
        let log = RegistrationLog(center: self)
        do {
            try RegistrationLog.$current.withValue(log, operation: registering)
        } catch {
            for entry in log.backwards { takeBack(entry) }
            throw error
        }
    }
}
