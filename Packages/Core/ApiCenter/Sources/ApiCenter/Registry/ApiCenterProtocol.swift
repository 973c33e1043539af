/// A registry of Apis: a map from a protocol to the builder of its IMP.
///
/// ``ApiCenter`` is the registry that apps use. For a registry with different storage, conform your own type to
/// this protocol. A registry that several threads use must be thread-safe and `Sendable`.
///
/// The requirements are the source document's functions, which take no call site. For a call through this
/// protocol, the observer and the messages of ``ApiCenter`` therefore show a line of this file.
///
/// Source: seed 1, "Protocol 方案".
public protocol ApiCenterProtocol {
    /// Registers the builder of the one IMP of `type`.
    func registerApi<T>(type: T.Type, impBuilder: @escaping @Sendable () -> T)

    /// Removes the builder of `api`. Does nothing if `api` is not registered.
    func removeApi<T>(api: T.Type)

    /// Builds and returns the IMP of `type`, or returns nil if no builder is registered.
    ///
    /// - Throws: An error of the registry, if the lookup fails. ``ApiCenter`` never throws.
    func api<T>(type: T.Type) throws -> T?

    /// Whether a builder of `api` is registered.
    func isRegisteredApi<T>(api: T.Type) -> Bool

    /// The module-qualified names of all registered Apis, sorted.
    func allRegisteredApi() -> [String]

    /// Removes every builder.
    func removeAll()
}

// These two variants are not members of the class, because every call to `api(type:)` would then resolve to the
// variant without a call site.
extension ApiCenterProtocol where Self == ApiCenter {
    /// A variant of ``ApiCenter/registerApi(type:impBuilder:fileID:line:)-(_,()->T,_,_)`` without a call site, for
    /// calls through ``ApiCenterProtocol``.
    public func registerApi<T>(type: T.Type, impBuilder: @escaping @Sendable () -> T) {
        registerApi(type: type, impBuilder: impBuilder, fileID: #fileID, line: #line)
    }

    /// A variant of ``ApiCenter/api(type:fileID:line:)`` without a call site, for calls through
    /// ``ApiCenterProtocol``.
    public func api<T>(type: T.Type) throws -> T? { api(type: type, fileID: #fileID, line: #line) }
}
