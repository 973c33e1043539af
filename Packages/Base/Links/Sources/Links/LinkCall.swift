import ApiCenter

/// One call of a link, as an observer of a registry sees it.
public struct LinkCall: Sendable {
    /// The file and line of the caller.
    public let caller: CallSite
    /// What the caller asked for: the URL of a route or of a remote call, otherwise `target/action`.
    public let requested: String
    /// The name of the link that answers; nil if no link does.
    public let link: Link.Name?
    /// The module that answers, or that would answer if it were in the app; nil if no link matches.
    public let module: String?
    /// Whether the call came from outside the app.
    public let isRemote: Bool

    /// Creates a description of a call.
    public init(
        caller: CallSite, requested: String, link: Link.Name?, module: String?, isRemote: Bool
    ) {
        (self.caller, self.requested, self.isRemote) = (caller, requested, isRemote)
        (self.link, self.module) = (link, module)
    }
}

/// Observes the calls of a registry of links, for a log or a trace.
///
/// The observer runs when a call begins: after the link was found, and before a guard or the handler runs. It returns a
/// function that runs when the call ends, with the error that the caller gets, or nil. A call that finds no link begins
/// and ends too. A value that is not of the type that the caller asked for with `as:` counts as a success. Both functions run on the caller's thread without a lock, possibly on several threads at once.
public typealias LinkObserver = @Sendable (LinkCall) -> @Sendable ((any Error)?) -> Void
