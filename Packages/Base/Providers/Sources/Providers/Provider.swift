/// A provider in a ``Providers`` set, with its tags and priority.
public struct Provider<P: Sendable>: Sendable {
    /// The provider itself. A condition may use members of the interface, but must not test for a class.
    public let implementation: P
    /// The handle that ``Providers/add(_:tags:priority:fileID:line:)`` returned.
    public let handle: ProviderHandle

    /// Words that describe the provider's purpose.
    @inlinable public var tags: [String] { handle.tags }
    /// The provider's rank among matching providers. The highest priority comes first.
    @inlinable public var priority: Int { handle.priority }
}

/// Identifies a provider in a ``Providers`` set, for removing the provider and for error messages.
///
/// Adding the same object twice gives two different handles. A handle retains neither the provider nor the set.
public final class ProviderHandle: Sendable, CustomStringConvertible {
    /// The provider's tags.
    public let tags: [String]
    /// The provider's priority.
    public let priority: Int
    /// The provider's type, tags, priority and site: `Logger.FileLogger [slow], priority 0, added at
    /// Shell/Setup.swift:12`.
    public let description: String

    init(type: Any.Type, tags: [String], priority: Int, site: String) {
        (self.tags, self.priority) = (tags, priority)
        let list = tags.isEmpty ? "" : " [\(tags.joined(separator: ", "))]"
        description = "\(String(reflecting: type))\(list), priority \(priority), added at \(site)"
    }
}
