/// One addition of a provider to a ``Providers``: what it is removed by, and what reports name it by.
///
/// A handle is equal to itself alone: adding the same object twice gives two handles. It keeps neither the
/// provider nor the set alive. Safe from every thread.
public final class ProviderHandle: Sendable, Hashable, CustomStringConvertible {
    /// The tags that the provider was added with.
    public let tags: [String]

    /// The priority that the provider was added with.
    public let priority: Int

    /// The provider's own type. For reports: a condition that looks at it ties the caller to an IMP.
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

    /// Where the provider was added: `Shell/Setup.swift:12`.
    public var site: String { "\(fileID):\(line)" }

    /// The provider's type, tags and priority, and where it was added:
    /// `Logger.FileLogger [slow], priority 0, added at Shell/Setup.swift:12`.
    public var description: String {
        let list = tags.isEmpty ? "" : " [\(tags.joined(separator: ", "))]"
        return "\(String(reflecting: type))\(list), priority \(priority), added at \(site)"
    }

    /// Whether both are the same addition.
    public static func == (left: ProviderHandle, right: ProviderHandle) -> Bool { left === right }

    /// Feeds the identity of the addition to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
