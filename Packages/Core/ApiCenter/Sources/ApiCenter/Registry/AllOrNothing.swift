/// Records the registrations made inside ``ApiCenter/allOrNothing(_:)``, so that they can be rolled back.
final class RegistrationLog: Sendable {
    /// The log of the current task's innermost `allOrNothing` call; nil outside such calls.
    @TaskLocal static var current: RegistrationLog?

    /// A registration, and the registration that it replaced, if any.
    typealias Entry = (box: AnyApiBox, replaced: AnyApiBox?)

    private let center: ApiCenter
    private let outer: RegistrationLog?
    private let entries = Locked<[Entry]>([])

    init(center: ApiCenter) {
        self.center = center
        outer = Self.current
    }

    /// Records a registration made in `center` in this log and in the enclosing logs, except in logs of other
    /// centers.
    func note(_ entry: Entry, in center: ApiCenter) {
        if center === self.center { entries.withLock { $0.append(entry) } }
        outer?.note(entry, in: center)
    }

    /// The recorded registrations, newest first.
    var newestFirst: [Entry] { entries.withLock { $0 }.reversed() }
}

/// The registrations that one call of ``ApiCenter/allOrNothing(_:)`` made, for rolling them back later.
public struct ApiRegistrations: Sendable {
    private let log: RegistrationLog
    private let center: ApiCenter

    fileprivate init(_ log: RegistrationLog, in center: ApiCenter) {
        (self.log, self.center) = (log, center)
    }

    /// Undoes the registrations. If an Api has since been registered again or replaced, the newer registration is kept.
    /// Callers that already have an IMP keep it.
    public func rollBack() {
        for entry in log.newestFirst { center.rollBack(entry) }
    }
}

extension ApiCenter {
    /// Runs `registering`, and rolls back its registrations in this center if the closure throws.
    ///
    /// A host registers each module through this method, so that a failing module leaves none of its Apis
    /// registered. Removals are not rolled back. Registrations that other tasks make during the call are
    /// kept. If an Api has since been registered again or replaced, the newer registration is kept too.
    ///
    /// - Returns: The registrations, for a caller that may have to roll them back later. The value keeps the center and
    ///   the replaced builders alive.
    /// - Throws: The error that `registering` throws.
    @discardableResult
    public func allOrNothing(_ registering: () throws -> Void) rethrows -> ApiRegistrations {
        let log = RegistrationLog(center: self)
        let registrations = ApiRegistrations(log, in: self)
        do {
            try RegistrationLog.$current.withValue(log, operation: registering)
        } catch {
            registrations.rollBack()
            throw error
        }
        return registrations
    }
}
