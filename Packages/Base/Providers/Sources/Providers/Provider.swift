/// A provider in a ``Providers`` set, as conditions see it.
public struct Provider<P: Sendable>: Sendable {
    /// The object that provides the interface.
    ///
    /// A condition may use the members of the interface, but must not test for a class.
    public let implementation: P

    /// The handle that ``Providers/add(_:tags:priority:fileID:line:)`` returned.
    public let handle: ProviderHandle

    /// The words that describe what the provider is suited for.
    @inlinable public var tags: [String] { handle.tags }

    /// The rank among matching providers: the highest priority is used first.
    @inlinable public var priority: Int { handle.priority }
}

/// Identifies a provider that was added to a ``Providers`` set, for its removal and for error messages.
///
/// Handles are compared by identity: adding the same object twice gives two different handles. A handle retains
/// neither the provider nor the set. Thread-safe.
public final class ProviderHandle: Sendable, Hashable, CustomStringConvertible {
    /// The tags with which the provider was added.
    public let tags: [String]

    /// The priority with which the provider was added.
    public let priority: Int

    /// The provider's type, tags and priority, and the file and line that added it:
    /// `Logger.FileLogger [slow], priority 0, added at Shell/Setup.swift:12`.
    public var description: String {
        let list = tags.isEmpty ? "" : " [\(tags.joined(separator: ", "))]"
        return "\(String(reflecting: type))\(list), priority \(priority), added at \(site)"
    }

    /// The file and line that added the provider: `Shell/Setup.swift:12`.
    public var site: String { "\(fileID):\(line)" }

    private let type: Any.Type
    private let fileID: StaticString
    private let line: UInt

    init(type: Any.Type, tags: [String], priority: Int, fileID: StaticString, line: UInt) {
        (self.type, self.tags, self.priority) = (type, tags, priority)
        (self.fileID, self.line) = (fileID, line)
    }

    /// Whether both are the same handle.
    public static func == (left: ProviderHandle, right: ProviderHandle) -> Bool { left === right }

    /// Hashes the handle's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
