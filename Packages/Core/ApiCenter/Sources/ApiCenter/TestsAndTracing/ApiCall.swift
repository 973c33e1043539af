/// One call to ``ApiCenter/api(type:fileID:line:)``, as reported to the observer.
public struct ApiCall: Sendable {
    /// The requested Api.
    public let type: Any.Type

    /// The call site: the caller's file, line and module.
    public let site: CallSite

    /// Whether the Api had an IMP. If it had none, `api` returned nil or `requireApi` threw an ``ApiError``.
    public let isRegistered: Bool

    /// If the Api has no IMP because ApiCenter or the Api is linked into two images of this process: a text with both
    /// images and the fix. Otherwise nil.
    public let linkedTwice: String?

    /// The Api's module-qualified name, such as `ModuleAApi.ModuleAApiProtocol`.
    public var api: String { String(reflecting: type) }
}

/// The observer's closure. Wrapped in a struct, because each read of a bare closure from a generic container
/// would add another reabstraction thunk.
struct Observer {
    /// Whether the current task is running the observer. Calls made by the observer are not observed.
    @TaskLocal static var isObserving = false

    let see: @Sendable (ApiCall) -> Void
}

extension ApiCenter {
    /// Sets the closure that observes the calls to this center, for tracing; nil removes it. A center has at
    /// most one observer.
    ///
    /// Every call to ``api(type:fileID:line:)`` and ``requireApi(type:fileID:line:)`` is reported to the
    /// observer after the lookup and before the builder runs, so an outer call is reported before the calls
    /// that its builder makes. The observer runs on the caller's thread with no lock held, possibly on
    /// several threads concurrently. Calls made by the observer are not observed. A call that is in progress
    /// while the observer is set or removed may or may not be observed.
    ///
    /// A center without an observer has no overhead for this feature.
    public func setObserver(_ observer: (@Sendable (ApiCall) -> Void)?) {
        // The swap ensures that the old observer is freed after the lock is released.
        var old = observer.map(Observer.init)
        observation.withLock { current in
            swap(&current, &old)
            gate.setObserver(current != nil)
        }
    }
}
