import Locking
import URLGrammar

/// Calls between modules by the name of a target and an action, with plain parameters.
///
/// A module offers its actions as tables of closures over standard types, without importing Mediator, and the
/// app shell installs the tables. Callers name a target and an action, usually through a facade: an extension
/// of this class in another package. `performTarget(_:action:params:shouldCacheTarget:)` is for calls from
/// inside the app. `openUrl(_:options:)` is for calls from outside, which reach only actions that are marked
/// remote.
///
/// All operations are thread-safe. Actions, guards, the not-found handler and the functions that create
/// targets are called outside the lock, so they may call, install and remove targets. A call uses the targets
/// that are installed when it begins, even if they are removed meanwhile.
///
/// Source: seed 2.
public final class Mediator: Sendable {
    /// An action of a module: takes plain parameters and returns any value or nil.
    public typealias Action = @Sendable ([String: any Sendable]) throws -> (any Sendable)?
    /// An asynchronous action of a module.
    ///
    /// Only calls with `await` reach an async action.
    public typealias AsyncAction = @Sendable ([String: any Sendable]) async throws -> (any Sendable)?

    /// The app's mediator.
    ///
    /// Tests and parts of an app may create their own mediators.
    public static let shared = Mediator()

    /// The name of the fallback action that a target may offer for calls of actions that the target lacks.
    public static let notFoundAction = "notFound"

    let state = Locked(State())

    /// Creates a mediator without targets.
    public init() {}

    /// Installs the targets of a module: all of them, or none if one is invalid.
    ///
    /// A target is either a finished table of closures (`actions`, `asyncActions`, or some actions in each),
    /// or a function that creates the table on demand, together with state that the closures share (`targets`,
    /// `asyncTargets`). Calls decide with `shouldCacheTarget` whether a created table is cached. The order of
    /// installations does not matter.
    ///
    /// - Parameters:
    ///   - actions: The closures by target and action.
    ///   - asyncActions: The async closures by target and action. A target may also be in `actions`.
    ///   - targets: The functions that create tables of closures, by target.
    ///   - asyncTargets: The functions that create tables of async closures, by target.
    ///   - remote: The actions that may be called from outside the app, by target. All others are local.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    /// - Throws: ``MediatorError`` with `emptyName`, `duplicateAction`, `duplicateTarget` if a target is
    ///   installed already or is offered twice, or `unknownRemoteAction` if `remote` names an action that is
    ///   not offered.
    /// - Complexity: O(number of actions).
    public func install(
        actions: [String: [String: Action]] = [:],
        asyncActions: [String: [String: AsyncAction]] = [:],
        targets: [String: @Sendable () -> [String: Action]] = [:],
        asyncTargets: [String: @Sendable () -> [String: AsyncAction]] = [:],
        remote: [String: Set<String>] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(MediatorError) {
        var offer = Offer(site: "\(fileID):\(line)", remote: remote)
        try offer.add(actions: actions, asyncActions: asyncActions)
        try offer.add(targets.mapValues { make in { make().mapValues(InstalledAction.sync) } })
        try offer.add(asyncTargets.mapValues { make in { make().mapValues(InstalledAction.async) } })
        try offer.checkRemoteMarks()
        let installed = offer.targets
        try state.withLock { (state) throws(MediatorError) in
            for target in installed.values.sorted(by: { $0.name < $1.name }) {
                if let earlier = state.targets[target.name] {
                    throw .duplicate(target: target.name, sites: earlier.site, target.site)
                }
            }
            state.targets.merge(installed) { earlier, _ in earlier }
        }
    }

    /// Removes a target with all its actions, including its cached table.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether the target was installed.
    @discardableResult
    public func remove(target: String) -> Bool {
        // The target is released outside the lock, because its deinitialisers may run code of the app.
        let removed = state.withLock { state in
            (state.targets.removeValue(forKey: target), state.cached.removeValue(forKey: target))
        }
        return removed.0 != nil
    }

    /// Removes a target from the cache. The next call creates the target again.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether the target was cached.
    @discardableResult
    public func releaseCachedTarget(_ target: String) -> Bool {
        // The target is released outside the lock, because its deinitialisers may run code of the app.
        let released = state.withLock { $0.cached.removeValue(forKey: target) }
        return released != nil
    }

    /// Empties the cache of targets, for example after a memory warning.
    public func releaseAllCachedTargets() {
        // The targets are released outside the lock, because their deinitialisers may run code of the app.
        _ = state.withLock { state in
            defer { state.cached = [:] }
            return state.cached
        }
    }

    /// Adds a guard for calls from outside the app.
    ///
    /// A call from outside consults the guards, in the order in which they were added, before its action is
    /// called. The call is refused with the first reason that a guard returns. Local calls bypass the guards.
    ///
    /// - Parameter check: Returns nil to allow the call, or the reason to refuse it, as text for the error.
    public func addGuard(_ check: @escaping @Sendable (MediatorCall) -> String?) {
        state.withLock { $0.guards.append(check) }
    }

    /// Sets the handler for calls whose target or action does not exist.
    ///
    /// If the target has a ``notFoundAction``, that action is called instead of the handler.
    ///
    /// - Parameter handler: Gets the call with its original target, action and parameters, and the error that
    ///   would be thrown without the handler. The value that the handler returns or the error that it throws
    ///   becomes the result of the call. Nil removes the current handler.
    public func setNotFound(
        _ handler: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
    ) {
        _ = state.withLock { state in
            defer { state.notFound = handler }
            return state.notFound
        }
    }
}
