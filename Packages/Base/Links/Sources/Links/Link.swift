import ApiCenter

/// A route or an action with its handler, for callers that do not know the module's Api.
///
/// ```swift
/// func links(in center: ApiCenter) -> [Link] {
///     [
///         .route(HomeRoute.main, from: .outside, on: MainActor.shared) { _ in HomePage() },
///         .action("home", "refresh") { [weak center] _ in
///             await center?.api(type: HomeApiProtocol.self)?.refresh()
///         },
///     ]
/// }
/// ```
///
/// A link states a name, a handler and the permitted callers in one place. The handler takes ``Parameters`` and returns
/// any Sendable value or nil, so the module depends on neither the router nor the mediator. The app passes its modules'
/// links to `Routes.install(_:)`, which installs the routes, and to `Mediator.install(_:)`, which installs the actions.
/// ``LinkAnswering`` says when. ``Handler`` describes the kinds of handlers. Source: seeds 2 and 4.
public final class Link: Sendable {
    /// The callers that may reach a link.
    public enum Callers: Hashable, Sendable {
        /// Calls from inside the app.
        case inside
        /// Calls from inside the app, and URLs from outside the app.
        case outside
    }

    /// The name that callers use to reach a link.
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
        /// The state that ``LinkTarget`` created for the target; nil for routes and other actions.
        public let state: (any Sendable)?

        /// Creates a call.
        public init(_ parameters: Parameters, state: (any Sendable)? = nil) {
            (self.parameters, self.state) = (parameters, state)
        }
    }

    /// The name that callers use to reach the link.
    public let name: Name
    /// The callers that may reach the link.
    public let callers: Callers
    /// The handler, which returns any value or nil.
    public let handler: Handler
    /// Creates the state of the action's target; nil for routes and for actions without state.
    public let makeState: StateMaker?
    /// The file and line of the link; its module is the module that answers.
    public let site: CallSite

    init(
        _ name: Name, from callers: Callers, makeState: StateMaker? = nil, fileID: StaticString, line: UInt,
        _ handler: Handler
    ) {
        (self.name, self.callers, self.makeState, self.handler) = (name, callers, makeState, handler)
        site = CallSite(fileID: fileID, line: line)
    }

    /// Calls the handler without waiting, for a module's tests. For an action of a target with state, the call
    /// creates a new state.
    ///
    /// - Throws: ``HandlerError`` if the caller needs `await`, or the handler's own error.
    public func call(_ parameters: Parameters = [:]) throws -> (any Sendable)? {
        try handler.call(Call(parameters, state: makeState?.make()))
    }

    /// Calls the handler and waits for its result.
    public nonisolated(nonsending) func call(_ parameters: Parameters = [:]) async throws -> (any Sendable)? {
        try await handler.call(Call(parameters, state: makeState?.make()))
    }
}

extension Sequence<Link> {
    /// The first link with the given name.
    public func first(_ name: Link.Name) -> Link? { first { $0.name == name } }
}
