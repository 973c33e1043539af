import Synchronization

/// The registry that connects modules: a map from a protocol, an Api, to the builder of its implementation,
/// the IMP.
///
/// ```swift
/// ApiCenter.shared.registerApi(type: ModuleAApiProtocol.self) { ModuleAApi() }
/// ApiCenter.shared.api(type: ModuleAApiProtocol.self)?.descriptionA()
/// ```
///
/// - The key is the identity of the type: two modules may each declare a `protocol Service`.
/// - Nothing is cached here. A builder runs at every ``api(type:fileID:line:)``; it may return the same
///   object each time, see `once` and `weakSingleton`.
/// - All operations are safe from every thread. Reading takes no lock. A builder is called under no lock,
///   and may itself ask, register, replace or remove; so may the `deinit` of what a builder has captured.
/// - What is removed or replaced is freed when no call that began before is still inside a builder: by the last
///   of them, or, if that returns at the very moment of the removal, by a later call or removal. (As long as more
///   than 64 calls at a time are under way without a pause, it waits for the pause.)
/// - A builder that captures a center keeps it alive, its own for ever; use the form that is handed the
///   center. What `once` keeps should hold the center `unowned`.
/// - Builders that need each other in a circle stop the process with the chain in the message.
///
/// The class has its module's name, so the module has no verified interface, and cannot be made an XCFramework
/// with the default flags.
///
/// Source: seeds/1-ApiCenter.md.
public final class ApiCenter: ApiCenterProtocol {
    /// The app's center.
    public static let shared = ApiCenter()

    /// What ``api(type:fileID:line:)`` must do beyond looking up and building. Zero: nothing.
    let gate = Gate()
    let readers = Readers()
    let observation = Locked<Observer?>(nil)

    /// What is registered.
    let table = CurrentTable()
    /// Held while the table is written; never while code from outside runs.
    private let writing = Locked<Void>(())

    /// A center of its own, with nothing registered: for a test, or for a closed part of an app.
    public init() {}

    // MARK: Register

