/// Which providers are fit for use now: the condition that is injected once into the interface layer, so that
/// no caller has to know it.
///
/// ```swift
/// ProviderCondition.tagged { network.isSlow ? "slow network" : "fast network" }
/// ```
///
/// A condition runs on the thread of whoever calls ``Providers/pick(where:)`` or `firstSuccess`, under no
/// lock, from several threads at once.
///
/// Source: seeds/3-InterfaceOriented.md, "多个底层接口提供方，按需调用其中1个".
public struct ProviderCondition<P: Sendable>: Sendable {
    /// The first of the candidates that fits, and that the second argument accepts as well.
    @usableFromInline let first: @Sendable ([Provider<P>], (Provider<P>) -> Bool) -> Provider<P>?

    /// A condition on each provider by itself.
    ///
    /// - Parameter fits: Whether a provider is fit for use. It should not read what may change between two
    ///   candidates, or none might fit; ``init(reading:fits:)`` reads it once.
    @inlinable
    public init(_ fits: @escaping @Sendable (Provider<P>) -> Bool) {
        first = { candidates, accepts in candidates.firstInPlace { fits($0) && accepts($0) } }
    }

    /// A condition on a provider and on the state of things, which is read once for all candidates, so that
    /// all are judged by the same state.
    ///
    /// - Parameters:
    ///   - state: Reads the state: the quality of the network. Runs once for every pick.
    ///   - fits: Whether a provider is fit for use in that state.
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

    /// Providers with the tag that the closure names. It runs once for every pick.
    @inlinable
    public static func tagged(_ tag: @escaping @Sendable () -> String) -> Self {
        Self(reading: tag) { tag, provider in provider.tags.contains(tag) }
    }
}
