import Locking
import Offers

/// Connects modules that call each other by the names of a target and an action, with plain parameters.
///
/// A module offers its actions (`Offer.action`) without importing this library, and the app installs them.
/// Callers name a target and an action, usually through a facade: an extension of this class in another
/// package. `performTarget(_:action:params:shouldCacheTarget:)` is for calls from inside the app.
/// `openUrl(_:options:)` is for calls from outside, which reach only actions that are offered
/// `from: .outside`.
///
/// All operations are thread-safe. Actions, guards, the not-found handler and the functions that create target states
/// are called outside the lock, so they may call, install and remove targets. A call uses the targets that are
/// installed when it begins, even if they are removed during the call.
///
/// Source: seed 2.
public final class Mediator: Sendable {
    /// The default mediator, for an app that does not create its own.
    ///
    /// Tests create their own mediators.
    public static let shared = Mediator()

    /// The name of a target's optional fallback action, which handles calls to actions that the target lacks.
    public static let notFoundAction = "notFound"

    let state = Locked(State())

    /// Creates a mediator without targets.
    public init() {}

    /// Installs all actions among a module's offers, or none of them if one is invalid. Offers of routes are
    /// ignored.
    ///
    /// The actions of an `OfferedTarget` share state. A call creates the state if none is cached. The mediator caches
    /// the state only if the call passes `shouldCacheTarget: true`. The order of installations does not matter.
    ///
    /// - Parameter offers: The module's offers.
    /// - Throws: ``MediatorError`` with `emptyName`, `duplicateAction`, or `duplicateTarget` if a target is
    ///   already installed.
    /// - Complexity: O(number of actions).
    public func install(_ offers: [Offer]) throws(MediatorError) {
        let targets = try InstalledTarget.all(in: offers)
        try state.withLock { (state) throws(MediatorError) in
            for target in targets {
                if let earlier = state.targets[target.name] {
                    throw .duplicate(target: target.name, sites: earlier.site, target.site)
                }
            }
            for target in targets { state.targets[target.name] = target }
        }
    }

    /// Removes a target, its actions and its cached state.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether the target was installed.
    @discardableResult
    public func remove(target: String) -> Bool {
        // The state is released outside the lock, because releasing it may run the app's deinitialisers.
        let removed = state.withLock { state in
            (state.targets.removeValue(forKey: target), state.cached.removeValue(forKey: target))
        }
        return removed.0 != nil
    }

    /// Removes a target's state from the cache. The next call creates new state.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether state was cached.
    @discardableResult
    public func releaseCachedTarget(_ target: String) -> Bool {
        // The state is released outside the lock, because releasing it may run the app's deinitialisers.
        let released = state.withLock { $0.cached.removeValue(forKey: target) }
        return released != nil
    }

    /// Adds a guard for calls from outside the app.
    ///
    /// When a call comes from outside the app, the guards are called before the action, in the order they were added.
    /// When a guard returns a reason, the call is denied, and no further guard is called. Local calls bypass guards.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to deny it, as text for the error.
    public func addGuard(_ check: @escaping @Sendable (MediatorCall) -> String?) {
        state.withLock { $0.guards.append(check) }
    }

    /// Sets the handler for calls whose target or action does not exist.
    ///
    /// If the target has a ``notFoundAction``, that action is called instead of the handler. A call from outside the
    /// app calls that action only if the action is offered to such calls.
    ///
    /// - Parameter handler: Gets the call with its original target, action and parameters, and the error that would
    ///   be thrown without the handler. The handler's value or error becomes the result of the call. Nil removes the
    ///   current handler.
    public func setNotFound(
        _ handler: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
    ) {
        _ = state.withLock { state in
            defer { state.notFound = handler }
            return state.notFound
        }
    }
}
