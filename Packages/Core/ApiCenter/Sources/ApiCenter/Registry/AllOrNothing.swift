/// Records the registrations made inside ``ApiCenter/allOrNothing(_:)``, so that they can be rolled back.
final class RegistrationLog: Sendable {
    /// The log of the current task's innermost `allOrNothing` call; nil outside such calls.
    @TaskLocal static var current: RegistrationLog?

    /// A registration, and a function that undoes it in the center or in the scope of overrides that contains it.
    typealias Entry = (box: AnyApiBox, undo: @Sendable () -> Void)

    private let center: ApiCenter
    private let outer: RegistrationLog?
    private let log = Locked<[Entry]>([])

    init(center: ApiCenter) { (self.center, outer) = (center, Self.current) }

    /// Records a registration made in `center` in this log and in the enclosing logs, except in logs of other
    /// centers.
    func note(_ box: AnyApiBox, in center: ApiCenter, undo: @escaping @Sendable () -> Void) {
        if center === self.center { log.withLock { $0.append((box, undo)) } }
        outer?.note(box, in: center, undo: undo)
    }

    /// The recorded registrations, oldest first.
    var entries: [Entry] { log.withLock { $0 } }
}

/// The registrations that one call of ``ApiCenter/allOrNothing(_:)`` made, for building their IMPs or rolling them back
/// later.
public struct ApiRegistrations: Sendable {
    fileprivate let log: RegistrationLog
    let center: ApiCenter

    /// The registrations, oldest first.
    var boxes: [AnyApiBox] { log.entries.map(\.box) }

    /// Undoes the registrations. If an Api has since been registered again or replaced, the newer registration is kept.
    /// Callers that already have an IMP keep it.
    ///
    /// Registrations that were made inside a scope of overrides are undone there, whichever task calls this method.
    /// Thread-safe.
    public func rollBack() { for entry in log.entries.reversed() { entry.undo() } }
}

extension ApiCenter {
    /// Runs `registering`, and rolls back its registrations in this center if the closure throws.
    ///
    /// A host registers each module through this method, so that a failing module leaves none of its Apis
    /// registered. Removals are not rolled back. Registrations that other tasks make during the call are
    /// kept. If an Api has since been registered again or replaced, the newer registration is kept too.
    ///
    /// - Returns: The registrations, for a caller that builds their IMPs, or may have to roll them back later. The value
    ///   keeps the center and the replaced builders alive.
    /// - Throws: The error that `registering` throws.
    @discardableResult
    public func allOrNothing(_ registering: () throws -> Void) rethrows -> ApiRegistrations {
        let log = RegistrationLog(center: self)
        let registrations = ApiRegistrations(log: log, center: self)
        do {
            try RegistrationLog.$current.withValue(log, operation: registering)
        } catch {
            registrations.rollBack()
            throw error
        }
        return registrations
    }
}
