/// A call, as passed to the guard and to the not-found handler.
public struct MediatorCall: Sendable {
    /// The requested target. In a remote call, whose target is compared without case, this is the installed name if the
    /// target exists, and otherwise the name in lower case.
    public internal(set) var target: String
    /// The requested action.
    public let action: String
    /// The parameters. A remote call's parameters include `@url` and, if options were passed, `@options`, but no
    /// reserved keys from the URL.
    public internal(set) var params: [String: any Sendable]
    /// The scheme of a remote call's URL; nil for a local call.
    public let scheme: String?

    /// Whether the call was made with `openUrl`.
    public var isRemote: Bool { scheme != nil }
}
