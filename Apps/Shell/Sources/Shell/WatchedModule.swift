import ApiCenter
import Lifecycle
import Storage

/// A module as the Shell hands it to its host: itself, and its registrations and calls are noted in the diary.
struct WatchedModule: Module {
    private let module: any Module
    private let diary: Diary

    init(_ module: any Module, diary: Diary) {
        (self.module, self.diary) = (module, diary)
    }

    var name: String { module.name }
    var version: String { module.version }
    var after: [String] { module.after }
    var remoteRoutes: Set<String> { module.remoteRoutes }
    var remoteActions: [String: Set<String>] { module.remoteActions }

    /// - Throws: What the module throws; a ``DataError`` for a `StorageError`.
    func register(in center: ApiCenter) throws {
        let before = Set(center.allRegisteredApi())
        defer { diary.provides(name, Set(center.allRegisteredApi()).subtracting(before)) }
        do {
            try module.register(in: center)
        } catch let error as StorageError {
            throw DataError(error)
        }
    }

    func routes(in center: ApiCenter) -> [String: RouteHandler] {
        module.routes(in: center).reduce(into: [:]) { routes, route in
            routes[route.key] = watched(.route, route.key, route.value)
        }
    }

    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] {
        module.actions(in: center).reduce(into: [:]) { targets, target in
            targets[target.key] = target.value.reduce(into: [:]) { actions, action in
                actions[action.key] = watched(.action, "\(target.key)/\(action.key)", action.value)
            }
        }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }

    private func watched(
        _ way: Diary.Call.Way, _ name: String, _ handler: @escaping RouteHandler
    ) -> RouteHandler {
        { [diary, module = module.name] parameters in
            try diary.call(way, name, of: module) { try handler(parameters) }
        }
    }
}
