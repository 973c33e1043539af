/// A condition that decides which providers may be used.
///
/// The condition is injected once, into the interface layer, so that callers need not know it.
///
/// ```swift
/// ProviderCondition.tagged { network.isSlow ? "slow network" : "fast network" }
/// ```
///
/// ``Providers/pick(where:)`` and `firstSuccess` evaluate the condition on their caller's thread, outside the
/// lock, and possibly on several threads at once.
///
/// Source: seeds/3-InterfaceOriented.md, "多个底层接口提供方，按需调用其中1个".
public struct ProviderCondition<P: Sendable>: Sendable {
    /// Returns the first candidate that satisfies this condition and that the second argument accepts.
    @usableFromInline let first: @Sendable ([Provider<P>], (Provider<P>) -> Bool) -> Provider<P>?

    /// Creates a condition that tests each provider independently.
    ///
    /// - Parameter fits: Whether a provider may be used. It should not depend on state that may change
    ///   between two candidates, because then all candidates might be rejected. Use ``init(reading:fits:)``
    ///   for such state.
    @inlinable
    public init(_ fits: @escaping @Sendable (Provider<P>) -> Bool) {
        first = { candidates, accepts in candidates.firstInPlace { fits($0) && accepts($0) } }
    }

    /// Creates a condition that depends on state, such as the quality of the network.
    ///
    /// - Parameters:
    ///   - state: Reads the state. Runs once per choice, so that all candidates are judged by the same state.
    ///   - fits: Whether a provider may be used in that state.
    @inlinable
    public init<State>(
        reading state: @escaping @Sendable () -> State,
        fits: @escaping @Sendable (State, Provider<P>) -> Bool
    ) {
        first = { candidates, accepts in
            let state = state()
            return candidates.firstInPlace { fits(state, $0) && accepts($0) }
        }
    }

    /// Creates a condition that accepts providers with a certain tag.
    ///
    /// - Parameter tag: Returns the tag. Runs once per choice.
    @inlinable
    public static func tagged(_ tag: @escaping @Sendable () -> String) -> Self {
        Self(reading: tag) { tag, provider in provider.tags.contains(tag) }
    }
}
