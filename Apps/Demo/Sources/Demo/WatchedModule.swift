import ApiCenter
import Lifecycle

/// Wraps a module so that the diary records its registrations, and so that its errors are explained.
struct WatchedModule: ModuleWrapper {
    let wrapped: any Module
    private let diary: Diary
    private let explain: @Sendable (any Error) -> any Error

    init(_ module: any Module, diary: Diary, explain: @escaping @Sendable (any Error) -> any Error) {
        (wrapped, self.diary, self.explain) = (module, diary, explain)
    }

    func register(in center: ApiCenter) throws {
        let before = Set(center.allRegisteredApi())
        do {
            try wrapped.register(in: center)
        } catch {
            throw explain(error)
        }
        diary.provides(name, Set(center.allRegisteredApi()).subtracting(before))
    }

    func prepare(in center: ApiCenter) async throws {
        do {
            try await wrapped.prepare(in: center)
        } catch {
            throw explain(error)
        }
    }
}
