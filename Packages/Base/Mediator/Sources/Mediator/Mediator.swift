import Locking
import URLGrammar

/// Calls between modules by name: a target, an action, plain parameters.
///
/// A module offers its actions as tables of closures over standard types and imports no mediator; the
/// app shell installs the tables; callers, or a facade package's extension of this class, name a target
/// and an action. There are two entries: `performTarget(_:action:params:shouldCacheTarget:)`
/// for calls from inside the app, and `openUrl(_:options:)` for calls from outside,
/// which reach only the actions that were installed as remote.
///
/// All operations are thread-safe. Actions, guards, the not-found handler and the functions that make
/// targets are never called under a lock, so each of them may itself call, install or remove. A call finds
/// what was installed when it began; a target removed meanwhile still answers that call.
///
/// Source: seed 2.
public final class Mediator: Sendable {
    /// What a module offers under one action's name: plain values in, any value or nil out.
    public typealias Action = @Sendable ([String: any Sendable]) throws -> (any Sendable)?
    /// An action that takes its time.
    ///
    /// It is reached from `await` calls only.
    public typealias AsyncAction = @Sendable ([String: any Sendable]) async throws -> (any Sendable)?

    /// The app's mediator.
    ///
    /// Tests and parts of an app may make their own.
    public static let shared = Mediator()

    /// The name under which a target's table may offer an action for names it does not have.
    public static let notFoundAction = "notFound"

    let state = Locked(State())

    /// Makes a mediator without targets.
    public init() {}

    /// Installs what a module offers: all of it or, when anything is wrong, nothing.
    ///
    /// A target is offered as a finished table (`actions`, `asyncActions`, or some actions in each), or as
    /// a function that makes the table, and with it the state that the closures share, when it is called
    /// (`targets`, `asyncTargets`; see `shouldCacheTarget`). The order of installations does not matter.
    ///
    /// - Parameters:
    ///   - actions: Target to action to closure.
    ///   - asyncActions: The same for async closures. A target may stand in both.
    ///   - targets: Target to the function that makes its table.
    ///   - asyncTargets: The same for tables of async closures.
    ///   - remote: Target to the actions that may be called from outside the app. All others are local.
    ///   - fileID: Where it is installed, for error messages.
    ///   - line: Where it is installed, for error messages.
    /// - Throws: ``MediatorError``: `emptyName`, `duplicateTarget` for one that is installed already or
    ///   offered twice here, `duplicateAction`, `unknownRemoteAction` for a remote mark without an action.
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

    /// Removes a target with all its actions, cached or not.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(target: String) -> Bool {
        // What is removed leaves the lock alive: its deinitialisers are the app's code.
        let removed = state.withLock { state in
            (state.targets.removeValue(forKey: target), state.cached.removeValue(forKey: target))
        }
        return removed.0 != nil
    }

    /// Lets go of a target that a call kept with `shouldCacheTarget`; the next call makes a new one.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether one was kept.
    @discardableResult
    public func releaseCachedTarget(_ target: String) -> Bool {
        // What is released leaves the lock alive: its deinitialisers are the app's code.
        let released = state.withLock { $0.cached.removeValue(forKey: target) }
        return released != nil
    }

    /// Lets go of every cached target, for a memory warning.
    public func releaseAllCachedTargets() {
        // As above, they leave the lock alive.
        _ = state.withLock { state in
            defer { state.cached = [:] }
            return state.cached
        }
    }

    /// Adds a guard for calls from outside.
    ///
    /// Guards are asked after the remote marks and before the action, each time, in the order they were
    /// added; the first reason refuses the call. They are not asked for local calls.
    ///
    /// - Parameter check: Returns why the call is refused, in words for the error, or nil to let it pass.
    public func addGuard(_ check: @escaping @Sendable (MediatorCall) -> String?) {
        state.withLock { $0.guards.append(check) }
    }

    /// Sets what answers a call whose target or action does not exist, when the target itself has no
    /// ``notFoundAction``.
    ///
    /// - Parameter handler: Gets the call with the original target, action and parameters, and the error
    ///   that would be thrown; what it returns or throws becomes the call's result. Nil takes it away.
    public func setNotFound(
        _ handler: (@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?)?
    ) {
        _ = state.withLock { state in
            defer { state.notFound = handler }
            return state.notFound
        }
    }
}
