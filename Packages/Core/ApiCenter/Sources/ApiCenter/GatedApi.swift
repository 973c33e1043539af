/// The slow paths of ``ApiCenter/api(type:fileID:line:)``.
extension ApiCenter {
    /// The path taken while an observer is set, any task has overrides, or a build chain is being recorded.
    @inline(never)
    func gatedApi<T>(type: T.Type, at site: CallSite) -> T? {
        let scope = currentScope
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        let box: ApiBox<T>?
        if let overridden = scope?.find(ObjectIdentifier(T.self)) {
            // The box was stored under the identity of T, so it is an ApiBox<T>.
            box = overridden.box.map { unsafe unsafeDowncast($0, to: ApiBox<T>.self) }
        } else {
            // The ticket keeps the box alive until the box is retained. The box was stored under the identity
            // of T, so it is an ApiBox<T>.
            box = unsafe table.box(ObjectIdentifier(T.self)).map {
                unsafe unsafeDowncast($0.takeUnretainedValue(), to: ApiBox<T>.self)
            }
        }
        if gate.hasObserver, !Observer.isObserving, let observer = observation.withLock({ $0 }) {
            let call = ApiCall(type: T.self, site: site, isRegistered: box != nil)
            Observer.$isObserving.withValue(true) { observer.see(call) }
        }
        guard let box else { return nil }
        guard BuildChain.isFollowed || ticket.isCounted else { return box.build(self) }
        return BuildChain.following(box, isDeep: ticket.isCounted) { box.build(self) }
    }

    /// The path taken when every reader slot is taken: many threads are inside builders, or builders call
    /// each other endlessly. Records the build chain from here on, to detect a cycle.
    @inline(never)
    func deepApi<T>(type: T.Type) -> T? {
        gate.beginChain()
        defer { gate.endChain() }
        // The caller's ticket keeps the box alive until the box is retained. The box was stored under the
        // identity of T, so it is an ApiBox<T>.
        guard let box = unsafe table.box(ObjectIdentifier(T.self))?.takeUnretainedValue() else { return nil }
        let typed = unsafe unsafeDowncast(box, to: ApiBox<T>.self)
        return BuildChain.following(typed, isDeep: true) { typed.build(self) }
    }
}
