/// The error for a required Api without an IMP: the Api is not registered, or its builder threw an error.
///
/// Thrown by ``ApiCenter/requireApi(type:fileID:line:)``. The description contains the call site, the Api, the reason
/// and the fix. Two errors with the same description are equal.
public struct ApiError: Error, Hashable, CustomStringConvertible {
    /// The module-qualified name of the Api, such as `ModuleBApi.ModuleBApiProtocol`.
    public let api: String

    /// The call site of the failed request.
    public let site: CallSite

    /// The error that the builder threw; nil if no IMP is registered.
    public let cause: (any Error)?

    /// The registered Apis with similar names, sorted. The caller may have meant one of them. Empty if a builder threw.
    public let similar: [String]

    /// If ApiCenter or the Api is linked into two images of this process: a text with both images and the fix.
    public let linkedTwice: String?

    /// The call site of the registration whose builder threw.
    private let registration: CallSite?

    /// The error for an Api that is not registered, or, with a `cause`, for an Api whose builder threw it.
    init(
        _ api: Any.Type, at site: CallSite, registered: [String] = [], linkedTwice: String? = nil,
        registration: CallSite? = nil, cause: (any Error)? = nil
    ) {
        let name = String(reflecting: api)
        (self.api, self.site, self.linkedTwice) = (name, site, linkedTwice)
        (self.registration, self.cause) = (registration, cause)
        similar = registered.filter { Self.isSimilar($0, name) }
    }

    /// One line with the call site, the Api, the reason and the fix.
    public var description: String {
        let alike =
            similar.isEmpty ? "" : " Registered under similar names: \(similar.joined(separator: ", "))."
        let type = api.split(separator: ".").last.map(String.init) ?? api
        if let linkedTwice { return "\(site): no IMP of \(api) is registered here. \(linkedTwice)" }
        if let reason {
            return """
                \(reason)\(reason.hasSuffix(".") ? "" : ".") A service is complete when it exists, so this Api has no \
                IMP until its builder succeeds. Correct the cause; the next call runs the builder again. Or ask with \
                api(type:), which returns nil, and carry on without the IMP.
                """
        }
        return """
            \(site): no IMP of \(api) is registered.\(alike) An Api has an IMP only once its module has \
            registered one, and a module may be left out of an app. Register the IMP at launch, before this \
            call (register(\(type).self) { ... }), or ask with api(type:), which returns nil for a \
            missing IMP, and carry on without it.
            """
    }

    /// The builder's error, after the errors of the builders that passed it on; nil if no IMP is registered.
    private var reason: String? {
        cause.map { cause in
            let place = registration.map { ", registered at \($0)," } ?? ""
            return "\(site): the IMP of \(api) could not be built. Its builder\(place) threw: "
                + ((cause as? ApiError)?.reason ?? "\(cause)")
        }
    }

    /// Whether both errors have the same description.
    public static func == (left: ApiError, right: ApiError) -> Bool { left.description == right.description }

    /// Hashes the description.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Whether two names are equal, or one name extends the other by at most two letters (`Journey`, `Journeys`).
    /// Letter case, modules and the endings `Api` and `Protocol` are ignored.
    private static func isSimilar(_ one: String, _ other: String) -> Bool {
        let one = stem(one), other = stem(other)
        guard abs(one.count - other.count) <= 2 else { return false }
        return one.hasPrefix(other) || other.hasPrefix(one)
    }

    /// The part of a name that is compared: `moduleb` for `ModuleBApi.ModuleBApiProtocol`.
    private static func stem(_ name: String) -> String {
        var stem = name.split(separator: ".").last?.lowercased() ?? ""
        for ending in ["protocol", "api"] where stem.hasSuffix(ending) { stem.removeLast(ending.count) }
        return stem
    }
}
