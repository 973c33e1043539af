/// One action in the listing of a mediator.
public struct ActionListing: Hashable, Sendable {
    /// The target's name.
    public let target: String
    /// The action's name.
    public let action: String
    /// Whether a call needs `await`.
    public let isAsync: Bool
    /// Whether the action may be called from outside the app.
    public let isRemote: Bool
    /// The file and line of the installation.
    public let site: String
}

extension Mediator {
    /// All actions of all targets, sorted by target and action.
    ///
    /// A target that is created on demand and is not cached is created for the listing, outside the lock, and
    /// then discarded.
    ///
    /// - Complexity: O(n log n), plus the cost of creating the targets.
    public func allActions() -> [ActionListing] {
        let (targets, cached) = state.withLock { ($0.targets, $0.cached) }
        return targets.values.flatMap { installed -> [ActionListing] in
            let table =
                switch installed.source {
                case .table(let table): table
                case .factory(let make): cached[installed.name] ?? make()
                }
            return table.map { name, action in
                ActionListing(
                    target: installed.name, action: name, isAsync: action.isAsync,
                    isRemote: installed.remote.contains(name), site: installed.site)
            }
        }
        .sorted { ($0.target, $0.action) < ($1.target, $1.action) }
    }
}

extension InstalledAction {
    fileprivate var isAsync: Bool {
        if case .async = self { true } else { false }
    }
}
