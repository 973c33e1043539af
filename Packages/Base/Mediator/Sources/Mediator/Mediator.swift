import Links
import Locking

/// Connects modules that call each other by the names of a target and an action, with plain parameters.
///
/// A module lists its actions (`Link.action`) without importing this library, and the app installs them.
/// Callers name a target and an action, usually through a facade: an extension of this class in another
/// package. `performTarget(_:action:params:shouldCacheTarget:)` is for calls from inside the app.
/// `openUrl(_:options:)` is for calls from outside, which reach only actions that are written
/// `from: .outside`.
///
/// All operations are thread-safe. Actions, the functions that the app sets, and those that create target states
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

    /// The app's functions, each at most once.
    struct Hooks: Sendable {
        var check: (@Sendable (MediatorCall) -> String?)?
        var notFound: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
        var observer: LinkObserver?
    }

    /// The state that the lock protects.
    struct State: Sendable {
        var targets: [String: InstalledTarget] = [:]
        /// The targets' names by their names in lower case, for calls from outside.
        var names: [String: String] = [:]
        /// The cached states by target name.
        var cached: [String: any Sendable] = [:]
        var hooks = Hooks()
    }

    let state = Locked(State())

    /// Creates a mediator without targets.
    public init() {}

    /// Installs all actions among a module's links, or none of them if one is invalid. Routes are ignored.
    ///
    /// The actions of a `LinkTarget` share state. A call creates the state if none is cached. The mediator caches
    /// the state only if the call passes `shouldCacheTarget: true`. The order of installations does not matter.
    ///
    /// - Parameter links: The module's links.
    /// - Throws: ``MediatorError`` with `emptyName`, `duplicateAction`, or `duplicateTarget` if a target is
    ///   already installed, even with another case.
    /// - Complexity: O(number of actions).
    public func install(_ links: [Link]) throws(MediatorError) {
        let targets = try InstalledTarget.all(in: links)
        try state.withLock { (state) throws(MediatorError) in
            for target in targets {
                if let name = state.names[target.name.lowercased()], let earlier = state.targets[name] {
                    throw .duplicate(target: target.name, sites: earlier.site, target.site)
                }
            }
            for target in targets {
                state.targets[target.name] = target
                state.names[target.name.lowercased()] = target.name
            }
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
            let removed = state.targets.removeValue(forKey: target)
            if removed != nil { state.names[target.lowercased()] = nil }
            return (removed, state.cached.removeValue(forKey: target))
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

    /// Sets the guard of calls from outside the app, which runs after an action is found and before it is called. Calls
    /// from inside are not asked about.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to deny it, as text for the error. Nil removes
    ///   the current guard.
    public func setGuard(_ check: (@Sendable (MediatorCall) -> String?)?) {
        change { $0.check = check }
    }

    /// Sets the handler for calls whose target or action does not exist.
    ///
    /// If the target has a ``notFoundAction``, that action is called instead of the handler. A call from outside the
    /// app calls that action only if the action is open to such calls.
    ///
    /// - Parameter handler: Gets the call with its original target, action and parameters, and the error that would
    ///   be thrown without the handler. The handler's value or error becomes the result of the call. Nil removes the
    ///   current handler.
    public func setNotFound(
        _ handler: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
    ) {
        change { $0.notFound = handler }
    }

    /// Sets the observer of all calls; nil removes it. A mediator without an observer has no overhead for this feature.
    public func setObserver(_ observer: LinkObserver?) {
        change { $0.observer = observer }
    }

    private func change(_ change: (inout Hooks) -> Void) {
        // The old functions are released outside the lock, because releasing them may run the app's deinitialisers.
        let old = state.withLock { state in
            defer { change(&state.hooks) }
            return state.hooks
        }
        _ = consume old
    }
}
