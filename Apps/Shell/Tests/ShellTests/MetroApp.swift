// The example in the app's README. Scripts/apple compiles it for iOS.

#if canImport(SwiftUI) && canImport(UIKit) && README_EXAMPLE
import APITransport
import ApiCenter
import AppModules
import Foundation
import HomeApi
import Launch
import Lifecycle
import Pages
import Routes
import SDKManagerApi
import Screens
import Storage
import SwiftUI
import UIKit
import UserApi

@main
struct MetroApp: App {
    @Environment(\.scenePhase) private var phase
    @State private var failures: [String] = []
    private let app: ModularApp?
    private let routes: Routes?

    var body: some Scene {
        WindowGroup {
            Text(failures.joined(separator: "\n"))
            if let app, let routes {
                MetroWindow(app: app, routes: routes).task {
                    failures += await app.launch().failureLines
                }
            }
        }
        .onChange(of: phase) { _, phase in
            if let event = LifecycleEvent(phase) { post(event) }
        }
    }

    /// Registers the modules. Events and links may arrive before they have prepared.
    init() {
        do {
            let services = AppServices(
                storage: try Storage(folder: .applicationSupportDirectory.appending(path: "Metro")),
                client: URLSessionAPIClient(), cacheFolder: .cachesDirectory.appending(path: "Metro"))
            app = try ModularApp(on: services) { center in
                guard let server = URL(string: "https://metro.example") else { return }
                try center.api(type: SDKManagerApiProtocol.self)?
                    .initialise(SDKConfiguration(appID: "example.metro", baseURL: server)) { _ in }
            }
            routes = services.routes
        } catch {
            (app, routes) = (nil, nil)
            _failures = State(initialValue: ["\(error)"])
        }
    }

    /// Posts an event to the modules, and asks iOS not to suspend the app before they have handled it.
    private func post(_ event: LifecycleEvent) {
        guard let delivery = app?.post(event) else { return }
        var awake = UIBackgroundTaskIdentifier.invalid
        awake = UIApplication.shared.beginBackgroundTask {
            delivery.cancel()
            UIApplication.shared.endBackgroundTask(awake)
        }
        Task {
            failures += await delivery.report.failureLines
            UIApplication.shared.endBackgroundTask(awake)
        }
    }
}

/// One window, with screens of its own.
struct MetroWindow: View {
    private let app: ModularApp
    @State private var stack: ScreenStack
    @State private var failure = ""
    /// The path, which the system keeps while the window is closed.
    @SceneStorage("screens") private var saved = ""

    init(app: ModularApp, routes: Routes) {
        self.app = app
        _stack = State(
            initialValue: ScreenStack(
                first: PageAddress(HomeRoute.main),
                ask: {
                    try await routes.routeURL($0.route, parameters: $0.parameters, as: (any Page).self)
                },
                open: { url in
                    let link = app.open(url)
                    return { try await link.value }
                }))
    }

    var body: some View {
        Text(failure)
        ScreenStackView(stack) { address in Text("This app has no module for \(address.route).") }
            .task { await follow() }
            .onOpenURL { url in
                let opening = stack.open(url)
                Task { await show { try await opening.value } }
            }
            .onChange(of: stack.text) { _, text in saved = text }
    }

    /// Shows the first screen, restores the others, and then follows the sessions of the passenger.
    private func follow() async {
        _ = await app.launch()
        let user = app.center.api(type: UserApiProtocol.self)
        stack.follow(user?.session?.id)
        let path = saved
        await show(stack.load)
        await stack.restore(from: path)
        guard let user else { return }
        for await session in user.sessions() { stack.follow(session?.id) }
    }

    /// Shows the error that `work` throws.
    private func show(_ work: () async throws -> Void) async {
        do { try await work() } catch { failure = "\(error)" }
    }
}
#endif
