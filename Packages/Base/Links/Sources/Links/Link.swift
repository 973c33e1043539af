import ApiCenter
import Dispatch

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
/// any Sendable value or nil, so the module depends on neither the router nor the mediator. The app installs its
/// modules' links in its ``LinkTable``. ``LinkAnswering`` says when. Source: seeds 2 and 4.
public final class Link: Sendable {
    /// The callers that may reach a link, and the origin of a call.
    public enum Callers: Hashable, Sendable {
        /// Calls from inside the app.
        case inside
        /// URLs from outside the app. A link that is open to them is also open to calls from inside.
        case outside
    }

    /// The ways to name a link, in the order in which an opened URL is looked up.
    public enum Kind: Hashable, Comparable, Sendable {
        /// A pattern of URLs.
        case route
        /// A target and one of its actions.
        case action
    }

    /// The name that callers use to reach a link.
    public enum Name: Hashable, Sendable, CustomStringConvertible {
        /// The URLs that match a pattern.
        case route(String)
        /// The name of a target, and of one of its actions.
        case action(target: String, action: String)

        /// Whether this names a route or an action.
        public var kind: Kind { if case .route = self { .route } else { .action } }

        /// The pattern of a route; nil for an action.
        public var pattern: String? { if case .route(let pattern) = self { pattern } else { nil } }

        /// The target of an action; nil for a route.
        public var target: String? { if case .action(let target, _) = self { target } else { nil } }

        /// The name of an action in its target; nil for a route.
        public var action: String? { if case .action(_, let action) = self { action } else { nil } }

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
    /// The file and line of the link.
    public let site: CallSite
    /// The module that would answer if it were in the app; nil for every link that has a handler of its own.
    public let absentModule: String?

    init(
        _ name: Name, _ callers: Callers, _ fileID: StaticString, _ line: UInt, makeState: StateMaker? = nil,
        absentModule: String? = nil, _ handler: Handler
    ) {
        (self.name, self.callers, self.makeState, self.handler) = (name, callers, makeState, handler)
        (site, self.absentModule) = (CallSite(fileID: fileID, line: line), absentModule)
    }

    /// The module that answers, or that would answer if it were in the app.
    public var module: String { absentModule ?? site.module }

    /// Calls the handler without waiting, for a module's tests. For an action of a target with state, the call
    /// creates a new state.
    ///
    /// - Throws: ``LinkError`` with `needsAwait` or `needsMainActor`, or the handler's own error.
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

/// A closure that answers calls: synchronous, asynchronous, or synchronous on the main actor.
///
/// | kind | a call without `await` | a call with `await` |
/// |---|---|---|
/// | `sync` | runs on the caller's actor | runs on the caller's actor |
/// | `async` | throws `needsAwait` | suspends the caller |
/// | `onMain` | runs if the caller is on the main actor; otherwise throws `needsMainActor` | runs on the main actor |
///
/// Inside another queue's `DispatchQueue.sync`, main-actor code counts as being off the main actor.
/// (ApiCenter, in contrast, does build an Api with the scope `.main` there.)
public enum Handler: Sendable {
    /// A synchronous closure.
    case sync(@Sendable (Link.Call) throws -> (any Sendable)?)
    /// An asynchronous closure.
    case async(@Sendable (Link.Call) async throws -> (any Sendable)?)
    /// A synchronous closure that is isolated to the main actor, such as one that creates a page.
    case onMain(@MainActor @Sendable (Link.Call) throws -> (any Sendable)?)

    /// Calls the closure without waiting.
    ///
    /// - Throws: ``LinkError`` if the caller needs `await`, or the closure's own error.
    public func call(_ call: Link.Call) throws -> (any Sendable)? {
        switch self {
        case .sync(let closure): return try closure(call)
        case .async: throw LinkError(.needsAwait)
        case .onMain(let closure):
            guard MainQueue.isCurrent else { throw LinkError(.needsMainActor) }
            return try MainActor.assumeIsolated { try closure(call) }
        }
    }

    /// Calls the closure and waits for its result. A synchronous closure runs on the caller's actor.
    ///
    /// - Throws: The closure's own error.
    public nonisolated(nonsending) func call(_ call: Link.Call) async throws -> (any Sendable)? {
        switch self {
        case .sync(let closure): try closure(call)
        case .async(let closure): try await closure(call)
        case .onMain(let closure): try await closure(call)
        }
    }
}

/// Detects callers on the main queue, where the main actor runs.
///
/// `MainActor.assumeIsolated` cannot detect them, because it stops the process if the caller is off the main actor.
/// Instead, the main queue carries a mark that only code on the main queue can read. Main-actor code that runs
/// inside another queue's `DispatchQueue.sync` cannot read the mark, so it counts as being off the main actor.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller is on the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
