import Synchronization

/// One scope of ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)``: its overrides, and the values that
/// `once` and `weakSingleton` have built inside it. A scope lives as long as any task is in it.
final class OverrideScope: Sendable {
    /// The current task's innermost scope, of any center.
    @TaskLocal static var current: OverrideScope?

    /// The override of one Api: the registration that replaces the one outside the scope; nil if the Api is absent inside.
    struct Override { let box: AnyApiBox? }

    private let center: ApiCenter
    private let outer: OverrideScope?
    private let overrides = Locked<[ObjectIdentifier: Override]>([:])
    /// Whether the closure that fills the scope is running. A registration then replaces any other. Relaxed ordering is
    /// enough: the task that clears the flag starts the operation's tasks afterwards.
    private let isFilling = Atomic(true)
    let sessions = Sessions()
    /// This scope's own copy (twin) of each build-once cell. The original cell is retained, so that no other
    /// object can reuse its identity.
    private let twins = Locked<[ObjectIdentifier: (cell: AnyObject & Sendable, twin: AnyObject & Sendable)]>(
        [:])

    private init(center: ApiCenter) {
        (self.center, outer) = (center, Self.current)
        center.gate.openScope()
    }

    deinit { center.gate.closeScope() }

    /// A new scope inside the current one, whose overrides are what `edits` does to the center.
    static func filled(in center: ApiCenter, by edits: (ApiCenter) throws -> Void) rethrows -> OverrideScope {
        let scope = OverrideScope(center: center)
        try $current.withValue(scope) { try edits(center) }
        scope.isFilling.store(false, ordering: .relaxed)
        return scope
    }

    /// The innermost scope of `center`, searched from this scope outwards.
    func scope(of center: ApiCenter) -> OverrideScope? {
        self.center === center ? self : outer?.scope(of: center)
    }

    // MARK: Look up

    /// The override of an Api in this scope, or in the nearest enclosing scope of the same center that
    /// overrides the Api.
    func find(_ key: ObjectIdentifier) -> Override? {
        overrides.withLock { $0[key] } ?? outer?.scope(of: center)?.find(key)
    }

    /// Applies the overrides of this scope and of the enclosing ones to the registrations of the center.
    func apply(to boxes: inout [ObjectIdentifier: AnyApiBox]) {
        outer?.scope(of: center)?.apply(to: &boxes)
        for (key, override) in overrides.withLock({ $0 }) { boxes[key] = override.box }
    }

    /// This scope's twin of a build-once cell, created at first use.
    func twin<Cell: AnyObject & Sendable>(of cell: Cell, make: () -> Cell) -> Cell {
        twins.withLock { twins in
            // The cast succeeds: this function stores a twin of the same type as its cell.
            if let twin = twins[ObjectIdentifier(cell)]?.twin as? Cell { return twin }
            let twin = make()
            twins[ObjectIdentifier(cell)] = (cell, twin)
            return twin
        }
    }

    // MARK: Edit

    // The closures return what they remove instead of releasing it, so that no deinit runs under the lock.

    /// Overrides an Api and returns nil. If the scope already sees an IMP of the Api and `replacing` is false, changes
    /// nothing and returns the registration that the scope sees.
    func put(_ box: AnyApiBox, replacing: Bool) -> AnyApiBox? {
        let replacing = replacing || isFilling.load(ordering: .relaxed)
        let outside = outer?.scope(of: center)?.find(box.key).map(\.box) ?? center.registered(box.key)
        return overrides.withLock { overrides -> (first: AnyApiBox?, old: Override?) in
            let old = overrides[box.key]
            if !replacing, let first = old.map(\.box) ?? outside { return (first, nil) }
            overrides[box.key] = Override(box: box)
            // A log does not keep the scope alive.
            RegistrationLog.current?.note(
                .init(box, replacing: old) { [weak self] in self?.undo($0) }, in: center)
            return (nil, old)
        }.first
    }

    /// Makes an Api absent.
    func remove(_ key: ObjectIdentifier) {
        _ = overrides.withLock { $0.updateValue(Override(box: nil), forKey: key) }
    }

    /// Undoes a registration: see ``ApiCenter``.
    private func undo(_ box: AnyApiBox) {
        overrides.withLock { overrides in
            let current = overrides[box.key]?.box
            // The caller holds the registration, so that no deinit runs under the lock.
            if current === box { overrides[box.key] = box.older } else { current?.forget(box) }
        }
    }
}

extension ApiCenter {
    /// This center's innermost scope in the current task, or nil.
    var currentScope: OverrideScope? { gate.hasOverrides ? OverrideScope.current?.scope(of: self) : nil }
}
