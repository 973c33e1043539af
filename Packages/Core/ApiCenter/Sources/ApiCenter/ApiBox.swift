/// What is kept of one registration: which Api, where it was registered and, in the subclass, its builder.
///
/// Unchecked, because a class that is not final cannot be checked: all that it and its only subclass hold
/// are constants of Sendable types.
class AnyApiBox: @unchecked Sendable {
    let type: Any.Type
    let site: CallSite

    init(type: Any.Type, site: CallSite) {
        self.type = type
        self.site = site
    }

    var key: ObjectIdentifier { ObjectIdentifier(type) }

    /// The Api's module-qualified name: `ModuleAApi.ModuleAApiProtocol`.
    var name: String { String(reflecting: type) }
}

/// The registration of the Api `T`. Its key is the identity of `T`, so whoever found a box under that key
/// knows its type without a cast.
final class ApiBox<T>: AnyApiBox, @unchecked Sendable {
    let build: @Sendable (ApiCenter) -> T

    init(site: CallSite, build: @escaping @Sendable (ApiCenter) -> T) {
        self.build = build
        super.init(type: T.self, site: site)
    }
}
