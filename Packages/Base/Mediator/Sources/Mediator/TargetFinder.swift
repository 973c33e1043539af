import Links
import Locking

/// Finds actions by the names of their targets, and keeps the targets' cached states.
final class TargetFinder: LinkFinder {
    private struct State: Sendable {
        var actions: [Link.Name: Link] = [:]
        /// The actions of each target by its name in lower case, as the host of a URL has it.
        var targets: [String: [Link]] = [:]
        /// The cached states by target name.
        var cached: [String: any Sendable] = [:]
    }

    let kind = Link.Kind.action
    private let state = Locked(State())

    func find(_ call: LinkCall) throws(LinkError) -> FoundLink { try find(call, caching: false) }

    /// Finds the action that a call names.
    func find(_ call: LinkCall, caching: Bool) throws(LinkError) -> FoundLink {
        let name = if let name = call.name { name } else { try self.name(call) }
        if let link = state.withLock({ $0.actions[name] }) {
            return FoundLink(link, makeState: makeState(for: link, caching))
        }
        return try fallback(name, call.origin, caching)
    }

    /// The name of the action that a URL names. Its target is compared without case.
    private func name(_ call: LinkCall) throws(LinkError) -> Link.Name {
        guard let url = call.url, url.scheme != nil, let host = url.host, url.path.count == 1,
            let action = url.path.first
        else { throw LinkError(.notTargetAction, url: call.requested) }
        let target = state.withLock { $0.targets[host]?.first?.name.target }
        return .action(target: target ?? host, action: action)
    }

    /// The target's action that answers calls to actions that the target lacks.
    private func fallback(
        _ name: Link.Name, _ origin: Link.Callers, _ caching: Bool
    ) throws(LinkError) -> FoundLink {
        guard case .action(let target, let action) = name else { throw LinkError(.noMatch, name: name) }
        let links = state.withLock { $0.targets[target.lowercased()] } ?? []
        guard links.first?.name.target == target else {
            throw LinkError(.targetNotFound, name: name, similar: links.first?.name.target)
        }
        let fallback = links.first { $0.name.action == Mediator.notFoundAction }
        if let fallback, origin == .inside || fallback.callers == .outside {
            let values = ["@target": target, "@action": action]
            return FoundLink(fallback, values: values, makeState: makeState(for: fallback, caching))
        }
        let similar = links.compactMap(\.name.action).sorted().first {
            $0.lowercased() == action.lowercased()
        }
        throw LinkError(.actionNotFound, name: name, similar: similar)
    }

    /// A closure that gets the state for a call from the cache, or makes it; nil for an action without state.
    private func makeState(for link: Link, _ caching: Bool) -> (@Sendable () -> any Sendable)? {
        guard let maker = link.makeState, let target = link.name.target else { return nil }
        return { [self] in
            // The target may have been removed or replaced after the call began. The state cached under the target's
            // name may then belong to the replacement.
            let cached = state.withLock { $0.actions[link.name] === link ? $0.cached[target] : nil }
            if let cached { return cached }
            let made = maker.make()
            guard caching else { return made }
            return state.withLock { state in
                guard state.actions[link.name] === link else { return made }
                if let earlier = state.cached[target] { return earlier }
                state.cached[target] = made
                return made
            }
        }
    }

    func add(_ links: [Link], with others: () throws(LinkError) -> Void = {}) throws(LinkError) {
        var targets: [String: [Link]] = [:]
        for link in links {
            guard let target = link.name.target, let action = link.name.action else { continue }
            if target.isEmpty || action.isEmpty {
                throw LinkError(.emptyName("\(link.site)"), name: link.name)
            }
            let earlier = targets[target.lowercased(), default: []].first {
                $0.name == link.name || $0.name.target != target
                    || $0.makeState != nil && link.makeState != nil && $0.makeState !== link.makeState
            }
            if let earlier { throw conflict(earlier, link) }
            targets[target.lowercased(), default: []].append(link)
        }
        try state.withLock { (state) throws(LinkError) in
            for (key, links) in targets {
                if let earlier = state.targets[key] { throw conflict(earlier[0], links[0]) }
            }
            try others()
            state.targets.merge(targets) { $1 }
            for link in links { state.actions[link.name] = link }
        }
    }

    private func conflict(_ earlier: Link, _ later: Link) -> LinkError {
        let places =
            "\(AppURL.quoted("\(earlier.name)")) at \(earlier.site) (this action is at \(later.site); "
        return LinkError(
            .conflict(places + "a module installs a target once, whatever its case)"), name: later.name)
    }

    /// Removes a target, its actions and its cached state.
    func remove(_ target: String) -> Bool {
        // The state is released outside the lock, because releasing it may run the app's deinitialisers.
        let removed = state.withLock { state -> (links: [Link], cached: (any Sendable)?)? in
            let key = target.lowercased()
            guard let links = state.targets[key], links[0].name.target == target else { return nil }
            state.targets[key] = nil
            for link in links { state.actions[link.name] = nil }
            return (links, state.cached.removeValue(forKey: target))
        }
        return removed != nil
    }

    /// Removes a target's state from the cache.
    func releaseState(of target: String) -> Bool {
        let released = state.withLock { $0.cached.removeValue(forKey: target) }
        return released != nil
    }

    /// All actions, sorted by target and action.
    func all() -> [Link] {
        let order = { (link: Link) in (link.name.target ?? "", link.name.action ?? "") }
        return state.withLock { $0.actions }.values.sorted { order($0) < order($1) }
    }
}
