import Offers

/// The state that a mediator's lock protects.
struct State: Sendable {
    var targets: [String: InstalledTarget] = [:]
    /// The cached states by target name.
    var cached: [String: any Sendable] = [:]
    var guards: [@Sendable (MediatorCall) -> String?] = []
    var notFound: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
}

/// An installed target with its actions.
///
/// `InstalledTarget` is a class, so that `===` detects whether a target was replaced while its state was being created.
final class InstalledTarget: Sendable {
    let name: String
    let actions: [String: InstalledAction]

    /// The file and line of the first offer of the target.
    let site: String

    init(name: String, site: String, actions: [String: InstalledAction]) {
        (self.name, self.site, self.actions) = (name, site, actions)
    }

    /// Groups the actions among a module's offers by target.
    ///
    /// - Throws: ``MediatorError`` with `emptyName`, `duplicateAction`, or `duplicateTarget` if two
    ///   `OfferedTarget`s have the same name.
    static func all(in offers: [Offer]) throws(MediatorError) -> [InstalledTarget] {
        var targets:
            [String: (first: Offer, maker: (StateMaker, site: String)?, actions: [String: InstalledAction])] =
                [:]
        for offer in offers {
            guard case .action(let target, let action) = offer.name else { continue }
            if target.isEmpty || action.isEmpty {
                throw MediatorError(.emptyName, target: target, action: action, detail: offer.site)
            }
            var installed = targets[target] ?? (offer, nil, [:])
            if let earlier = installed.actions[action] {
                throw .duplicate(target: target, action: action, sites: earlier.site, offer.site)
            }
            if let maker = offer.makeState {
                if let earlier = installed.maker, earlier.0 !== maker {
                    throw .duplicate(target: target, sites: earlier.site, offer.site)
                }
                installed.maker = (maker, offer.site)
            }
            installed.actions[action] = InstalledAction(offer)
            targets[target] = installed
        }
        return targets.sorted { $0.key < $1.key }.map { name, target in
            InstalledTarget(name: name, site: target.first.site, actions: target.actions)
        }
    }
}

/// An installed action.
///
/// `InstalledAction` is a class, so that a call copies only a reference under the lock.
final class InstalledAction: Sendable {
    let handler: Handler<Offer.Call, (any Sendable)?>
    let isRemote: Bool
    let makeState: StateMaker?
    /// The file and line of the offer.
    let site: String

    init(_ offer: Offer) {
        (handler, isRemote, makeState) = (offer.handler, offer.callers == .outside, offer.makeState)
        site = offer.site
    }
}
