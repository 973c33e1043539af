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
        named(module.routes(in: center)) { watched(.route, $0, $1) }
    }

    func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] {
        named(module.asyncRoutes(in: center)) { watched(.route, $0, $1) }
    }

    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] {
        named(module.actions(in: center)) { target, actions in
            named(actions) { watched(.action, "\(target)/\($0)", $1) }
        }
    }

    func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] {
        named(module.asyncActions(in: center)) { target, actions in
            named(actions) { watched(.action, "\(target)/\($0)", $1) }
        }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }

    /// A table whose values are made anew, each with the name that it stands under.
    private func named<Value>(
        _ table: [String: Value], _ change: (String, Value) -> Value
    ) -> [String: Value] {
        table.reduce(into: [:]) { $0[$1.key] = change($1.key, $1.value) }
    }

    private func watched(
        _ way: Diary.Call.Way, _ name: String, _ handler: @escaping RouteHandler
    ) -> RouteHandler {
        { [diary, module = module.name] parameters in
            try diary.call(way, name, of: module) { try handler(parameters) }
        }
    }

    private func watched(
        _ way: Diary.Call.Way, _ name: String, _ handler: @escaping AsyncRouteHandler
    ) -> AsyncRouteHandler {
        { [diary, module = module.name] parameters in
            try await diary.call(way, name, of: module) { try await handler(parameters) }
        }
    }
}
