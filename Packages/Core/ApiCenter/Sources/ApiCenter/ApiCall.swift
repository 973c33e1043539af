/// One call of ``ApiCenter/api(type:fileID:line:)``, as an observer sees it.
public struct ApiCall: Sendable {
    /// The Api that was asked for.
    public let type: Any.Type

    /// Where the call stands: the caller's file, line and module.
    public let site: CallSite

    /// Whether an IMP was there. When false the caller got nil.
    public let isRegistered: Bool

    /// The Api's module-qualified name: `ModuleAApi.ModuleAApiProtocol`.
    public var api: String { String(reflecting: type) }
}

/// The observer. A struct around the function, for a bare function in a generic place is wrapped once more each
/// time it is read from there.
struct Observer {
    let see: @Sendable (ApiCall) -> Void
}

extension ApiCenter {
    /// Sets the one observer of this center's calls, for tracing; nil removes it.
    ///
    /// It is told of every call of ``api(type:fileID:line:)`` and ``requireApi(type:fileID:line:)`` after the
    /// look-up and before the builder runs, so an outer call comes before the calls its builder makes. It
    /// runs on the caller's thread, under no lock, from several threads at once; it must not ask this center
    /// itself. A call that began before the observer was set or removed may still go either way.
    ///
    /// Without an observer a call costs nothing more than with this function absent.
    public func setObserver(_ observer: (@Sendable (ApiCall) -> Void)?) {
        // Swapped, so that the old observer is released after the lock, not under it.
        var old = observer.map(Observer.init)
        observation.withLock { current in
            swap(&current, &old)
            gate.setObserver(current != nil)
        }
    }
}
