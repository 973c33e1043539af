import Synchronization

/// The registry that connects modules: it maps a protocol (an Api) to the builder of its implementation (the
/// IMP).
///
/// ```swift
/// ApiCenter.shared.registerApi(type: ModuleAApiProtocol.self) { ModuleAApi() }
/// ApiCenter.shared.api(type: ModuleAApiProtocol.self)?.descriptionA()
/// ```
///
/// - The key is the identity of the type, not its name: two modules may each declare a `protocol Service`.
/// - The center stores builders, not what they build: a plain builder runs on every ``api(type:fileID:line:)`` call. The
///   scope of a registration (``ApiScope``) keeps what its builder has built.
/// - All operations are thread-safe. Lookups normally take no lock. Builders, and the `deinit` of objects
///   that builders captured, may look up, register, replace and remove Apis, even their own, because the center holds
///   no lock of its own while they run. A `once` or `weakSingleton` value has a lock, which is held while the value is
///   built: other callers of this value wait.
/// - A removed or replaced builder is freed when the last call that began before the removal has returned
///   from its builder. If that call returns at the very moment of the removal, a later call or removal frees
///   the builder instead. (While more than 64 calls run concurrently, freeing may be delayed.)
/// - A builder that captures its own center forms a retain cycle with the center; use the overload that
///   passes the center to the builder. An object that `once` keeps should hold the center weakly, as
///   `weak let center: ApiCenter?`, so that a call in flight when the app is torn down finds no Apis. An `unowned`
///   center would stop the process.
/// - A builder may throw: ``api(type:fileID:line:)`` then returns nil, and ``requireApi(type:fileID:line:)`` throws.
/// - Builders that depend on each other in a cycle stop the process with a message that shows the cycle. A cycle
///   through a `once` or `weakSingleton` builder is found immediately. A cycle of plain builders is found when it has
///   used three quarters of its thread's stack, if each builder uses less than 50 KB and a tenth of the stack, and one
///   round of the cycle less than a fifth. Otherwise, the stack may overflow. A cycle is not found if one of its steps is
///   a builder that waits for a queue, a task or another thread.
///
/// The class has the same name as its module. The module interface therefore cannot be verified, and an
/// XCFramework cannot be built with the default flags.
///
/// Source: seed 1.
public final class ApiCenter: ApiCenterProtocol, Sendable {
    /// The default center, for an app that does not create its own.
    public static let shared = ApiCenter()

    /// Tells the lookup whether observers, overrides or build chains require extra work.
    let gate = Gate()
    let readers = Readers()
    let observation = Locked<[Observer]>([])
    let sessions = Sessions()

    /// The registrations.
    let table = CurrentTable()
    /// The lock that serialises writes to the table. Never held while a builder, a deinit or other client code runs.
    private let writing = Locked<Void>(())

    /// Creates an empty center, independent of ``shared``, for a test or for a self-contained part of an app.
    public init() { LinkedCopies.check }

    // MARK: Register

