import Lifecycle

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
        /// The version; nil when the module is left out of this build. The lists below are then empty.
        let version: String?
        let isInThisBuild: Bool
        let apis: [String]
        let routes: [Route]
        let actions: [Action]
    }

    let modules: [Module]

    init(_ app: DemoApp) {
        let present = Dictionary(uniqueKeysWithValues: app.host.modules.map { ($0.name, $0) })
        modules = app.names.map { name in
            let module = present[name]
            let offers =
                module?.offers(in: app.center).sorted { $0.name.description < $1.name.description } ?? []
            return Module(
                name: name, version: module?.version, isInThisBuild: module != nil,
                apis: app.diary.apis(of: name), routes: offers.compactMap(Route.init),
                actions: offers.compactMap(Action.init))
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
                    "  Route   \($0.pattern)" + ($0.isRemote ? "  callable from outside" : "")
                }
                + module.actions.map {
                    "  Action  \($0.target)/\($0.action)" + ($0.isRemote ? "  callable from outside" : "")
                }
        }.joined(separator: "\n") + "\n"
    }
}

extension ModulesReport.Route {
    init?(_ offer: Offer) {
        guard case .route(let pattern) = offer.name else { return nil }
        self.init(pattern: pattern, isRemote: offer.callers == .outside)
    }
}

extension ModulesReport.Action {
    init?(_ offer: Offer) {
        guard case .action(let target, let action) = offer.name else { return nil }
        self.init(target: target, action: action, isRemote: offer.callers == .outside)
    }
}
