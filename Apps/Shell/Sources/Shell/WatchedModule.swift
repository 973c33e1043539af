import ApiCenter
import Lifecycle
import Storage

/// Wraps a module so that the diary records its registrations and the calls of its offers.
struct WatchedModule: Module {
    private let module: any Module
    private let diary: Diary

    init(_ module: any Module, diary: Diary) {
        (self.module, self.diary) = (module, diary)
    }

    var name: String { module.name }
    var version: String { module.version }
    var after: [String] { module.after }

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

    func offers(in center: ApiCenter) -> [Offer] {
        module.offers(in: center).map { offer in
            offer.observed { [diary, name] in diary.begin(offer.name, of: name) }
        }
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await module.handle(event, in: center)
    }
}
