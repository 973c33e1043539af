/// Identifies a provider that was added to a ``Providers`` set, for its removal and for error messages.
///
/// Handles are compared by identity: adding the same object twice gives two different handles. A handle retains
/// neither the provider nor the set. Thread-safe.
public final class ProviderHandle: Sendable, Hashable, CustomStringConvertible {
    /// The tags with which the provider was added.
    public let tags: [String]

    /// The priority with which the provider was added.
    public let priority: Int

    /// The provider's dynamic type, for error messages.
    ///
    /// Conditions should not use the type, because that would tie the caller to an IMP.
    public let type: Any.Type

    private let fileID: StaticString
    private let line: UInt

    init(type: Any.Type, tags: [String], priority: Int, fileID: StaticString, line: UInt) {
        self.type = type
        self.tags = tags
        self.priority = priority
        self.fileID = fileID
        self.line = line
    }

    /// The file and line that added the provider: `Shell/Setup.swift:12`.
    public var site: String { "\(fileID):\(line)" }

    /// The provider's type, tags and priority, and the file and line that added it.
    ///
    /// For example: `Logger.FileLogger [slow], priority 0, added at Shell/Setup.swift:12`.
    public var description: String {
        let list = tags.isEmpty ? "" : " [\(tags.joined(separator: ", "))]"
        return "\(String(reflecting: type))\(list), priority \(priority), added at \(site)"
    }

    /// Whether both are the same handle.
    public static func == (left: ProviderHandle, right: ProviderHandle) -> Bool { left === right }

    /// Hashes the handle's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
