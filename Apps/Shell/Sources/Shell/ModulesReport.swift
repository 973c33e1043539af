import Lifecycle
import Mediator
import Routes

/// What each module of the root manifest brings to the app.
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
        /// Nil, and nothing below, when this build does not have it.
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
            let routes = module?.routes(in: app.center).keys.sorted() ?? []
            let actions = module?.actions(in: app.center) ?? [:]
            return Module(
                name: name, version: module?.version, isInThisBuild: module != nil,
                apis: app.diary.apis(of: name),
                routes: routes.map {
                    Route(pattern: $0, isRemote: module?.remoteRoutes.contains($0) == true)
                },
                actions: actions.sorted { $0.key < $1.key }.flatMap { target, table in
                    table.keys.sorted().map {
                        Action(
                            target: target, action: $0,
                            isRemote: module?.remoteActions[target]?.contains($0) == true)
                    }
                })
        }
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
                + module.routes.map { "  Route   \($0.pattern)" + ($0.isRemote ? "  open to outsiders" : "") }
                + module.actions.map {
                    "  Action  \($0.target)/\($0.action)" + ($0.isRemote ? "  open to outsiders" : "")
                }
        }.joined(separator: "\n") + "\n"
    }
}
