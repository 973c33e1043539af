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
    @usableFromInline let test: @Sendable () -> (Provider<P>) -> Bool

    /// Creates a condition from a function that reads the state and returns the test of a provider.
    ///
    /// The function runs once per choice, so all candidates are judged by the same state: a change of the network
    /// between two candidates cannot make the condition reject every provider.
    @inlinable
    public init(_ test: @escaping @Sendable () -> (Provider<P>) -> Bool) { self.test = test }

    /// Creates a condition that accepts providers with a certain tag, which `tag` returns once per choice.
    @inlinable
    public static func tagged(_ tag: @escaping @Sendable () -> String) -> Self {
        Self {
            let tag = tag()
            return { $0.tags.contains(tag) }
        }
    }
}
