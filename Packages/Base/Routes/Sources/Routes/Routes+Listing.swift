/// One line of a registry's listing.
public struct RouteListing: Hashable, Sendable {
    /// What answers the route's URLs.
    public enum Kind: Hashable, Sendable {
        /// A handler.
        case handler
        /// An async handler.
        case asyncHandler
        /// A redirect to another pattern.
        case redirect(to: String)
        /// Nothing: the module, named here, is not in the app.
        case absentModule(String)
    }

    /// The route's pattern in its canonical form.
    public let pattern: String
    /// The route's priority.
    public let priority: Int
    /// What answers.
    public let kind: Kind
    /// Whether calls from outside reach it.
    public let isRemote: Bool
    /// The file and line that registered it.
    public let site: String
}

extension Routes {
    /// All routes, and the declared ones whose module is absent, sorted by pattern and falling priority.
    ///
    /// - Complexity: O(n log n).
    public func allRoutes() -> [RouteListing] {
        table.withLock { $0.all() }.map(RouteListing.init).sorted {
            $0.pattern == $1.pattern ? $0.priority > $1.priority : $0.pattern < $1.pattern
        }
    }
}

extension RouteListing {
    fileprivate init(_ route: Route) {
        pattern = route.text
        priority = route.priority
        isRemote = route.isRemote
        site = route.site
        kind =
            switch route.answer {
            case .handler: .handler
            case .asyncHandler: .asyncHandler
            case .redirect(let target): .redirect(to: target.description)
            case .absent(let module): .absentModule(module)
            }
    }
}
