// The example in the app's README. Scripts/apple compiles it for iOS.

#if canImport(SwiftUI) && canImport(UIKit) && README_EXAMPLE
import APITransport
import ApiCenter
import AppModules
import Foundation
import Lifecycle
import SDKManagerApi
import Storage
import SwiftUI
import UIKit

@main
struct MetroApp: App {
    @Environment(\.scenePhase) private var phase
    @State private var page = ""
    @State private var failures: [String] = []
    private let launch = Task { try await Self.launch() }

    var body: some Scene {
        WindowGroup {
            Text(([page] + failures).joined(separator: "\n"))
                .task { await show { try await launch.value.failures } }
                .onOpenURL { url in Task { await show { try await open(url) } } }
        }
        .onChange(of: phase) { _, phase in
            if let event = LifecycleEvent(phase) { send(event) }
        }
    }

    /// Opens a link that the system handed to the app, and shows its page.
    private func open(_ url: URL) async throws -> [String] {
        let link = try await launch.value.open(url)
        if let value = link.value { page = "\(value)" }
        return link.failures + (link.error.map { ["\($0)"] } ?? [])
    }

    private static func launch() async throws -> ModularApp {
        let services = AppServices(
            storage: try Storage(folder: .applicationSupportDirectory.appending(path: "Metro")),
            client: URLSessionAPIClient(), cacheFolder: .cachesDirectory.appending(path: "Metro"))
        let app = try await ModularApp.launch(on: services)
        guard let server = URL(string: "https://metro.example") else { return app }
        try app.center.api(type: SDKManagerApiProtocol.self)?
            .initialise(SDKConfiguration(appID: "example.metro", baseURL: server)) { _ in }
        return app
    }

    /// Sends an event to the modules, and asks iOS not to suspend the app before they have handled it.
    private func send(_ event: LifecycleEvent) {
        let delivery = Task { await show { try await launch.value.send(event) } }
        var awake = UIBackgroundTaskIdentifier.invalid
        awake = UIApplication.shared.beginBackgroundTask {
            delivery.cancel()
            UIApplication.shared.endBackgroundTask(awake)
        }
        Task {
            await delivery.value
            UIApplication.shared.endBackgroundTask(awake)
        }
    }

    /// Shows the failures that `work` returns, or the error that it throws.
    private func show(_ work: () async throws -> [String]) async {
        do { failures += try await work() } catch { failures.append("\(error)") }
    }
}
#endif
