/// Records the registrations made inside ``ApiCenter/allOrNothing(_:)``, so that they can be rolled back.
final class RegistrationLog: Sendable {
    /// The log of the current task's innermost `allOrNothing` call; nil outside such calls.
    @TaskLocal static var current: RegistrationLog?

    /// A registration as long as it exists, and a function that undoes it in the center or in the scope of overrides that
    /// contains it.
    struct Entry {
        weak let box: AnyApiBox?
        let undo: @Sendable (AnyApiBox) -> Void
    }

    private let center: ApiCenter
    private let outer: RegistrationLog?
    /// The recorded registrations, oldest first, and whether the call still records.
    private let log = Locked<(entries: [Entry], isOpen: Bool)>(([], true))

    init(center: ApiCenter) { (self.center, outer) = (center, Self.current) }

    /// Records a registration made in `center` in this log and in the enclosing logs, except in logs of other centers and
    /// in logs whose calls have returned. (A task that was started in such a call inherits its log.)
    ///
    /// The caller holds the lock that guards `box.replaced`.
    func note(
        _ box: AnyApiBox, replacing old: OverrideScope.Override?, in center: ApiCenter,
        undo: @escaping @Sendable (AnyApiBox) -> Void
    ) {
        log.withLock { log in
            guard log.isOpen, center === self.center else { return }
            box.replaced = old
            log.entries.append(Entry(box: box, undo: undo))
        }
        outer?.note(box, replacing: old, in: center, undo: undo)
    }

    /// Ends the recording.
    func close() { log.withLock { $0.isOpen = false } }

    var entries: [Entry] { log.withLock { $0.entries } }
}

/// The registrations that one call of ``ApiCenter/allOrNothing(_:)`` made, for building their IMPs or rolling them back
/// later.
public struct ApiRegistrations: Sendable {
    fileprivate let log: RegistrationLog
    let center: ApiCenter

    /// The registrations that still exist, oldest first.
    var boxes: [AnyApiBox] { log.entries.compactMap(\.box) }

    /// Undoes the registrations, and frees their builders and what the scope `once` keeps. If an Api has since been
    /// registered again or replaced, the newer registration is kept, and its own rollback does not restore the older one.
    /// Callers that already have an IMP keep it.
    ///
    /// Registrations that were made inside a scope of overrides are undone there, whichever task calls this method.
    /// Thread-safe.
    public func rollBack() {
        for entry in log.entries.reversed() { if let box = entry.box { entry.undo(box) } }
    }
}

extension AnyApiBox {
    /// Removes an undone registration from the registrations that this one and the ones before it replaced.
    func forget(_ undone: AnyApiBox) {
        if replaced?.box === undone { replaced = undone.replaced } else { replaced?.box?.forget(undone) }
    }
}

extension ApiCenter {
    /// Runs `registering`, and rolls back its registrations in this center if the closure throws.
    ///
    /// A host registers each module through this method, so that a failing module leaves none of its Apis
    /// registered. Removals are not rolled back. Registrations that other tasks make during the call are
    /// kept, except by tasks that the closure starts. If an Api has since been registered again or replaced, the newer
    /// registration is kept too. An IMP that the closure replaces is kept until the new registration is replaced or
    /// removed, because a rollback restores it.
    ///
    /// - Returns: The registrations, for a caller that builds their IMPs, or may have to roll them back later. The value
    ///   keeps the center alive.
    /// - Throws: The error that `registering` throws.
    @discardableResult
    public func allOrNothing(_ registering: () throws -> Void) rethrows -> ApiRegistrations {
        let registrations = ApiRegistrations(log: RegistrationLog(center: self), center: self)
        defer { registrations.log.close() }
        do {
            try RegistrationLog.$current.withValue(registrations.log, operation: registering)
        } catch {
            registrations.rollBack()
            throw error
        }
        return registrations
    }
}
