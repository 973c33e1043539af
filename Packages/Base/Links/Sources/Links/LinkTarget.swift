/// A target whose actions share state. The mediator creates the state when an action is called, and caches the
/// state if the call sets `shouldCacheTarget` (seed 2).
///
/// ```swift
/// let cart = LinkTarget("cart") { Cart() }
/// return [
///     cart.action("fetchCartViewController") { cart, _ in cart.page },
///     cart.action("clear") { cart, _ in cart.clear() },
/// ]
/// ```
///
/// A rejected call creates no state.
public struct LinkTarget<State: Sendable>: Sendable {
    private let name: String
    private let make: @Sendable () -> State
    private let maker: StateMaker

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - name: The target's name. All actions of the target must be created from the same `LinkTarget`.
    ///   - make: Creates the state.
    public init(_ name: String, _ make: @escaping @Sendable () -> State) {
        (self.name, self.make, maker) = (name, make, StateMaker(make))
    }

    /// Creates an action of the target.
    ///
    /// - Parameters:
    ///   - action: The action's name.
    ///   - callers: Whether URLs from outside the app may reach the action.
    ///   - fileID: The caller's file, for error messages.
    ///   - line: The caller's line, for error messages.
    ///   - handler: Takes the target's state and the parameters, and returns any value or nil.
    public func action(
        _ action: String, from callers: Link.Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (State, Parameters) throws -> (any Sendable)?
    ) -> Link {
        link(action, callers, fileID, line, .sync { try handler(state(of: $0), $0.parameters) })
    }

    /// Creates an action with an async handler, which must be called with `await`.
    public func action(
        _ action: String, from callers: Link.Callers = .inside,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @Sendable (State, Parameters) async throws -> (any Sendable)?
    ) -> Link {
        link(action, callers, fileID, line, .async { try await handler(state(of: $0), $0.parameters) })
    }

    /// Creates an action whose handler runs on the main actor. Callers on the main actor get the value immediately;
    /// other callers need `await`.
    public func action(
        _ action: String, from callers: Link.Callers = .inside, on _: MainActor,
        fileID: StaticString = #fileID, line: UInt = #line,
        handler: @escaping @MainActor @Sendable (State, Parameters) throws -> (any Sendable)?
    ) -> Link {
        link(action, callers, fileID, line, .onMain { try handler(state(of: $0), $0.parameters) })
    }

    private func link(
        _ action: String, _ callers: Link.Callers, _ fileID: StaticString, _ line: UInt, _ handler: Handler
    ) -> Link {
        Link(.action(target: name, action: action), callers, fileID, line, makeState: maker, handler)
    }

    private func state(of call: Link.Call) -> State {
        guard let state = call.state else { return make() }
        guard let state = state as? State else {
            preconditionFailure("the target's state has the type \(type(of: state)) instead of \(State.self)")
        }
        return state
    }
}

/// Creates the state that the actions of a target share.
public final class StateMaker: Sendable {
    /// Creates the state.
    public let make: @Sendable () -> any Sendable

    init(_ make: @escaping @Sendable () -> any Sendable) { self.make = make }
}
