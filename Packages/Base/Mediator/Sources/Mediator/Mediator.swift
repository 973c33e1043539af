import Links

/// The error of a call: an alias, so that a facade needs to import only `Mediator`.
public typealias MediatorError = LinkError
/// Typed access to a call's parameters: an alias, so that a facade needs to import only `Mediator`.
public typealias Parameters = Links.Parameters
/// The error that `Parameters.required` throws.
///
/// When an action throws this error, the caller gets a ``MediatorError`` with `badParameter`.
public typealias ParameterError = Links.ParameterError

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

    /// The table with the links. Its guard, not-found handler and observers hear of every call.
    public let table: LinkTable
    let finder: TargetFinder

    /// Creates a mediator of the actions in a table.
    ///
    /// - Parameter table: The table that the app's routes use too. By default, the mediator has a table of its own.
    public init(on table: LinkTable = LinkTable()) {
        (self.table, finder) = (table, table.finder { TargetFinder() })
    }

    /// Installs all actions among a module's links, or none of them if one is invalid. Routes are ignored;
    /// `LinkTable.install` installs both.
    ///
    /// The actions of a `LinkTarget` share state. A call creates the state if none is cached. The mediator caches
    /// the state only if the call passes `shouldCacheTarget: true`. The order of installations does not matter.
    ///
    /// - Parameter links: The module's links.
    /// - Throws: ``MediatorError`` with `emptyName`, or with `conflict` if an action occurs twice or if a target is
    ///   already installed, even with another case.
    /// - Complexity: O(number of actions), and quadratic in the number of actions of one target.
    public func install(_ links: [Link]) throws(MediatorError) {
        try finder.add(links.filter { $0.name.kind == .action })
    }

    /// Removes a target, its actions and its cached state.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether the target was installed.
    @discardableResult
    public func remove(target: String) -> Bool { finder.remove(target) }

    /// Removes a target's state from the cache. The next call creates new state.
    ///
    /// - Parameter target: The target's name.
    /// - Returns: Whether state was cached.
    @discardableResult
    public func releaseCachedTarget(_ target: String) -> Bool { finder.releaseState(of: target) }

    /// Sets the guard of the table, which hears of the calls of routes and of actions, from inside and outside the app.
    /// See `LinkTable.setGuard`.
    public func setGuard(_ check: (@Sendable (LinkCall) -> String?)?) { table.setGuard(check) }

    /// Sets the table's handler for actions that are not found, and for URLs that no route matches.
    ///
    /// If a target has a ``notFoundAction``, that action is called instead of the handler. A call from outside the
    /// app calls that action only if the action is open to such calls.
    ///
    /// - Parameter handler: Gets the call with its original parameters, and the error that would be thrown without the
    ///   handler, which names the target and the action. The handler's value or error becomes the result of the call. Nil
    ///   removes the current handler.
    public func setNotFound(
        _ handler: (@Sendable (LinkCall, MediatorError) throws -> (any Sendable)?)?
    ) { table.setNotFound(handler) }

    /// All actions of all targets, sorted by target and action.
    ///
    /// - Complexity: O(n log n).
    public func allActions() -> [LinkListing] { finder.all().map(LinkListing.init) }
}
