import ApiCenter

/// A module of an app, which registers its Apis and handles the app's events.
///
/// The conforming type is the only public type of an IMP package. An app creates its modules in one list and
/// passes the list to a ``ModuleHost``, which calls ``register(in:)`` on all modules before it sends the
/// first event. So the order in which modules register does not matter, and a module may request any Api as
/// soon as it gets an event.
///
/// Source: seeds/1-ApiCenter.md, "如何使用" 3, method 2 (recommended); seeds/4-LayeredComponents.md.
public protocol Module: Sendable {
    /// The module's name, which is the name of its package: `ModuleA`. By default the name of the type
    /// without the suffix `Module`.
    var name: String { get }

    /// The version of the IMP, as listed in VERSIONS.md: `2.0.0`.
    var version: String { get }

    /// The names of the modules that get each event before this module. Empty by default. The name of a
    /// module that is not in the app has no effect; ``ModuleHost/absent`` lists it.
    var after: [String] { get }

    /// Registers the module's Apis. Must do nothing else, because other modules may not have registered their
    /// Apis yet.
    ///
    /// - Throws: An error if the module cannot work. The other modules are still registered. This module gets
    ///   no events, its registrations are rolled back, and the host's report contains the error.
    func register(in center: ApiCenter) throws

    /// The module's handlers for URLs, by URL pattern. Empty by default.
    ///
    /// The handlers take and return only standard types, so a module need not know the router. The app
    /// installs the handlers when all modules are registered. The patterns are constants of the module's Api
    /// package.
    func routes(in center: ApiCenter) -> [String: RouteHandler]

    /// The module's asynchronous handlers for URLs, by URL pattern: for results that take time, or that come
    /// from an actor, such as a page from the main actor. Empty by default.
    ///
    /// Callers reach these handlers with `await`.
    func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler]

    /// The patterns from ``routes(in:)`` and ``asyncRoutes(in:)`` that may be called from outside the app.
    /// Empty by default.
    var remoteRoutes: Set<String> { get }

    /// The module's handlers for calls by name, keyed by target and then by action. Empty by default.
    ///
    /// As in ``routes(in:)``, the handlers use only standard types, so a module need not know the mediator;
    /// the app installs them. Callers use a facade, which is a package of its own.
    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]]

    /// The module's asynchronous handlers for calls by name: for results that take time, or that come from an
    /// actor. Empty by default. A target may appear in both ``actions(in:)`` and this table.
    ///
    /// Callers reach these handlers with `await`.
    func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]]

    /// The actions from ``actions(in:)`` and ``asyncActions(in:)`` that may be called from outside the app,
    /// keyed by target. Empty by default.
    var remoteActions: [String: Set<String>] { get }

    /// Handles an event of the app. By default calls ``handle(_:)``, which suits a module that does not need
    /// the center.
    ///
    /// Runs on no particular actor, after the modules in ``after`` have handled the event. The task is
    /// cancelled when the host's time limit expires. The limit includes the time that the module spends
    /// waiting for events that it sends itself.
    ///
    /// - Throws: An error if the module could not handle the event. The other modules still get the event,
    ///   and the host's report contains the error.
    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws

    /// Handles an event of the app without the center. Does nothing by default.
    func handle(_ event: LifecycleEvent) async throws
}

/// A handler for a URL: takes the URL's parameters and returns any value, or nil.
public typealias RouteHandler = @Sendable (_ parameters: [String: any Sendable]) throws -> (any Sendable)?

/// An asynchronous handler for a URL. With `{ @MainActor in ... }` it runs on the main actor.
public typealias AsyncRouteHandler =
    @Sendable (_ parameters: [String: any Sendable]) async throws -> (
        any Sendable
    )?

/// A handler for a call by name: takes the call's parameters and returns any value, or nil.
public typealias ActionHandler = @Sendable (_ parameters: [String: any Sendable]) throws -> (any Sendable)?

/// An asynchronous handler for a call by name. With `{ @MainActor in ... }` it runs on the main actor.
public typealias AsyncActionHandler =
    @Sendable (_ parameters: [String: any Sendable]) async throws -> (
        any Sendable
    )?

extension Module {
    /// The name of the type without the suffix `Module`.
    public var name: String {
        let type = String(describing: Self.self)
        return type.hasSuffix("Module") && type != "Module" ? String(type.dropLast("Module".count)) : type
    }

    /// Empty by default.
    public var after: [String] { [] }

    /// Empty by default.
    public func routes(in center: ApiCenter) -> [String: RouteHandler] { [:] }

    /// Empty by default.
    public func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] { [:] }

    /// Empty by default.
    public var remoteRoutes: Set<String> { [] }

    /// Empty by default.
    public func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] { [:] }

    /// Empty by default.
    public func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] { [:] }

    /// Empty by default.
    public var remoteActions: [String: Set<String>] { [:] }

    /// Calls ``handle(_:)``.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await handle(event)
    }

    /// Does nothing.
    public func handle(_ event: LifecycleEvent) async throws {}
}
