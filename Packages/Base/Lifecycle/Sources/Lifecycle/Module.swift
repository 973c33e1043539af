import ApiCenter
import Offers

/// A module of an app, which registers its Apis and handles the app's events.
///
/// The conforming type is the only public type of an IMP package. An app creates its modules in one list and
/// passes the list to a ``ModuleHost``, which calls ``register(in:)`` on all modules before it sends the
/// first event. Therefore, the order in which modules register does not matter, and a module may request any Api as
/// soon as it gets an event.
///
/// Source: seeds/1-ApiCenter.md, "如何使用" 3, method 2 (recommended); seeds/4-LayeredComponents.md.
public protocol Module: ModuleSpelling, Sendable {
    /// The module's name, which is the name of its package: `ModuleA`. By default, the name of the type
    /// without the suffix `Module`.
    var name: String { get }

    /// The version of the IMP, as listed in VERSIONS.md: `2.0.0`.
    var version: String { get }

    /// The names of the modules that get each event before this module, but `terminate` after it. Empty by default. The
    /// name of a module that is not in the app has no effect; ``ModuleHost/absent`` lists it.
    var after: [String] { get }

    /// Registers the module's Apis. Must do nothing else, because other modules may not have registered their
    /// Apis yet.
    ///
    /// - Throws: An error if the module cannot work. The module then gets no events, its registrations are
    ///   rolled back, and the host's report contains the error. The other modules are registered as usual.
    func register(in center: ApiCenter) throws

    /// The module's routes and actions, for callers that do not know its Api. Empty by default.
    ///
    /// The handlers take and return only standard types, so a module needs neither the router nor the mediator. The
    /// app installs the offers after it has registered all modules. Route names are constants of the module's Api
    /// package.
    func offers(in center: ApiCenter) -> [Offer]

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

/// An alias of `Offers.Offer`, so that a module needs to import only `Lifecycle`.
public typealias Offer = Offers.Offer

/// An alias of `Offers.OfferedTarget`, so that a module needs to import only `Lifecycle`.
public typealias OfferedTarget = Offers.OfferedTarget

extension Module {
    /// The name of the type without the suffix `Module`.
    public var name: String {
        let type = String(describing: Self.self)
        return type.hasSuffix("Module") && type != "Module" ? String(type.dropLast("Module".count)) : type
    }

    /// The default: an empty list.
    public var after: [String] { [] }

    /// The default: an empty list.
    public func offers(in center: ApiCenter) -> [Offer] { [] }

    /// The default: does nothing.
    public func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {}
}
