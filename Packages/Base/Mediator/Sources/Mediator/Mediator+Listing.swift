import ApiCenter
import Links

/// One entry in the list of a mediator's actions.
public struct ActionListing: Hashable, Sendable {
    /// The target's name.
    public let target: String
    /// The action's name.
    public let action: String
    /// Whether URLs from outside the app may reach the action.
    public let isRemote: Bool
    /// The file and line of the action.
    public let site: CallSite
}

extension Mediator {
    /// All actions of all targets, sorted by target and action.
    ///
    /// - Complexity: O(n log n).
    public func allActions() -> [ActionListing] {
        let targets = state.withLock { $0.targets }
        return targets.values.flatMap { target in
            target.actions.map { name, link in
                ActionListing(
                    target: target.name, action: name, isRemote: link.callers == .outside, site: link.site)
            }
        }
        .sorted { ($0.target, $0.action) < ($1.target, $1.action) }
    }
}
