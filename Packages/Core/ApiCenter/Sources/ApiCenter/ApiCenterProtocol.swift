/// What a registry of Apis can do: a map from a protocol to the builder of its IMP.
///
/// ``ApiCenter`` is the one that apps use. Write your own for a registry with another storage; callers see
/// no difference. All operations must be safe from every thread.
///
/// The requirements take the caller's place as a ``CallSite``; the same calls without it, as the source
/// document writes them, are in an extension and fill it in.
///
/// Source: seeds/1-ApiCenter.md, "Protocol 方案".
public protocol ApiCenterProtocol: Sendable {
    /// Registers the builder of the one IMP of `type`.
    func registerApi<T>(type: T.Type, impBuilder: @escaping @Sendable () -> T, at site: CallSite)

    /// Removes the builder of `api`; does nothing when there is none.
    func removeApi<T>(api: T.Type)

    /// The IMP of `type` from its builder, or nil when none is registered.
    ///
    /// - Throws: Whatever a registry has to say when it cannot answer. ``ApiCenter`` never throws.
    func api<T>(type: T.Type, at site: CallSite) throws -> T?

    /// Whether a builder of `api` is registered.
    func isRegisteredApi<T>(api: T.Type) -> Bool

    /// The module-qualified names of all registered Apis, sorted.
    func allRegisteredApi() -> [String]

    /// Removes every builder.
    func removeAll()
}

extension ApiCenterProtocol {
    /// Registers the builder of the one IMP of `type`, called from here.
    public func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        registerApi(type: type, impBuilder: impBuilder, at: CallSite(fileID: fileID, line: line))
    }

    /// The IMP of `type` from its builder, asked from here, or nil when none is registered.
    public func api<T>(type: T.Type, fileID: StaticString = #fileID, line: UInt = #line) throws -> T? {
        try api(type: type, at: CallSite(fileID: fileID, line: line))
    }
}
