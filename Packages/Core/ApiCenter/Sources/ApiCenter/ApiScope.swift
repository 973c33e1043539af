import Synchronization

/// One ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)`` under way: the overrides, and what
/// build-once builders have built inside. Lives as long as a task is in it.
final class ApiScope: Sendable {
    /// The innermost scope of the task, of whichever center.
    @TaskLocal static var current: ApiScope?

    /// What a scope has to say about an Api.
    typealias Found = ApiOverrides.Entry

    private let center: ApiCenter
    private let overrides: ApiOverrides
    private let outer: ApiScope?
    /// For each build-once cell its twin in this scope. The cell is kept, so that its identity stays taken.
    private let twins = Locked<[ObjectIdentifier: (cell: AnyObject & Sendable, twin: AnyObject & Sendable)]>(
        [:])

    init(center: ApiCenter, overrides: ApiOverrides) {
        self.center = center
        self.overrides = overrides
        outer = Self.current
        center.gate.openScope()
    }

    deinit { center.gate.closeScope() }

    /// The innermost scope of `center`, from here outwards.
    func scope(of center: ApiCenter) -> ApiScope? {
        var scope: ApiScope? = self
        while let candidate = scope, candidate.center !== center { scope = candidate.outer }
        return scope
    }

    /// What this scope, or one of the same center around it, says about an Api; nil when none says anything.
    func find(_ key: ObjectIdentifier) -> Found? {
        overrides.entries[key] ?? outer?.scope(of: center)?.find(key)
    }

    /// Adds and removes in a list of registered Apis what the scopes change.
    func apply(to types: inout [ObjectIdentifier: Any.Type]) {
        outer?.scope(of: center)?.apply(to: &types)
        for (key, entry) in overrides.entries {
            types[key] = entry.box == nil ? nil : entry.type
        }
    }

    /// This scope's own copy of a build-once cell, made at first use.
    func twin<Cell: AnyObject & Sendable>(of cell: Cell, make: () -> Cell) -> Cell {
        twins.withLock { twins in
            // Stored by this function under the identity of a cell of the same type.
            if let twin = twins[ObjectIdentifier(cell)]?.twin as? Cell { return twin }
            let twin = make()
            twins[ObjectIdentifier(cell)] = (cell, twin)
            return twin
        }
    }
}

extension ApiCenter {
    /// The scope that the calling task is in, of this center.
    var currentScope: ApiScope? {
        guard gate.hasOverrides else { return nil }
        return ApiScope.current?.scope(of: self)
    }
}
