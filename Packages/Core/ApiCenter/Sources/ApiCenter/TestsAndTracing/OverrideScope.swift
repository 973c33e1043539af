import Synchronization

/// One scope of ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)``: its overrides, and the values that
/// `once` and `weakSingleton` have built inside it. A scope lives as long as any task is in it.
final class OverrideScope: Sendable {
    /// The current task's innermost scope, of any center.
    @TaskLocal static var current: OverrideScope?

    /// The result of looking up an Api in a scope.
    typealias Found = ApiOverrides.Entry

    private let center: ApiCenter
    private let overrides: ApiOverrides
    private let outer: OverrideScope?
    let sessions = Sessions()
    /// This scope's own copy (twin) of each build-once cell. The original cell is retained, so that no other
    /// object can reuse its identity.
    private let twins = Locked<[ObjectIdentifier: (cell: AnyObject & Sendable, twin: AnyObject & Sendable)]>(
        [:])

    init(center: ApiCenter, overrides: ApiOverrides) {
        self.center = center
        self.overrides = overrides
        outer = Self.current
        center.gate.openScope()
    }

    deinit { center.gate.closeScope() }

    /// The innermost scope of `center`, searched from this scope outwards.
    func scope(of center: ApiCenter) -> OverrideScope? {
        var scope: OverrideScope? = self
        while let candidate = scope, candidate.center !== center { scope = candidate.outer }
        return scope
    }

    /// The override of an Api in this scope, or in the nearest enclosing scope of the same center that
    /// overrides the Api.
    func find(_ key: ObjectIdentifier) -> Found? {
        overrides.entries[key] ?? outer?.scope(of: center)?.find(key)
    }

    /// Applies the overrides of this scope and of the enclosing ones to a list of registered Apis.
    func apply(to types: inout [ObjectIdentifier: Any.Type]) {
        outer?.scope(of: center)?.apply(to: &types)
        for (key, entry) in overrides.entries {
            types[key] = entry.box == nil ? nil : entry.type
        }
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
}

extension ApiCenter {
    /// This center's innermost scope in the current task, or nil.
    var currentScope: OverrideScope? {
        guard gate.hasOverrides else { return nil }
        return OverrideScope.current?.scope(of: self)
    }
}
