import Lifecycle
import Routes

/// The Apis, routes and actions that each module of the root manifest registers.
struct ModulesReport: Encodable {
    struct Route: Encodable {
        let pattern: String
        let isOpenToOutside: Bool
    }

    struct Action: Encodable {
        let target: String
        let action: String
        let isOpenToOutside: Bool
    }

    struct Module: Encodable {
        let name: String
        /// The version; nil when the module is left out of this build, in which case the lists below are empty.
        let version: String?
        let isInThisBuild: Bool
        let apis: [String]
        let routes: [Route]
        let actions: [Action]
    }

    let modules: [Module]

    init(_ app: DemoApp) {
        let present = Dictionary(uniqueKeysWithValues: app.app.modules.map { ($0.name, $0) })
        // The Apis of a module that failed to prepare have been removed.
        let registered = Set(app.center.allRegisteredApi())
        modules = app.names.map { name in
            let module = present[name]
            return Module(
                name: name, version: module?.version, isInThisBuild: module != nil,
                apis: app.diary.apis(of: name).filter(registered.contains),
                routes: app.routes.allRoutes().filter { $0.site.module == name && !$0.isAbsent }
                    .map { Route(pattern: $0.name.description, isOpenToOutside: $0.callers == .outside) },
                actions: app.mediator.allActions().filter { $0.site.module == name }.map {
                    Action(
                        target: $0.name.target ?? "", action: $0.name.action ?? "",
                        isOpenToOutside: $0.callers == .outside)
                })
        }
    }

    func text(style: TextReport.Style) -> String {
        modules.flatMap { module -> [String] in
            guard let version = module.version else {
                return [style.aside("\(module.name) is left out of this build")]
            }
            return [style.heading("\(module.name) \(version)")]
                + module.apis.map { "  Api     \($0)" }
                + module.routes.map {
                    "  Route   \($0.pattern)" + ($0.isOpenToOutside ? "  callable from outside" : "")
                }
                + module.actions.map {
                    "  Action  \($0.target)/\($0.action)"
                        + ($0.isOpenToOutside ? "  callable from outside" : "")
                }
        }.joined(separator: "\n") + "\n"
    }
}
