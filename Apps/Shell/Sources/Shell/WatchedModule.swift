import ApiCenter
import Lifecycle
import Storage

/// Wraps a module so that the diary records its registrations and the calls to its routes and actions.
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

    /// - Throws: The error that the module throws. A `StorageError` is wrapped in a ``DataError``.
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
        mapEntries(of: module.routes(in: center)) { watched(.route, $0, $1) }
    }

    func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] {
        mapEntries(of: module.asyncRoutes(in: center)) { watched(.route, $0, $1) }
    }

    func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] {
        mapEntries(of: module.actions(in: center)) { target, actions in
            mapEntries(of: actions) { watched(.action, "\(target)/\($0)", $1) }
        }
    }

    func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] {
        mapEntries(of: module.asyncActions(in: center)) { target, actions in
            mapEntries(of: actions) { watched(.action, "\(target)/\($0)", $1) }
        }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }

    /// Maps the values of a table, and passes each value together with its key.
    private func mapEntries<Value>(
        of table: [String: Value], _ change: (String, Value) -> Value
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
