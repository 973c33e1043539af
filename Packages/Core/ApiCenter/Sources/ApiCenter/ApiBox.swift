/// One registration: the Api's type, the call site of the registration and, in the subclass, the builder.
///
/// `@unchecked`, because the compiler cannot check the Sendable conformance of a class that is not final.
/// This class and its only subclass hold only constants of Sendable types.
class AnyApiBox: @unchecked Sendable {
    let type: Any.Type
    let site: CallSite

    init(type: Any.Type, site: CallSite) {
        self.type = type
        self.site = site
    }

    var key: ObjectIdentifier { ObjectIdentifier(type) }

    /// The Api's module-qualified name, such as `ModuleAApi.ModuleAApiProtocol`.
    var name: String { String(reflecting: type) }
}

/// The registration of the Api `T`. Its key is the identity of `T`, so a box found under that key can be
/// downcast unchecked.
final class ApiBox<T>: AnyApiBox, @unchecked Sendable {
    let build: @Sendable (ApiCenter) -> T

    init(site: CallSite, build: @escaping @Sendable (ApiCenter) -> T) {
        self.build = build
        super.init(type: T.self, site: site)
    }
}
