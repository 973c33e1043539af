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
        watched(module.routes(in: center), .route)
    }

    func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] {
        watched(module.asyncRoutes(in: center), .route)
    }

    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] {
        module.actions(in: center).reduce(into: [:]) { $0[$1.key] = watched($1.value, .action, of: $1.key) }
    }

    func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] {
        module.asyncActions(in: center).reduce(into: [:]) {
            $0[$1.key] = watched($1.value, .action, of: $1.key)
        }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }

    /// - Parameter target: Whose actions they are; nil for routes.
    private func watched(
        _ table: [String: RouteHandler], _ way: Diary.Call.Way, of target: String? = nil
    ) -> [String: RouteHandler] {
        table.reduce(into: [:]) { watched, entry in
            let (key, handler) = entry
            let name = target.map { "\($0)/\(key)" } ?? key
            watched[key] = { [diary, module = module.name] parameters in
                try diary.call(way, name, of: module) { try handler(parameters) }
            }
        }
    }

    private func watched(
        _ table: [String: AsyncRouteHandler], _ way: Diary.Call.Way, of target: String? = nil
    ) -> [String: AsyncRouteHandler] {
        table.reduce(into: [:]) { watched, entry in
            let (key, handler) = entry
            let name = target.map { "\($0)/\(key)" } ?? key
            watched[key] = { [diary, module = module.name] parameters in
                try await diary.call(way, name, of: module) { try await handler(parameters) }
            }
        }
    }
}
