import ApiCenter
import Links

/// An installed target with its actions.
///
/// `InstalledTarget` is a class, so that `===` detects whether a target was replaced while its state was being created.
final class InstalledTarget: Sendable {
    let name: String
    let actions: [String: InstalledAction]

    /// The file and line of the first action of the target; its module is the module that answers.
    let site: CallSite

    private init(name: String, site: CallSite, actions: [String: InstalledAction]) {
        (self.name, self.site, self.actions) = (name, site, actions)
    }

    /// Groups the actions among a module's links by target.
    ///
    /// - Throws: ``MediatorError`` with `emptyName`, `duplicateAction`, or `duplicateTarget` if two `LinkTarget`s have
    ///   the same name, or if two names differ in case alone.
    static func all(in links: [Link]) throws(MediatorError) -> [InstalledTarget] {
        var targets: [String: (name: String, links: [Link], actions: [String: InstalledAction])] = [:]
        for link in links {
            guard case .action(let target, let action) = link.name else { continue }
            if target.isEmpty || action.isEmpty {
                throw MediatorError(.emptyName("\(link.site)"), target: target, action: action)
            }
            var installed = targets[AppURL.folded(target)] ?? (target, [], [:])
            if let earlier = installed.links.first, installed.name != target {
                throw .duplicate(target: target, sites: earlier.site, link.site)
            }
            if let earlier = installed.actions.updateValue(InstalledAction(link), forKey: action) {
                throw .duplicate(target: target, action: action, sites: earlier.link.site, link.site)
            }
            if let maker = link.makeState,
                let earlier = installed.links.first(where: { $0.makeState != nil && $0.makeState !== maker })
            {
                throw .duplicate(target: target, sites: earlier.site, link.site)
            }
            installed.links.append(link)
            targets[AppURL.folded(target)] = installed
        }
        return targets.values.compactMap { target in
            target.links.first.map {
                InstalledTarget(name: target.name, site: $0.site, actions: target.actions)
            }
        }
    }
}

/// An installed action.
///
/// `InstalledAction` is a class, so that a call copies only a reference under the lock.
final class InstalledAction: Sendable {
    let link: Link
    /// `target/action`, built once, for the errors of parameters.
    let text: String

    init(_ link: Link) {
        (self.link, text) = (link, link.name.description)
    }

    var isRemote: Bool { link.callers == .outside }
}
