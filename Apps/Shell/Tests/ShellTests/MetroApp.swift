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
    @State private var launchFailures: [String] = []
    private let app: ModularApp?
    private let routes: Routes?

    var body: some Scene {
        WindowGroup {
            VStack {
                Text((launchFailures + failures).joined(separator: "\n"))
                if let app, let routes { MetroWindow(app: app, routes: routes) }
            }
            .task { launchFailures = await app?.launch().failureLines ?? [] }
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
    /// The path, which the system keeps while the app does not run.
    @SceneStorage("screens") private var saved = ""
    @State private var isRestored = false

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
        VStack {
            Text(failure)
            ScreenStackView(stack) { address in Text("This app has no module for \(address.route).") }
        }
        .task { await start() }
        .task { await followSessions() }
        .onOpenURL { url in open(url) }
        .onChange(of: stack.text) { _, text in
            if isRestored { saved = text }
        }
    }

    /// Shows the first screen, and then those of the path that the system has kept.
    private func start() async {
        _ = await app.launch()
        stack.follow(app.center.api(type: UserApiProtocol.self)?.session?.id)
        await stack.load()
        await stack.restore(from: saved)
        isRestored = true
    }

    /// Takes the screens of a passenger away at the log-out.
    private func followSessions() async {
        _ = await app.launch()
        guard let user = app.center.api(type: UserApiProtocol.self) else { return }
        for await session in user.sessions() { stack.follow(session?.id) }
    }

    /// Opens a link, and shows why it was refused.
    private func open(_ url: URL) {
        let opening = stack.open(url)
        Task {
            do {
                try await opening.value
                failure = ""
            } catch {
                failure = "\(error)"
            }
        }
    }
}
#endif