    /// Registers the builder of the one IMP of `type`. The builder runs at every call of
    /// ``api(type:fileID:line:)``, on the caller's thread.
    ///
    /// A second registration of the same type stops the process, in debug and release alike, with both
    /// places in the message: two modules that claim one Api are a mistake whatever the order. To replace
    /// on purpose there is ``replaceApi(type:impBuilder:fileID:line:)-(_,()->T,_,_)``.
    ///
    /// Complexity: amortised O(1).
    public func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        registerApi(type: type, impBuilder: { _ in impBuilder() }, fileID: fileID, line: line)
    }

    /// Registers a builder that is handed the center it is asked from, so that it need not capture one.
    public func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable (ApiCenter) -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let site = CallSite(fileID: fileID, line: line)
        guard let first = put(ApiBox<T>(site: site, build: impBuilder), replacing: false) else { return }
        fatalError(
            """
            \(first.name) is registered twice: first at \(first.site), again at \(site). One Api has one \
            IMP, or callers could not know which they get. Remove one of the two registrations, or call \
            replaceApi(type:impBuilder:) if the second is to win.
            """, file: fileID, line: line)
    }

    /// ``registerApi(type:impBuilder:fileID:line:)-(_,()->T,_,_)`` for ``ApiCenterProtocol``.
    public func registerApi<T>(type: T.Type, impBuilder: @escaping @Sendable () -> T, at site: CallSite) {
        registerApi(type: type, impBuilder: impBuilder, fileID: site.file, line: site.line)
    }

    /// Registers the builder of the IMP of `type` in place of the one there is, if there is one.
    ///
    /// Callers that are inside the old builder finish with the old IMP; every later call gets the new one.
    public func replaceApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        replaceApi(type: type, impBuilder: { _ in impBuilder() }, fileID: fileID, line: line)
    }

    /// Replaces by a builder that is handed the center it is asked from.
    public func replaceApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable (ApiCenter) -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let site = CallSite(fileID: fileID, line: line)
        _ = put(ApiBox<T>(site: site, build: impBuilder), replacing: true)
    }

    /// Removes the builder of `api`, and frees what it captured; does nothing when there is none.
    public func removeApi<T>(api: T.Type) {
        if let removed = writing.withLock({ _ in table.value.exchange(nil, for: ObjectIdentifier(T.self)) }) {
            readers.retire([removed])
        }
    }

    /// Removes every builder.
    public func removeAll() {
        readers.retire([writing.withLock { _ in table.replace(with: ApiTable()) }])
    }

    // MARK: Ask

    /// The IMP of `type`, or nil when no module has registered one: the module is not in this app.
    ///
    /// - Parameters:
    ///   - type: The Api's protocol.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    ///
    /// Takes no lock, and normally touches no memory that other threads write to (a builder may). With an
    /// observer set, and inside a build-once builder, it takes a short one. Complexity: O(1), and what the
    /// builder costs.
    public func api<T>(type: T.Type, fileID: StaticString = #fileID, line: UInt = #line) -> T? {
        guard gate.isClear else {
            return gatedApi(type: type, at: CallSite(fileID: fileID, line: line))
        }
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        if ticket.isCounted { return deepApi(type: type) }
        // The ticket keeps the box alive; the key is the identity of T, so the box is one of T.
        return unsafe table.box(ObjectIdentifier(T.self))?._withUnsafeGuaranteedRef { box in
            unsafe unsafeDowncast(box, to: ApiBox<T>.self).build(self)
        }
    }

    /// ``api(type:fileID:line:)`` for ``ApiCenterProtocol``.
    public func api<T>(type: T.Type, at site: CallSite) -> T? {
        api(type: type, fileID: site.file, line: site.line)
    }

    /// The IMP of `type`, for callers that cannot do without it.
    ///
    /// - Throws: ``ApiError`` when none is registered: which Api, asked from where, what is registered under
    ///   a similar name, and what to do.
    public func requireApi<T>(
        type: T.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(ApiError) -> T {
        if let imp = api(type: type, fileID: fileID, line: line) { return imp }
        throw ApiError(
            api: String(reflecting: T.self), site: CallSite(fileID: fileID, line: line),
            registered: allRegisteredApi())
    }

    /// Whether a builder of `api` is registered.
    public func isRegisteredApi<T>(api: T.Type) -> Bool {
        if let overridden = currentScope?.find(ObjectIdentifier(T.self)) { return overridden.box != nil }
        let ticket = readers.enter()
        defer { readers.leave(ticket) }
        return unsafe table.box(ObjectIdentifier(T.self)) != nil
    }

    /// The module-qualified names of all registered Apis, sorted: `ModuleAApi.ModuleAApiProtocol`.
    ///
    /// Complexity: O(*n* log *n*) in the number of registrations.
    public func allRegisteredApi() -> [String] {
        var types: [ObjectIdentifier: Any.Type] = [:]
        for box in writing.withLock({ _ in table.value.boxes }) { types[box.key] = box.type }
        currentScope?.apply(to: &types)
        return types.values.map { String(reflecting: $0) }.sorted()
    }

    // MARK: Store

    /// Stores the box. Unless replacing, a box that is there already stays, and is returned.
    private func put(_ box: AnyApiBox, replacing: Bool) -> AnyApiBox? {
        let (first, removed): (AnyApiBox?, [AnyObject & Sendable]) = writing.withLock { _ in
            if !replacing, let first = table.value.retainedBox(box.key) { return (first, []) }
            var removed: [AnyObject & Sendable] = []
            if table.value.isFull { removed.append(table.replace(with: ApiTable(table.value.boxes))) }
            let old = table.value.exchange(box, for: box.key)
            if let old { removed.append(old) }
            RegistrationLog.current?.note((box, old), in: self)
            return (nil, removed)
        }
        if !removed.isEmpty { readers.retire(removed) }
        return first
    }

    /// Puts what a registration replaced, or nothing, in its place again, if the registration still stands.
    func takeBack(_ entry: RegistrationLog.Entry) {
        let removed: AnyApiBox? = writing.withLock { _ in
            guard table.value.retainedBox(entry.box.key) === entry.box else { return nil }
            return table.value.exchange(entry.replaced, for: entry.box.key)
        }
        if let removed { readers.retire([removed]) }
    }
}
