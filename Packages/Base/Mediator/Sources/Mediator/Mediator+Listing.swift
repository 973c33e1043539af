/// One line of a mediator's listing: an action and the target it belongs to.
public struct ActionListing: Hashable, Sendable {
    /// The target's name.
    public let target: String
    /// The action's name.
    public let action: String
    /// Whether it takes `await`.
    public let isAsync: Bool
    /// Whether calls from outside reach it.
    public let isRemote: Bool
    /// The file and line that installed it.
    public let site: String
}

extension Mediator {
    /// All actions of all targets, sorted by target and action.
    ///
    /// A target that is made on demand and not cached is made once to be listed, outside of any lock, and
    /// not kept.
    ///
    /// - Complexity: O(n log n), and making the targets.
    public func allActions() -> [ActionListing] {
        let (targets, cached) = state.withLock { ($0.targets, $0.cached) }
        return targets.values.flatMap { installed -> [ActionListing] in
            let table =
                switch installed.source {
                case .table(let table): table
                case .made(let make): cached[installed.name] ?? make()
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
