import ApiCenter

/// A module's entry into the app: what the app passes its lifecycle to.
///
/// It is the only public type of an IMP package. An app makes one of each, in one list, and hands them to a
/// ``ModuleHost``, which calls ``register(in:)`` on all of them before it sends the first event to any. So
/// the order in which modules register does not matter, and a module may ask for any Api as soon as it gets
/// an event.
///
/// Source: seeds/1-ApiCenter.md, "如何使用" 3, method 2 (recommended); seeds/4-LayeredComponents.md.
public protocol Module: Sendable {
    /// The module's name, which is its package's: `ModuleA`. By default the name of the type without a
    /// `Module` at its end.
    var name: String { get }

    /// The version of the IMP as VERSIONS.md has it: `2.0.0`.
    var version: String { get }

    /// The names of the modules that get each event before this one. None by default. A module that is not
    /// in the app is no obstacle.
    var after: [String] { get }

    /// Registers the module's Apis. Nothing else: other modules may not have registered theirs yet.
    ///
    /// - Throws: Whatever keeps the module from working. The others are registered all the same, this one
    ///   gets no events, and the host's report has the error. What it registered before it threw is taken back.
    func register(in center: ApiCenter) throws

    /// What the module answers to URLs, by pattern. Nothing by default.
    ///
    /// The closures take and return standard values only, so a module need not know who routes. The app
    /// installs them when all modules are registered. The patterns are constants of the module's Api package.
    func routes(in center: ApiCenter) -> [String: RouteHandler]

    /// The same for answers that take their time, or that an actor gives: the main one, for a page. Nothing by
    /// default.
    ///
    /// They are reached by calls with `await`.
    func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler]

    /// The patterns of both tables of routes that calls from outside the app may reach. None by default.
    var remoteRoutes: Set<String> { get }

    /// What the module answers to calls by name, by target and action. Nothing by default.
    ///
    /// As with ``routes(in:)``: closures over standard values, so a module need not know who mediates; the app
    /// installs them. Callers use a facade, which is a package of its own.
    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]]

    /// The same for answers that take their time, or that an actor gives. Nothing by default. A target may stand in
    /// both tables.
    ///
    /// They are reached by calls with `await`.
    func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]]

    /// The actions of both tables that calls from outside the app may reach, by target. None by default.
    var remoteActions: [String: Set<String>] { get }

    /// Takes part in an event of the app. By default calls ``handle(_:)``, which is for who needs no center.
    ///
    /// Runs on no particular actor, after the modules in ``after`` are done with the event. The task is
    /// cancelled when the host's time limit is over; an event that it sends and waits for counts.
    ///
    /// - Throws: Whatever went wrong. The other modules get the event all the same, and the report has the
    ///   error.
    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws

    /// ``handle(_:in:)`` for a module that needs nothing of the app's. Does nothing by default.
    func handle(_ event: LifecycleEvent) async throws
}

/// What answers a URL: from the URL's parameters to any value, or nil.
public typealias RouteHandler = @Sendable (_ parameters: [String: any Sendable]) throws -> (any Sendable)?

/// What answers a URL in its own time; `{ @MainActor in ... }` does it on the main actor.
public typealias AsyncRouteHandler =
    @Sendable (_ parameters: [String: any Sendable]) async throws -> (
        any Sendable
    )?

/// What answers a call by name: from the call's parameters to any value, or nil.
public typealias ActionHandler = @Sendable (_ parameters: [String: any Sendable]) throws -> (any Sendable)?

/// What answers a call by name in its own time; `{ @MainActor in ... }` does it on the main actor.
public typealias AsyncActionHandler =
    @Sendable (_ parameters: [String: any Sendable]) async throws -> (
        any Sendable
    )?

extension Module {
    /// The name of the type without a `Module` at its end.
    public var name: String {
        let type = String(describing: Self.self)
        return type.hasSuffix("Module") && type != "Module" ? String(type.dropLast("Module".count)) : type
    }

    /// After nobody in particular.
    public var after: [String] { [] }

    /// Nothing.
    public func routes(in center: ApiCenter) -> [String: RouteHandler] { [:] }

    /// Nothing.
    public func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] { [:] }

    /// None.
    public var remoteRoutes: Set<String> { [] }

    /// Nothing.
    public func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] { [:] }

    /// Nothing.
    public func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] { [:] }

    /// None.
    public var remoteActions: [String: Set<String>] { [:] }

    /// Calls ``handle(_:)``.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await handle(event)
    }

    /// Does nothing.
    public func handle(_ event: LifecycleEvent) async throws {}
}
