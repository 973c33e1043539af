import Offers

/// One entry in the list of a registry's routes.
public struct RouteListing: Hashable, Sendable {
    /// How a route handles a call.
    public enum Kind: Hashable, Sendable {
        /// A handler.
        case handler
        /// An async handler.
        case asyncHandler
        /// A handler on the main actor.
        case mainHandler
        /// A redirect to another pattern.
        case redirect(to: String)
        /// No handler, because the named module is not in the app.
        case absentModule(String)
    }

    /// The route's pattern in its canonical form.
    public let pattern: String
    /// The route's priority.
    public let priority: Int
    /// How the route handles a call.
    public let kind: Kind
    /// Whether URLs from outside the app may reach the route.
    public let isRemote: Bool
    /// The file and line of the registration.
    public let site: String
}

extension Routes {
    /// All routes, including the declared routes of absent modules, sorted by pattern and then by descending
    /// priority.
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
            case .handler(.sync): .handler
            case .handler(.async): .asyncHandler
            case .handler(.onMain): .mainHandler
            case .redirect(let target): .redirect(to: target.description)
            case .absent(let module): .absentModule(module)
            }
    }
}
