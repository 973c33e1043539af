import ApiCenter
import Links

/// An installed target with its actions.
///
/// `InstalledTarget` is a class, so that `===` detects whether a target was replaced while its state was being created.
final class InstalledTarget: Sendable {
    let name: String
    let actions: [String: Link]

    /// The file and line of the first action of the target; its module is the module that answers.
    let site: CallSite

    private init(name: String, site: CallSite, actions: [String: Link]) {
        (self.name, self.site, self.actions) = (name, site, actions)
    }

    /// Groups the actions among a module's links by target.
    ///
    /// - Throws: ``MediatorError`` with `emptyName`, `duplicateAction`, or `duplicateTarget` if two `LinkTarget`s have
    ///   the same name, or if two names differ in case alone.
    static func all(in links: [Link]) throws(MediatorError) -> [InstalledTarget] {
        var targets: [String: (name: String, links: [Link], actions: [String: Link])] = [:]
        for link in links {
            guard case .action(let target, let action) = link.name else { continue }
            if target.isEmpty || action.isEmpty {
                throw MediatorError(.emptyName("\(link.site)"), target: target, action: action)
            }
            var installed = targets[target.lowercased()] ?? (target, [], [:])
            if let earlier = installed.links.first, installed.name != target {
                throw .duplicate(target: target, sites: earlier.site, link.site)
            }
            if let earlier = installed.actions.updateValue(link, forKey: action) {
                throw .duplicate(target: target, action: action, sites: earlier.site, link.site)
            }
            if let maker = link.makeState,
                let earlier = installed.links.first(where: { $0.makeState != nil && $0.makeState !== maker })
            {
                throw .duplicate(target: target, sites: earlier.site, link.site)
            }
            installed.links.append(link)
            targets[target.lowercased()] = installed
        }
        return targets.values.compactMap { target in
            target.links.first.map {
                InstalledTarget(name: target.name, site: $0.site, actions: target.actions)
            }
        }
    }
}
