import ApiCenter
import Lifecycle

/// Wraps a module so that the diary records its registrations, and knows what happens while the module handles an event.
struct WatchedModule: ModuleWrapper {
    let wrapped: any Module
    let diary: Diary

    func register(in center: ApiCenter) throws {
        let before = Set(center.allRegisteredApi())
        try wrapped.register(in: center)
        // A module's own keys, such as `User.UserService`, are not Apis: no other module can name them.
        let apis = Set(center.allRegisteredApi()).subtracting(before).filter { !$0.hasPrefix(name + ".") }
        diary.provides(name, apis)
    }

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        try await Diary.$module.withValue(name) { try await wrapped.handle(event, in: center) }
    }
}
