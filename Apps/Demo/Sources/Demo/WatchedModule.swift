import ApiCenter
import Lifecycle

/// Wraps a module so that the diary records its registrations and the calls to its offers.
struct WatchedModule: Module {
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

    func offers(in center: ApiCenter) -> [Offer] {
        module.offers(in: center).map { offer in
            offer.observed { [diary, name] in diary.begin(offer.name, of: name) }
        }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }
}
