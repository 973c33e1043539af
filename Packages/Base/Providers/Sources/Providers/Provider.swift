/// A provider in a ``Providers``, as a condition sees it.
public struct Provider<P: Sendable>: Sendable {
    /// What provides the interface. A condition may ask it what the interface lets it ask, and must not ask
    /// for its class.
    public let implementation: P

    /// The addition that brought it here.
    public let handle: ProviderHandle

    /// The tags that it was added with: what it is good for, in words of the interface.
    @inlinable public var tags: [String] { handle.tags }

    /// The priority that it was added with.
    @inlinable public var priority: Int { handle.priority }
}
