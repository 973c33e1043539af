import Synchronization

extension ApiCenter {
    /// Returns the IMP of `type`, or nil if no IMP is registered, normally because the implementing module is not in
    /// this app.
    ///
    /// The lookup takes no lock, and normally accesses no memory that other threads write. The builder may take locks
    /// and access such memory. While an observer is set, inside a `once` or `weakSingleton` builder, and in builders
    /// that are nested so deeply that half of the stack is used, the call takes a lock briefly. Complexity: O(1), plus
    /// the cost of the builder.
    ///
    /// - Parameters:
    ///   - type: The Api's protocol.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    public func api<T>(type: T.Type, fileID: StaticString = #fileID, line: UInt = #line) -> T? {
        guard gate.isClear else {
            return gatedApi(type: type, at: CallSite(fileID: fileID, line: line))
        }
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        if ticket.isDeep { return gatedApi(type: type, at: CallSite(fileID: fileID, line: line)) }
        // The ticket keeps the box alive. The box is an ApiBox<T>, because its key is the identity of T.
        return unsafe table.box(ObjectIdentifier(T.self))?._withUnsafeGuaranteedRef { box in
            unsafe unsafeDowncast(box, to: ApiBox<T>.self).build(self)
        }
    }

    /// Returns the IMP of `type`, for callers that cannot work without it.
    ///
    /// - Throws: ``ApiError`` if no IMP is registered. The error names the missing Api, the call site,
    ///   registered Apis with similar names, and the fix.
    public func requireApi<T>(
        type: T.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ApiError) -> T {
        if let imp = api(type: type, fileID: fileID, line: line) { return imp }
        throw ApiError(
            api: String(reflecting: T.self), site: CallSite(fileID: fileID, line: line),
            registered: allRegisteredApi(),
            linkedTwice: linkedTwice(T.self, at: CallSite(fileID: fileID, line: line)))
    }

    /// Whether `api` is registered, taking the overrides of the current task into account.
    public func isRegisteredApi<T>(api: T.Type) -> Bool {
        if let overridden = currentScope?.find(ObjectIdentifier(T.self)) { return overridden.box != nil }
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        return unsafe table.box(ObjectIdentifier(T.self)) != nil
    }

    /// The slow path of `api`. A call takes this path while an observer is set, while any task has overrides, while a
    /// build chain is being recorded, or when calls are nested so deeply that half of the stack is used.
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
            let call = ApiCall(
                type: T.self, site: site, isRegistered: box != nil,
                linkedTwice: box == nil ? linkedTwice(T.self, at: site) : nil)
            Observer.$isObserving.withValue(true) { observer.see(call) }
        }
        guard let box else { return nil }
        guard BuildChain.isFollowed || ticket.isDeep else { return box.build(self) }
        gate.beginChain()
        defer { gate.endChain() }
        return BuildChain.following(box, isDeep: ticket.isDeep) { box.build(self) }
    }
}

/// The word that ``ApiCenter/api(type:fileID:line:)`` checks to choose between its fast and slow paths: zero if no
/// observer is set, no task has overrides, and no build chain is being recorded.
///
/// All operations are thread-safe.
struct Gate: ~Copyable, Sendable {
    private static let observer: UInt64 = 1
    private static let override: UInt64 = 1 << 1
    private static let chain: UInt64 = 1 << 32

    /// 64 bits on every platform, because the 32-bit `Int` of watchOS is too small for two counters.
    private let word = Atomic<UInt64>(0)

    /// Relaxed ordering is enough: when a caller sets an observer or opens a scope, only its own later calls
    /// and the tasks that it starts are guaranteed to see the change.
    @inline(__always)
    var isClear: Bool { word.load(ordering: .relaxed) == 0 }

    var hasObserver: Bool { word.load(ordering: .relaxed) & Self.observer != 0 }
    var hasOverrides: Bool { word.load(ordering: .relaxed) & (Self.chain - Self.override) != 0 }

    func setObserver(_ isThere: Bool) {
        if isThere {
            word.bitwiseOr(Self.observer, ordering: .relaxed)
        } else {
            word.bitwiseAnd(~Self.observer, ordering: .relaxed)
        }
    }

    func openScope() { word.wrappingAdd(Self.override, ordering: .relaxed) }
    func closeScope() { word.wrappingSubtract(Self.override, ordering: .relaxed) }
    func beginChain() { word.wrappingAdd(Self.chain, ordering: .relaxed) }
    func endChain() { word.wrappingSubtract(Self.chain, ordering: .relaxed) }
}
