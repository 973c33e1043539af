/// A route or an action, with its handler, for callers that do not know the module's Api.
///
/// ```swift
/// func offers(in center: ApiCenter) -> [Offer] {
///     [
///         .route(HomeRoute.main, from: .outside) { _ in ["page": "HomeVC"] },
///         .action("home", "refresh") { [unowned center] _ in
///             await center.api(type: HomeApiProtocol.self)?.refresh()
///         },
///     ]
/// }
/// ```
///
/// An offer states a name, a handler and the permitted callers in one place. The handler takes and returns only
/// standard types, so the module depends on neither the router nor the mediator. The app passes its modules' offers
/// to `Routes.install(_:)`, which installs the routes, and to `Mediator.install(_:)`, which installs the actions.
///
/// A handler that uses the center captures it as `unowned`, because the center owns the router and the mediator, which
/// own the handler.
///
/// The handler may be synchronous, async, or isolated to the main actor
/// (`.route(HomeRoute.main, on: MainActor.shared) { _ in HomeVC() }`); ``Handler`` describes the differences for
/// callers. Source: seeds 2 and 4.
public struct Offer: Sendable {
    /// The parameters of a call: plain values with string keys.
    public typealias Parameters = [String: any Sendable]

    /// The callers that may reach an offer.
    public enum Callers: Hashable, Sendable {
        /// Calls from inside the app.
        case inside
        /// Calls from inside the app, and URLs from outside the app.
        case outside
    }

    /// The name that callers use to reach an offer.
    public enum Name: Hashable, Sendable, CustomStringConvertible {
        /// The URLs that match a pattern.
        case route(String)
        /// The name of a target, and of one of its actions.
        case action(target: String, action: String)

        /// The pattern, or `target/action`.
        public var description: String {
            switch self {
            case .route(let pattern): pattern
            case .action(let target, let action): "\(target)/\(action)"
            }
        }
    }

    /// A handler's input: the call's parameters, and the state of the action's target, if it has one.
    public struct Call: Sendable {
        /// The parameters.
        public let parameters: Parameters
        /// The state that ``OfferedTarget`` created for the target; nil for routes and other actions.
        public let state: (any Sendable)?

        /// Creates a call.
        public init(_ parameters: Parameters, state: (any Sendable)? = nil) {
            (self.parameters, self.state) = (parameters, state)
        }
    }

    /// The name that callers use to reach the offer.
    public let name: Name
    /// The callers that may reach the offer.
    public let callers: Callers
    /// The priority of a route, which decides between routes that match the same URL; 0 for an action.
    public let priority: Int
    /// The handler, which returns any value or nil.
    public private(set) var handler: Handler<Call, (any Sendable)?>
    /// Creates the state of the action's target; nil for routes and for actions without state.
    public let makeState: StateMaker?
    /// The file and line of the offer.
    public let site: String

    init(
        _ name: Name, from callers: Callers, priority: Int = 0, makeState: StateMaker? = nil,
        fileID: StaticString, line: UInt, _ handler: Handler<Call, (any Sendable)?>
    ) {
        (self.name, self.callers, self.priority) = (name, callers, priority)
        (self.makeState, self.handler, site) = (makeState, handler, "\(fileID):\(line)")
    }

    /// Returns a copy of the offer that also reports when each call begins and ends.
    ///
    /// - Parameter begin: Called before the handler. Returns a function that is called after the handler, with the
    ///   error that the handler threw, or nil.
    public func observed(_ begin: @escaping @Sendable () -> @Sendable ((any Error)?) -> Void) -> Offer {
        var offer = self
        offer.handler = handler.observed(begin)
        return offer
    }
}

/// Creates the state that the actions of a target share.
public final class StateMaker: Sendable {
    /// Creates the state.
    public let make: @Sendable () -> any Sendable

    init(_ make: @escaping @Sendable () -> any Sendable) { self.make = make }
}
