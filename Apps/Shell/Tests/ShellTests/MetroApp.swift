// The example of the app's README.

#if canImport(SwiftUI) && canImport(UIKit) && README_EXAMPLE
import APIService
import APITransport
import AppModules
import Lifecycle
import Routes
import Storage
import SwiftUI
import UIKit

@main
struct MetroApp: App {
    @Environment(\.scenePhase) private var phase
    private let launch: Task<ModularApp, any Error>

    init() {
        let services = AppServices(storage: .inMemory(), client: URLSessionAPIClient())
        launch = Task { try await ModularApp.launch(on: services) }
    }

    var body: some Scene {
        WindowGroup { Text("Metro") }
            .onChange(of: phase) { _, phase in
                if let event = LifecycleEvent(phase) { send(event) }
            }
    }

    private func send(_ event: LifecycleEvent) {
        // iOS must not suspend the app before the storage has released its lock.
        let awake = UIApplication.shared.beginBackgroundTask()
        Task {
            defer { UIApplication.shared.endBackgroundTask(awake) }
            try await launch.value.send(event)
        }
    }

    @MainActor private func page(_ route: String, of app: ModularApp) throws -> UIViewController {
        try app.services.routes.routeURL(route, as: UIViewController.self)
    }
}
#endif
