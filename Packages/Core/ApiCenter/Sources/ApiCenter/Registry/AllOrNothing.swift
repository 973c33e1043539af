/// Records the registrations made inside ``ApiCenter/allOrNothing(_:)``, so that they can be rolled back.
final class RegistrationLog: Sendable {
    /// The log of the current task's innermost `allOrNothing` call; nil outside such calls.
    @TaskLocal static var current: RegistrationLog?

    /// A registration, and the function that undoes it in the center, or in the scope of overrides that contains it.
    /// Shared by all logs that record the registration. Holds the registration weakly.
    final class Entry: Sendable {
        typealias Undo = @Sendable (AnyApiBox) -> Void
        weak let box: AnyApiBox?
        let undo: Undo

        init(_ box: AnyApiBox, replacing old: OverrideScope.Override?, undo: @escaping Undo) {
            (self.box, self.undo) = (box, undo)
            box.replaced.withLock { $0 = old }
        }

        // No log can undo the registration any more, so nothing can restore the one that it replaced. The closure returns
        // that one instead of releasing it, so that no deinit runs under the lock.
        deinit { _ = box?.replaced.withLock { $0.take() } }
    }

    let center: ApiCenter
    private let outer: RegistrationLog?
    /// The recorded registrations, oldest first, and whether the call still records.
    private let log = Locked<(entries: [Entry], isOpen: Bool)>(([], true))

    init(center: ApiCenter) { (self.center, outer) = (center, Self.current) }

    /// Records a registration made in `center` in this log and in the enclosing logs, except in logs of other centers and
    /// in logs whose calls have returned. (A task that was started in such a call inherits its log.)
    func note(_ entry: Entry, in center: ApiCenter) {
        log.withLock { if $0.isOpen, center === self.center { $0.entries.append(entry) } }
        outer?.note(entry, in: center)
    }

    /// Ends the recording.
    func close() { log.withLock { $0.isOpen = false } }

    var entries: [Entry] { log.withLock { $0.entries } }
}

/// The registrations that one call of ``ApiCenter/allOrNothing(_:)`` made, for building their IMPs or rolling them back
/// later.
public struct ApiRegistrations: Sendable {
    let log: RegistrationLog

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
        replaced.withLock { old in
            if old?.box === undone { old = undone.older } else { old?.box?.forget(undone) }
        }
    }

    /// The registration that this one has replaced, if a rollback can restore it.
    var older: OverrideScope.Override? { replaced.withLock { $0 } }
}

extension ApiCenter {
    /// Runs `registering`, and rolls back its registrations in this center if the closure throws.
    ///
    /// A host registers each module through this method, so that a failing module leaves none of its Apis
    /// registered. Removals are not rolled back. Registrations that other tasks make during the call are
    /// kept, except by tasks that the closure starts. If an Api has since been registered again or replaced, the newer
    /// registration is kept too. An IMP that the closure replaces is kept as long as a rollback can restore it: until
    /// the returned value is released, or until the new registration is removed, or is replaced and cannot itself be
    /// restored.
    ///
    /// - Returns: The registrations, for a caller that builds their IMPs, or may have to roll them back later. The value
    ///   keeps the center alive.
    /// - Throws: The error that `registering` throws.
    @discardableResult
    public func allOrNothing(_ registering: () throws -> Void) rethrows -> ApiRegistrations {
        let registrations = ApiRegistrations(log: RegistrationLog(center: self))
        do {
            defer { registrations.log.close() }
            try RegistrationLog.$current.withValue(registrations.log, operation: registering)
        } catch {
            registrations.rollBack()
            throw error
        }
        return registrations
    }
}