    /// Registers the builder of the one IMP of `type`. The builder runs on every call to
    /// ``api(type:fileID:line:)``, on the caller's thread.
    ///
    /// A second registration of the same type stops the process, in debug and release builds, and the message
    /// names both call sites: two modules that register the same Api are always a mistake. To replace an IMP
    /// on purpose, use ``replaceApi(type:scope:impBuilder:fileID:line:)-(_,_,()->T,_,_)``.
    ///
    /// Complexity: amortised O(1).
    public func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable () throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) { registerApi(type: type, impBuilder: { _ in try impBuilder() }, fileID: fileID, line: line) }

    /// Registers a builder that receives the center that calls it, so that the builder need not capture a
    /// center.
    public func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable (ApiCenter) throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        // The builder may come from the function `onMain`.
        store(ApiScope(isOnMain: true, wrap: ApiScope.each.wrap), impBuilder, replacing: false, fileID, line)
    }

    /// Registers the builder of the IMP of `type`, and replaces any builder that is already registered.
    ///
    /// A call that is already inside the old builder returns the old IMP; every later call gets the new one.
    /// `scope` sets the lifetime of the new IMP.
    public func replaceApi<T>(
        type: T.Type, scope: ApiScope<T> = .each, impBuilder: @escaping @Sendable () throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) { store(scope, { _ in try impBuilder() }, replacing: true, fileID, line) }

    /// Replaces the IMP of `type`. The new builder receives the center that calls it.
    public func replaceApi<T>(
        type: T.Type, scope: ApiScope<T> = .each, impBuilder: @escaping @Sendable (ApiCenter) throws -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) { store(scope, impBuilder, replacing: true, fileID, line) }

    /// Removes the builder of `api`, and frees the builder and what its scope keeps as soon as no call uses them. Does
    /// nothing if `api` is not registered.
    public func removeApi<T>(api: T.Type) {
        let key = ObjectIdentifier(T.self)
        if let scope = currentScope { return scope.remove(key) }
        if let removed = writing.withLock({ _ in table.value.exchange(nil, for: key) }) {
            readers.retire([removed])
        }
    }

    /// Removes every builder.
    public func removeAll() {
        if let scope = currentScope { return visibleBoxes.keys.forEach(scope.remove) }
        readers.retire([writing.withLock { _ in table.replace(with: ApiTable()) }])
    }

    // MARK: List

    /// The module-qualified names of all registered Apis, such as `ModuleAApi.ModuleAApiProtocol`, sorted.
    /// Takes the overrides of the current task into account.
    ///
    /// Complexity: O(*n* log *n*) in the number of registrations.
    public func allRegisteredApi() -> [String] { visibleBoxes.values.map(\.name).sorted() }

    /// The registrations that the current task sees, by their keys.
    var visibleBoxes: [ObjectIdentifier: AnyApiBox] {
        let boxes = writing.withLock { _ in table.value.boxes }
        var visible = Dictionary(boxes.map { ($0.key, $0) }) { first, _ in first }
        currentScope?.apply(to: &visible)
        return visible
    }

    // MARK: Store

    /// Stores the registration of an Api in the current task's scope of overrides, or else in this center. If the Api is
    /// already registered there and `replacing` is false, stops the process.
    func store<T>(
        _ scope: ApiScope<T>, _ build: @escaping ApiScope<T>.Builder, replacing: Bool,
        _ fileID: StaticString, _ line: UInt
    ) {
        let box = ApiBox(scope: scope, site: CallSite(fileID: fileID, line: line), build: build)
        let first = currentScope.map { $0.put(box, replacing: replacing) } ?? put(box, replacing: replacing)
        guard let first else { return }
        fatalError(
            """
            \(box.name) is registered twice: first at \(first.site), again at \(box.site). An Api \
            has exactly one IMP, so that callers know which one they get. Remove one of the two registrations, \
            or call replaceApi(type:impBuilder:) if the second IMP should replace the first.
            """, file: fileID, line: line)
    }

    /// Stores a registration and returns nil. If the Api is already registered and `replacing` is false,
    /// changes nothing and returns the existing registration.
    private func put(_ box: AnyApiBox, replacing: Bool) -> AnyApiBox? {
        let (first, removed): (AnyApiBox?, [AnyObject & Sendable]) = writing.withLock { _ in
            if !replacing, let first = table.value.retainedBox(box.key) { return (first, []) }
            var removed: [AnyObject & Sendable] = []
            if table.value.isFull { removed.append(table.replace(with: ApiTable(table.value.boxes))) }
            let old = table.value.exchange(box, for: box.key)
            if let old { removed.append(old) }
            RegistrationLog.current?.note(.init(box, replacing: .init(box: old), undo: undo), in: self)
            return (nil, removed)
        }
        if !removed.isEmpty { readers.retire(removed) }
        return first
    }

    /// The registration that the current task sees under a key.
    func visibleBox(_ key: ObjectIdentifier) -> AnyApiBox? {
        currentScope?.find(key).map(\.box) ?? registered(key)
    }

    /// The registration of an Api in this center, whatever the scopes of overrides contain.
    func registered(_ key: ObjectIdentifier) -> AnyApiBox? {
        writing.withLock { _ in table.value.retainedBox(key) }
    }

    /// Undoes a registration: restores the replaced registration, or removes the Api if nothing was replaced. If the
    /// registration has itself been replaced, only prevents that it is restored.
    private func undo(_ box: AnyApiBox) {
        let removed: AnyApiBox? = writing.withLock { _ in
            let current = table.value.retainedBox(box.key)
            if current === box { return table.value.exchange(box.older?.box, for: box.key) }
            current?.forget(box)
            return nil
        }
        if let removed { readers.retire([removed]) }
    }
}
