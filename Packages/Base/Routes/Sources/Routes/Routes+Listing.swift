import ApiCenter
import Links

/// One entry in the list of a registry's routes.
public struct RouteListing: Hashable, Sendable {
    /// How a route answers a call.
    public enum Kind: Hashable, Sendable {
        /// A handler.
        case handler
        /// An async handler.
        case asyncHandler
        /// A handler on the main actor.
        case mainHandler
        /// No handler, because the named module is not in the app.
        case absentModule(String)
    }

    /// The route's pattern in its canonical form.
    public let pattern: String
    /// How the route answers a call.
    public let kind: Kind
    /// Whether URLs from outside the app may reach the route.
    public let isRemote: Bool
    /// The file and line of the registration.
    public let site: CallSite

    fileprivate init(_ route: Route) {
        (pattern, isRemote, site) = (route.text, route.isRemote, route.site)
        kind =
            switch route.answer {
            case .handler(.sync): .handler
            case .handler(.async): .asyncHandler
            case .handler(.onMain): .mainHandler
            case .absent(let module): .absentModule(module)
            }
    }
}

extension Routes {
    /// All routes, including the declared routes of absent modules, sorted by pattern.
    ///
    /// - Complexity: O(n log n).
    public func allRoutes() -> [RouteListing] {
        table.withLock { $0.all() }.map(RouteListing.init).sorted { $0.pattern < $1.pattern }
    }
}
