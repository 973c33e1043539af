import ApiCenter
import Lifecycle
import Links

/// Wraps a module so that the diary records its registrations.
struct WatchedModule: Module, LinkAnswering {
    private let module: any Module
    private let diary: Diary
    private let explain: @Sendable (any Error) -> any Error

    init(_ module: any Module, diary: Diary, explain: @escaping @Sendable (any Error) -> any Error) {
        (self.module, self.diary, self.explain) = (module, diary, explain)
    }

    var name: String { module.name }
    var version: String { module.version }
    var after: [String] { module.after }

    func register(in center: ApiCenter) throws {
        let before = Set(center.allRegisteredApi())
        do {
            try module.register(in: center)
        } catch {
            throw explain(error)
        }
        diary.provides(name, Set(center.allRegisteredApi()).subtracting(before))
    }

    func prepare(in center: ApiCenter) async throws {
        do {
            try await module.prepare(in: center)
        } catch {
            throw explain(error)
        }
    }

    func links(in center: ApiCenter) -> [Link] { (module as? any LinkAnswering)?.links(in: center) ?? [] }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }
}
