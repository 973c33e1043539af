/// A call as a guard or the not-found handler sees it.
public struct MediatorCall: Sendable {
    /// The target that was asked for.
    public let target: String
    /// The action that was asked for.
    public let action: String
    /// The parameters; for a remote call without the reserved keys it may have tried to pass, and with
    /// `@url` and `@options`.
    public let params: [String: any Sendable]
    /// The scheme of the URL of a remote call; nil for a local call.
    public let scheme: String?

    /// Whether the call came in through `openUrl`.
    public var isRemote: Bool { scheme != nil }
}
