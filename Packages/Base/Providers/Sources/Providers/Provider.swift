/// An entry of a ``Providers`` set, as passed to conditions.
public struct Provider<P: Sendable>: Sendable {
    /// The object that provides the interface.
    ///
    /// A condition may use the members of the interface, but must not test for a class.
    public let implementation: P

    /// The handle that was returned when the provider was added.
    public let handle: ProviderHandle

    /// The tags with which the provider was added. Tags describe what a provider is suited for.
    @inlinable public var tags: [String] { handle.tags }

    /// The priority with which the provider was added.
    @inlinable public var priority: Int { handle.priority }
}
