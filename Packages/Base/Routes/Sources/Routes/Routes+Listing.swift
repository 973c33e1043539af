import ApiCenter

/// One entry in the list of a registry's routes.
public struct RouteListing: Hashable, Sendable {
    /// The route's pattern.
    public let pattern: String
    /// Whether the route is only declared, because its module is not in the app.
    public let isAbsent: Bool
    /// Whether URLs from outside the app may reach the route.
    public let isRemote: Bool
    /// The file and line of the registration.
    public let site: CallSite
}

extension Routes {
    /// All routes, including the declared routes of absent modules, sorted by pattern.
    ///
    /// - Complexity: O(n log n).
    public func allRoutes() -> [RouteListing] {
        table.withLock { $0.all() }.map { route in
            RouteListing(
                pattern: route.text, isAbsent: route.isAbsent, isRemote: route.isRemote, site: route.site)
        }
        .sorted { $0.pattern < $1.pattern }
    }
}
