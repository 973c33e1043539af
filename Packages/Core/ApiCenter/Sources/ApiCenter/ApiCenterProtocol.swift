/// A registry of Apis: a map from a protocol to the builder of its IMP.
///
/// ``ApiCenter`` is the registry that apps use. Conform a type of your own for a registry with different
/// storage; callers see no difference. All operations must be thread-safe.
///
/// The requirements take the call site as a ``CallSite``. An extension adds the forms that the source
/// document declares, which have no such parameter and pass the caller's file and line.
///
/// Source: seeds/1-ApiCenter.md, "Protocol 方案".
public protocol ApiCenterProtocol: Sendable {
    /// Registers the builder of the one IMP of `type`.
    func registerApi<T>(type: T.Type, impBuilder: @escaping @Sendable () -> T, at site: CallSite)

    /// Removes the builder of `api`. Does nothing if `api` is not registered.
    func removeApi<T>(api: T.Type)

    /// Returns the IMP of `type` from its builder, or nil if none is registered.
    ///
    /// - Throws: An error of the registry, if the lookup fails. ``ApiCenter`` never throws.
    func api<T>(type: T.Type, at site: CallSite) throws -> T?

    /// Whether a builder of `api` is registered.
    func isRegisteredApi<T>(api: T.Type) -> Bool

    /// The module-qualified names of all registered Apis, sorted.
    func allRegisteredApi() -> [String]

    /// Removes every builder.
    func removeAll()
}

extension ApiCenterProtocol {
    /// Registers the builder of the one IMP of `type`, with the caller's file and line as the call site.
    public func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        registerApi(type: type, impBuilder: impBuilder, at: CallSite(fileID: fileID, line: line))
    }

    /// Returns the IMP of `type`, with the caller's file and line as the call site, or nil if none is
    /// registered.
    public func api<T>(type: T.Type, fileID: StaticString = #fileID, line: UInt = #line) throws -> T? {
        try api(type: type, at: CallSite(fileID: fileID, line: line))
    }
}
