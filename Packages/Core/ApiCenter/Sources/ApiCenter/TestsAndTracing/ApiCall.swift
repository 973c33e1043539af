/// One call to ``ApiCenter/api(type:fileID:line:)``, as reported to observers.
public struct ApiCall: Sendable {
    /// The requested Api.
    public let type: Any.Type

    /// The call site: the caller's file, line and module.
    public let site: CallSite

    /// Whether an IMP of the Api is registered. If none is, `api` returns nil and `requireApi` throws an ``ApiError``.
    public let isRegistered: Bool

    /// The error that the builder threw; nil in the report that precedes the builder.
    public let failure: (any Error)?

    /// If the Api has no IMP because ApiCenter or the Api is linked into two images of this process: a text with both
    /// images and the fix. Otherwise nil.
    public let linkedTwice: String?

    /// The Api's module-qualified name, such as `ModuleAApi.ModuleAApiProtocol`.
    public var api: String { String(reflecting: type) }
}

/// One observer of a center, as an object with an identity.
final class Observer: Sendable {
    /// Whether the current task is running an observer. Calls made by an observer are not observed.
    @TaskLocal static var isObserving = false

    let see: @Sendable (ApiCall) -> Void

    init(see: @escaping @Sendable (ApiCall) -> Void) { self.see = see }
}

/// One observer's observation of a center: returned by ``ApiCenter/addObserver(_:)``, for ending it.
///
/// The value keeps neither the center nor the observer alive.
public struct ApiObservation: Sendable {
    fileprivate weak let center: ApiCenter?
    fileprivate weak let observer: Observer?

    /// Removes the observer from the center, and frees it unless a call is being reported to it. Later calls do nothing.
    ///
    /// Thread-safe. A call that is in progress may still be reported.
    public func end() {
        guard let center, let observer else { return }
        center.observation.withLock { observers in
            observers.removeAll { $0 === observer }
            if observers.isEmpty { center.gate.clearObserver() }
        }
    }
}

extension ApiCenter {
    /// Adds a closure that observes the calls to this center, for tracing. A center may have several observers, each of
    /// which observes until the returned observation's ``ApiObservation/end()`` is called, or as long as the center
    /// exists.
    ///
    /// Every call to ``api(type:fileID:line:)`` and ``requireApi(type:fileID:line:)`` is reported to the
    /// observers, in the order in which they were added, after the lookup and before the builder runs, so an outer call
    /// is reported before the calls that its builder makes. If the builder throws, the call is reported again, with its
    /// ``ApiCall/failure``. Observers run on the caller's thread with no lock held, possibly on several threads
    /// concurrently. Calls made by an observer are not observed. A call that is in progress while an observer is added
    /// or removed may or may not be observed.
    ///
    /// A center without observers has no overhead for this feature.
    @discardableResult
    public func addObserver(_ observer: @escaping @Sendable (ApiCall) -> Void) -> ApiObservation {
        let observer = Observer(see: observer)
        observation.withLock { observers in
            observers.append(observer)
            gate.setObserver()
        }
        return ApiObservation(center: self, observer: observer)
    }
}
