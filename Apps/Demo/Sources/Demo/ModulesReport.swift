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
        /// The version; nil when the module is left out of this build, in which case the lists below are empty.
        let version: String?
        let isInThisBuild: Bool
        let apis: [String]
        let routes: [Route]
        let actions: [Action]
    }

    let modules: [Module]

    init(_ app: DemoApp) {
        let present = Dictionary(uniqueKeysWithValues: app.host.modules.map { ($0.name, $0) })
        let failed = Set(app.host.registration.failures.map(\.module))
        modules = app.names.map { name in
            let module = present[name]
            // The app installs no offers of a module that failed to register.
            let offers = failed.contains(name) ? [] : module?.offers(in: app.center) ?? []
            return Module(
                name: name, version: module?.version, isInThisBuild: module != nil,
                apis: app.diary.apis(of: name),
                routes: offers.compactMap(Route.init).sorted { $0.pattern < $1.pattern },
                actions: offers.compactMap(Action.init).sorted {
                    ($0.target, $0.action) < ($1.target, $1.action)
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
