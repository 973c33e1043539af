import Synchronization

extension ApiCenter {
    /// Returns the IMP of `type`, or nil if there is none: normally because the implementing module is not in this app,
    /// otherwise because the builder threw an error, which observers receive (``ApiCall/failure``).
    ///
    /// The lookup takes no lock, and normally accesses no memory that other threads write. The builder may take locks
    /// and access such memory. The call takes locks briefly while the center has observers, in a scope of overrides, inside
    /// a `once` or `weakSingleton` builder, and in builders that are nested so deeply that half of the stack is used.
    /// Complexity: O(1), plus the cost of the builder; O(*n*) in the number of registrations if the center has observers
    /// and no IMP is registered, because the report says whether the Api is linked twice.
    ///
    /// - Parameters:
    ///   - type: The Api's protocol.
    ///   - fileID: The caller's file, for observers.
    ///   - line: The caller's line, for observers.
    public func api<T>(type: T.Type, fileID: StaticString = #fileID, line: UInt = #line) -> T? {
        try? imp(of: type, fileID, line)
    }

    /// Returns the IMP of `type`, for callers that cannot work without it.
    ///
    /// - Throws: ``ApiError`` if no IMP is registered, or if the builder of the IMP throws an error. The error names the
    ///   Api, the call site, the cause or registered Apis with similar names, and the fix.
    public func requireApi<T>(
        type: T.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ApiError) -> T {
        let site = CallSite(fileID: fileID, line: line)
        do {
            if let imp = try imp(of: type, fileID, line) { return imp }
        } catch {
            let registration = visibleBox(ObjectIdentifier(T.self))?.site
            throw ApiError(T.self, at: site, registration: registration, cause: error)
        }
        throw ApiError(
            T.self, at: site, registered: allRegisteredApi(), linkedTwice: linkedTwice(T.self, at: site))
    }

    /// The IMP of `type`, or nil if no IMP is registered.
    ///
    /// - Throws: The error that the builder throws.
    @inline(__always)
    private func imp<T>(of type: T.Type, _ fileID: StaticString, _ line: UInt) throws -> T? {
        guard gate.isClear else { return try gatedImp(of: type, at: CallSite(fileID: fileID, line: line)) }
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        if ticket.isDeep { return try gatedImp(of: type, at: CallSite(fileID: fileID, line: line)) }
        // The ticket keeps the box alive. The box is an ApiBox<T>, because its key is the identity of T.
        return try unsafe table.box(ObjectIdentifier(T.self))?._withUnsafeGuaranteedRef { box in
            try unsafe unsafeDowncast(box, to: ApiBox<T>.self).build(self)
        }
    }

    /// Whether `api` is registered, taking the overrides of the current task into account.
    public func isRegisteredApi<T>(api: T.Type) -> Bool {
        if let overridden = currentScope?.find(ObjectIdentifier(T.self)) { return overridden.box != nil }
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        return unsafe table.box(ObjectIdentifier(T.self)) != nil
    }

    /// The slow path of `imp`. A call takes this path while the center has observers, while any task has overrides, while
    /// a build chain is being recorded, or when calls are nested so deeply that half of the stack is used.
    @inline(never)
    private func gatedImp<T>(of type: T.Type, at site: CallSite) throws -> T? {
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        let override = currentScope?.find(ObjectIdentifier(T.self))
        // The ticket keeps a box of the table alive until the box is retained. A box that is stored under the identity
        // of T is an ApiBox<T>.
        let found = unsafe override.map(\.box) ?? table.box(ObjectIdentifier(T.self))?.takeUnretainedValue()
        let box = found.map { unsafe unsafeDowncast($0, to: ApiBox<T>.self) }
        let observers = gate.hasObserver && !Observer.isObserving ? observation.withLock { $0 } : []
        func tell(_ failure: (any Error)?) {
            guard !observers.isEmpty else { return }
            let call = ApiCall(
                type: T.self, site: site, isRegistered: box != nil, failure: failure,
                linkedTwice: box == nil ? linkedTwice(T.self, at: site) : nil)
            Observer.$isObserving.withValue(true) { for observer in observers { observer.see(call) } }
        }
        tell(nil)
        guard let box else { return nil }
        do {
            guard BuildChain.isFollowed || ticket.isDeep else { return try box.build(self) }
            gate.beginChain()
            defer { gate.endChain() }
            return try BuildChain.following(box, isDeep: ticket.isDeep) { try box.build(self) }
        } catch {
            tell(error)
            throw error
        }
    }
}

/// The word that ``ApiCenter/api(type:fileID:line:)`` checks to choose between its fast and slow paths: zero if the
/// center has no observer, no task has overrides, and no build chain is being recorded.
///
/// All operations are thread-safe.
struct Gate: ~Copyable, Sendable {
    private static let observer: UInt64 = 1
    private static let override: UInt64 = 1 << 1
    private static let chain: UInt64 = 1 << 32

    /// 64 bits on every platform, because the 32-bit `Int` of watchOS is too small for two counters.
    private let word = Atomic<UInt64>(0)

    /// Relaxed ordering is enough: when a caller adds an observer or opens a scope, only its own later calls
    /// and the tasks that it starts are guaranteed to see the change.
    @inline(__always)
    var isClear: Bool { word.load(ordering: .relaxed) == 0 }

    var hasObserver: Bool { word.load(ordering: .relaxed) & Self.observer != 0 }
    var hasOverrides: Bool { word.load(ordering: .relaxed) & (Self.chain - Self.override) != 0 }

    func setObserver() { word.bitwiseOr(Self.observer, ordering: .relaxed) }
    func clearObserver() { word.bitwiseAnd(~Self.observer, ordering: .relaxed) }
    func openScope() { word.wrappingAdd(Self.override, ordering: .relaxed) }
    func closeScope() { word.wrappingSubtract(Self.override, ordering: .relaxed) }
    func beginChain() { word.wrappingAdd(Self.chain, ordering: .relaxed) }
    func endChain() { word.wrappingSubtract(Self.chain, ordering: .relaxed) }
}
