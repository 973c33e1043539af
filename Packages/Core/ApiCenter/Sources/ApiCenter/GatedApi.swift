/// The ways of ``ApiCenter/api(type:fileID:line:)`` when there is more to do than to look up and build.
extension ApiCenter {
    /// With an observer, an override somewhere, or a chain that is being followed.
    @inline(never)
    func gatedApi<T>(type: T.Type, at site: CallSite) -> T? {
        let scope = currentScope
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        let box: ApiBox<T>?
        if let overridden = scope?.find(ObjectIdentifier(type)) {
            // Stored under the identity of T, so it is a box of T.
            box = overridden.box.map { unsafe unsafeDowncast($0, to: ApiBox<T>.self) }
        } else {
            // The ticket keeps the box alive until it is retained; its key is the identity of T.
            box = unsafe table.box(ObjectIdentifier(type)).map {
                unsafe unsafeDowncast($0.takeUnretainedValue(), to: ApiBox<T>.self)
            }
        }
        if gate.hasObserver, let observer = observation.withLock({ $0 }) {
            observer.see(ApiCall(type: type, site: site, isRegistered: box != nil))
        }
        guard let box else { return nil }
        guard gate.followsChains || ticket.isCounted else { return box.build(self) }
        return BuildChain.following(box, isDeep: ticket.isCounted) { box.build(self) }
    }

    /// With every reader slot taken: many threads inside builders, or builders that call each other without
    /// end. From here on the chain is followed.
    @inline(never)
    func deepApi<T>(type: T.Type) -> T? {
        gate.beginChain()
        defer { gate.endChain() }
        // The caller's ticket keeps the box alive until it is retained; its key is the identity of T.
        guard let box = unsafe table.box(ObjectIdentifier(type))?.takeUnretainedValue() else { return nil }
        let typed = unsafe unsafeDowncast(box, to: ApiBox<T>.self)
        return BuildChain.following(typed, isDeep: true) { typed.build(self) }
    }
}
