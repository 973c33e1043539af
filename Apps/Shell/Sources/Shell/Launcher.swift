import ApiCenter
import AppModules
import Demo
import GateLedger
import Launch
import Storage

/// Launches the app, and launches it again with other modules. One app runs at a time.
actor Launcher {
    private let day: SampleDay
    private let storage: Storage
    /// Receives the modules' failures when an app ends for another launch.
    private let complain: @Sendable (String) -> Void
    private var current: LaunchedApp?

    init(day: SampleDay, storage: Storage, complain: @escaping @Sendable (String) -> Void) {
        (self.day, self.storage, self.complain) = (day, storage, complain)
    }

    /// Terminates the running app, if any, and launches one.
    ///
    /// - Parameter leftOut: The names of the modules to leave out.
    func launch(without leftOut: Set<String> = []) async throws -> LaunchedApp {
        await terminate().forEach(complain)
        let services = AppServices(storage: storage, client: day.client, key: day.key)
        let center = ApiCenter()
        center.register(GateSettings.self) { [gate = day.gate] in gate }
        let modules = Registrations.modules.filter { !leftOut.contains($0.name) }
        let app = try ModularApp(day.watching(modules), on: services, center: center) {
            [day, storage] center in
            try day.connect(center, storage: storage)
        } explain: { error in
            String(describing: (error as? StorageError).map(DataError.init) ?? error)
        }
        let launched = LaunchedApp(app: app, services: services, launch: await app.launch())
        current = launched
        return launched
    }

    /// Sends the event `terminate` to the running app, and returns one line for each failure.
    func terminate() async -> [String] {
        guard let app = current?.app else { return [] }
        current = nil
        return await app.send(.terminate).failureLines
    }
}
