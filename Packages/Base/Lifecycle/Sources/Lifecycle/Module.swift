import ApiCenter

/// A module of an app, which registers its Apis and handles the app's events.
///
/// The conforming type is the only public type of an IMP package. An app creates its modules in one list and
/// passes the list to a ``ModuleHost``. All modules register first, then all prepare, and then each event goes to all of
/// them. The order in which modules register does not matter, and a module may request any Api once it prepares.
///
/// A module that answers links (routes and actions) says so with a protocol of the package Links, of which this package
/// knows nothing.
///
/// Source: seed 1, "如何使用" 3, method 2 (recommended); seed 4.
public protocol Module: ModuleSpelling, Sendable {
    /// The module's name, which is the name of its package: `ModuleA`. By default, the name of the type
    /// without the suffix `Module`.
    var name: String { get }

    /// The version of the IMP, as listed in VERSIONS.md: `2.0.0`.
    var version: String { get }

    /// The names of the modules that prepare before this module and get each event before it, but `terminate` after it.
    /// Empty by default. The name of a module that is not in the app has no effect; ``ModuleHost/absent`` lists it.
    var after: [String] { get }

    /// Registers the module's Apis, and does nothing else: other modules may not have registered yet, and the app waits
    /// for this call.
    ///
    /// ```swift
    /// center.register(JourneyApiProtocol.self, scope: .once) { try JourneyService(center: $0) }
    /// ```
    ///
    /// A service is complete when it exists: its initialiser gets the app's services from the center and opens files, and
    /// throws if one of them is missing. It asks for other modules when a method needs them, because they may not have
    /// registered yet, and may need this one. It changes nothing outside, because a test may build its own.
    ///
    /// When all modules have registered, the host builds what the module registered with the scope `.once` or
    /// `.main(.once)`, and then calls ``prepare(in:)``. If the service cannot be built, the module is left out of the app.
    /// IMPs of other scopes are built when a caller asks, and so is what seed 1's `registerApi(type:impBuilder:)`
    /// registers, even if its builder is wrapped in `once { ... }`: the host does not know that scope.
    ///
    /// - Throws: An error if the module cannot work. The module then gets no events, its registrations are
    ///   rolled back, and the host's report contains the error. The other modules are registered as usual.
    func register(in center: ApiCenter) throws

    /// Connects the module: subscribes to notifications, or adds to the settings of the network. Does nothing by default.
    ///
    /// What the module registered once has been built. A module that needs its service here registers it under the
    /// service's own type, and lets the Api's builder look it up, because the app may register a decorator as the Api's
    /// IMP:
    ///
    /// ```swift
    /// center.register(RideService.self, scope: .once) { try RideService(center: $0) }
    /// center.register(RideApiProtocol.self) { try $0.requireApi(type: RideService.self) }
    /// ```
    ///
    /// Register Apis in ``register(in:)``, not here. What this method registers is not rolled back if it fails, because
    /// it may still be running, and registering, when the host stops waiting for it.
    ///
    /// Called once, on no particular actor, after all modules have registered and the modules in ``after`` have
    /// prepared or failed, before the app installs links and before the first event. Other modules prepare at the same
    /// time. The task is cancelled when the host's time limit expires, which starts before the module's services are built.
    ///
    /// - Throws: An error if the module cannot work. The module is then left out of the app, as it is if it exceeds its
    ///   time limit: it gets no events, it answers no links, its registrations are rolled back, and the host's report
    ///   contains the error. Who looks its Api up later gets nil. Who looked it up before, which only the `prepare` of a
    ///   module can do that does not name this one in ``after``, keeps an IMP that works, but was never connected.
    func prepare(in center: ApiCenter) async throws

    /// Handles one of the app's events. Does nothing by default.
    ///
    /// Runs on no particular actor, after the modules in ``after`` have handled the event. The task is
    /// cancelled when the host's time limit expires. The limit includes the time that the module spends
    /// waiting for events that it sends itself.
    ///
    /// - Throws: An error if the module could not handle the event. The other modules still get the event,
    ///   and the host's report contains the error.
    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws
}

extension Module {
    /// The name of the type without the suffix `Module`.
    public var name: String {
        let type = String(describing: Self.self)
        return type.hasSuffix("Module") && type != "Module" ? String(type.dropLast("Module".count)) : type
    }

    /// The default: an empty list.
    public var after: [String] { [] }

    /// The default: does nothing.
    public func prepare(in center: ApiCenter) async throws {}

    /// The default: does nothing.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {}
}
