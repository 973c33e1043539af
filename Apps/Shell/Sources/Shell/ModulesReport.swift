import ApiCenter
import Lifecycle
import Mediator
import Routes

/// The Apis, routes and actions that each module of the root manifest registers.
struct ModulesReport: Encodable {
    struct Route: Encodable {
        let pattern: String
        let isRemote: Bool
    }

    struct Action: Encodable {
        let target: String
        let action: String
        let isRemote: Bool
    }

    struct Module: Encodable {
        let name: String
        /// Nil when the module is left out of this build; the lists below are then empty.
        let version: String?
        let isInThisBuild: Bool
        let apis: [String]
        let routes: [Route]
        let actions: [Action]
    }

    let modules: [Module]

    init(_ app: App) {
        let present = Dictionary(uniqueKeysWithValues: app.host.modules.map { ($0.name, $0) })
        modules = Registrations.names.map { name in
            let module = present[name]
            let (routes, actions) = module.map { Self.offer(of: $0, in: app.center) } ?? ([], [])
            return Module(
                name: name, version: module?.version, isInThisBuild: module != nil,
                apis: app.diary.apis(of: name),
                routes: routes.map {
                    Route(pattern: $0, isRemote: module?.remoteRoutes.contains($0) == true)
                },
                actions: actions.map { target, action in
                    Action(
                        target: target, action: action,
                        isRemote: module?.remoteActions[target]?.contains(action) == true)
                })
        }
    }

    /// Returns a module's route patterns and its pairs of target and action, both sorted.
    private static func offer(
        of module: any Lifecycle.Module, in center: ApiCenter
    ) -> (routes: [String], actions: [(target: String, action: String)]) {
        let routes = Array(module.routes(in: center).keys) + module.asyncRoutes(in: center).keys
        let actions =
            module.actions(in: center).flatMap { target, table in table.keys.map { (target, $0) } }
            + module.asyncActions(in: center).flatMap { target, table in table.keys.map { (target, $0) } }
        return (routes.sorted(), actions.sorted { $0 < $1 })
    }

    var json: String {
        get throws { try JSONReport.text(of: self) }
    }

    func text(style: TextReport.Style) -> String {
        modules.flatMap { module -> [String] in
            guard let version = module.version else {
                return [style.aside("\(module.name) is left out of this build")]
            }
            return [style.heading("\(module.name) \(version)")]
                + module.apis.map { "  Api     \($0)" }
                + module.routes.map {
                    "  Route   \($0.pattern)" + ($0.isRemote ? "  callable from outside" : "")
                }
                + module.actions.map {
                    "  Action  \($0.target)/\($0.action)" + ($0.isRemote ? "  callable from outside" : "")
                }
        }.joined(separator: "\n") + "\n"
    }
}
